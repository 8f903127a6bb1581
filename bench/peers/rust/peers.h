// The C interface of the peers that are written in Rust: lib.rs.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_rayon_pool peer_rayon_pool;
typedef struct {
  uint64_t nodes, leaves;
  uint32_t depth;
} peer_counts;

// For all but open, a null pool means the program without tasks, on the calling thread.
peer_rayon_pool* peer_rayon_open(uint32_t workers);
void peer_rayon_close(peer_rayon_pool*);
uint64_t peer_rayon_fib(peer_rayon_pool*, uint32_t n);
uint64_t peer_rayon_queens(peer_rayon_pool*, uint8_t n);
void peer_rayon_matmul(peer_rayon_pool*, const float* a, const float* b, float* c, size_t n);
peer_counts peer_rayon_uts_t1(peer_rayon_pool*);
peer_counts peer_rayon_uts_t3(peer_rayon_pool*);

// crossbeam-deque: deque/suite.hpp describes the loops. Each returns the sum of the items obtained.
uint64_t peer_crossbeam_push_pop(uint64_t times);
uint64_t peer_crossbeam_push_steal(uint64_t times);
// Runs so many rounds of the owner against one thief; `seconds` is the owner's time. The thief calls
// place(1) when it begins, and then the owner place(0).
uint64_t peer_crossbeam_owner_and_thief(uint64_t rounds, double* seconds, uint64_t* stolen,
                                        void (*place)(unsigned));

#ifdef __cplusplus
}
#endif
