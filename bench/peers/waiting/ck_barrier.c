#include "ck_barrier.h"

#include <ck_barrier.h>
#include <stdlib.h>

struct peer_ck_barrier {
  ck_barrier_centralized_t barrier;
  unsigned threads;
};

peer_ck_barrier* peer_ck_barrier_open(unsigned threads) {
  peer_ck_barrier* new_one = calloc(1, sizeof *new_one);
  if (new_one == NULL) abort();
  new_one->threads = threads;
  return new_one;
}
void peer_ck_barrier_close(peer_ck_barrier* barrier) { free(barrier); }

// Each thread keeps the sense of its next round; a thread uses only one barrier.
void peer_ck_barrier_wait(peer_ck_barrier* barrier, unsigned* sense) {
  ck_barrier_centralized_state_t state = {*sense};
  ck_barrier_centralized(&barrier->barrier, &state, barrier->threads);
  *sense = state.sense;
}
