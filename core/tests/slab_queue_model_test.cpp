// Random sequences of all operations of a queue of slabs, against a std::deque.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>

#include "fencepost/queue/slab_queue.hpp"
#include "queue_machine.hpp"

namespace fencepost {
namespace {

template <slab_shape Shape>
using machine_of = machine<slab_queue<std::unique_ptr<int>, default_atomics, Shape>>;

RC_GTEST_PROP(slab_queue_model, slabs_of_one_slot_agree_with_the_reference, ()) {
  machine_of<slab_shape{.slots = 1, .word_bits = 1, .buckets = 1}>::agrees_with_the_reference();
}
RC_GTEST_PROP(slab_queue_model, slabs_of_three_words_agree_with_the_reference, ()) {
  machine_of<slab_shape{.slots = 6, .word_bits = 2, .buckets = 4}>::agrees_with_the_reference();
}
RC_GTEST_PROP(slab_queue_model, slabs_of_one_word_agree_with_the_reference, ()) {
  machine_of<slab_shape{.slots = 8, .word_bits = 8, .buckets = 32}>::agrees_with_the_reference();
}

}  // namespace
}  // namespace fencepost
