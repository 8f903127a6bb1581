// concurrencykit's central barrier, wrapped since its header is not C++.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_ck_barrier peer_ck_barrier;

peer_ck_barrier* peer_ck_barrier_open(unsigned threads);
void peer_ck_barrier_close(peer_ck_barrier*);
// `sense` belongs to the calling thread, and is 0 before its first round of any barrier.
void peer_ck_barrier_wait(peer_ck_barrier*, unsigned* sense);

#ifdef __cplusplus
}
#endif
