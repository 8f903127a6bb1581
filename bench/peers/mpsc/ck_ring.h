// concurrencykit's ring for many producers and one consumer, wrapped since its header is not C++.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_ck_ring peer_ck_ring;

peer_ck_ring* peer_ck_ring_open(unsigned size);  // a power of two
void peer_ck_ring_close(peer_ck_ring*);
bool peer_ck_ring_push(peer_ck_ring*, uint64_t item);  // false: the ring is full
bool peer_ck_ring_pop(peer_ck_ring*, uint64_t* item);

#ifdef __cplusplus
}
#endif
