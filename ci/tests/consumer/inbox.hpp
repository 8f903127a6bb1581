// A lock-free inbox: any thread posts messages, and one thread takes all of them, newest first.
//
// A template on Fencepost's atomics policy, and otherwise ordinary code: P::atomic instead of
// std::atomic, P::plain for the data that it hands over.
#pragma once

#include <atomic>

#include "fencepost/atomics/default_atomics.hpp"

// [inbox]
template <class T, class P = fencepost::default_atomics>
class inbox {
 public:
  class message {
   public:
    explicit message(T value) : value_{value} {}
    T value() const { return value_.get(); }
    message* older() const { return older_.get(); }

   private:
    friend class inbox;
    typename P::template plain<T> value_;
    typename P::template plain<message*> older_{nullptr};
  };

  // Any thread. The message is the inbox's until it is taken.
  void post(message& m) {
    message* newest = newest_.load(std::memory_order_relaxed);
    do {
      m.older_.set(newest);
      // Release: pairs with the acquire in take_all(); the message is there.
    } while (!newest_.compare_exchange_weak(newest, &m, std::memory_order_release,
                                            std::memory_order_relaxed));
  }

  // One thread. Null if there is no message.
  message* take_all() {
    // Acquire: pairs with the release in post().
    return newest_.exchange(nullptr, std::memory_order_acquire);
  }

 private:
  typename P::template atomic<message*> newest_{nullptr};
};
// [inbox]
