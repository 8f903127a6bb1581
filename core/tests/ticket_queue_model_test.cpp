// Random sequences of all operations of a queue of tickets, against a std::deque.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <memory>

#include "fencepost/queue/ticket_queue.hpp"
#include "queue_machine.hpp"

namespace fencepost::ticket_queue_model {
namespace {

template <std::uint32_t Slots>
using machine_of = machine<ticket_queue<std::unique_ptr<int>, default_atomics, Slots>>;

RC_GTEST_PROP(ticket_queue_model, slabs_of_one_slot_agree_with_the_reference, ()) {
  machine_of<1>::agrees_with_the_reference();
}
RC_GTEST_PROP(ticket_queue_model, slabs_of_three_slots_agree_with_the_reference, ()) {
  machine_of<3>::agrees_with_the_reference();
}
RC_GTEST_PROP(ticket_queue_model, slabs_of_eight_slots_agree_with_the_reference, ()) {
  machine_of<8>::agrees_with_the_reference();
}

}  // namespace
}  // namespace fencepost::ticket_queue_model
