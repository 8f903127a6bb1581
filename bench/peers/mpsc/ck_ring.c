#include "ck_ring.h"

#include <ck_ring.h>
#include <stdlib.h>

struct peer_ck_ring {
  ck_ring_t ring;
  ck_ring_buffer_t buffer[];
};

peer_ck_ring* peer_ck_ring_open(unsigned size) {
  peer_ck_ring* new_one =
      aligned_alloc(64, (sizeof(peer_ck_ring) + size * sizeof(ck_ring_buffer_t) + 63) / 64 * 64);
  if (new_one == NULL) abort();
  ck_ring_init(&new_one->ring, size);
  return new_one;
}
void peer_ck_ring_close(peer_ck_ring* ring) { free(ring); }

bool peer_ck_ring_push(peer_ck_ring* ring, uint64_t item) {
  return ck_ring_enqueue_mpsc(&ring->ring, ring->buffer, (void*)item);
}
bool peer_ck_ring_pop(peer_ck_ring* ring, uint64_t* item) {
  void* got;
  if (!ck_ring_dequeue_mpsc(&ring->ring, ring->buffer, &got)) return false;
  *item = (uint64_t)got;
  return true;
}
