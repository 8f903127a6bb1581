// A work-stealing deque that only its owner touches: a thief posts a request, the owner answers it.
//
//      thief                  the victim's cell              owner
//     ask() ---- its request ----> request_
//                                     |  <----- poll() ----- takes it, gives its oldest item
//     answered() <---- the item, or a refusal, in the request -----+
//
// Push and pop are those of a deque for one thread: the only atomic operation is a relaxed store
// when it becomes empty or non-empty. The price is the wait: a thief gets nothing before the owner
// polls. A thief that has waited long enough withdraws its request, and may then ask another owner;
// if the owner has taken the request meanwhile, the answer is a few instructions away.
//
// Threads: one thread, the owner, calls push(), pop(), poll() and size(); any other thread,
// offers() and steal(), or ask(), withdraw() and its request's answered() and result(), with a
// request of its own that is not posted elsewhere. A thread that owns a deque and waits for the
// owner of another must poll its own meanwhile, or two may wait for each other for ever.
// Construction and destruction happen before and after all; a request may be destroyed once it is
// answered or withdrawn.
//
// Claims (each a scenario, private_deque/…):
//   every item is obtained exactly once, by the owner or a thief      steal_against_pop,
//                                                                     two_thieves
//   a thief's item is fully published                                 item_is_whole
//   a request is answered or withdrawn, never both, never neither     withdrawal_against_answer,
//                                                                     two_thieves
//   an answer is to the latest request of its thief                   second_request
//   a request is not touched once it is answered or withdrawn         request_may_die
//   a thief that waits gets its answer when the owner polls           owner_answers, owner_refuses
//   ... though that owner waits for another's answer itself           workers_ask_each_other
//   the operations are linearizable, size() too                       linearizable,
//                                                                     linearizable_with_two_thieves
//
// Ordering: for any threads X and Y: everything sequenced before a push() of X, the owner, happens
// before the return of Y's steal() of that item; everything sequenced before Y's ask() happens
// before the return of the poll() that answers it.
// Progress: push, pop and poll are wait-free; a push that grows copies all items. steal() returns
// after `looks` looks, unless the owner has taken the request by then: in that case it waits for
// the answer.
// Costs: push and pop, no locked instruction and no fence; poll, a load when nobody has asked,
// otherwise one exchange and a release store; steal, one compare-exchange, and one more to
// withdraw. Allocates only when it grows, and never gives memory back before it is destroyed.
// Source: U. Acar, A. Charguéraud, M. Rainey, "Scheduling parallel programs by work stealing with
// private deques" (PPoPP 2013), the receiver-initiated algorithm; the withdrawal is an addition.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/deque/steal_outcome.hpp"

namespace fencepost {

// T: trivially copyable, default constructible, of any size.
template <class T, class P = default_atomics>
class private_deque {
  static_assert(std::is_trivially_copyable_v<T>, "an item is copied as bytes");

 public:
  struct theft {  // As chase_lev's. unwatched: returned by value.
    steal_outcome outcome;
    T item{};
  };

  // A thief's request, which receives the owner's answer; it lies wherever the thief wants.
  class request {
   public:
    request() = default;
    request(const request&) = delete;
    request& operator=(const request&) = delete;

    // Thief, after it has posted the request. Whether the owner has answered. If true, the deque no
    // longer accesses the request, and what the owner did before it pushed the item is visible.
    bool answered() const noexcept {
      // [look] acquire, with [answer], [ask.wait]: the item is there, and the owner is done with
      // the request.
      return state_.load(std::memory_order_acquire) != waiting;
    }
    // Thief, once answered() has returned true: an item, or no_work.
    theft result() const noexcept {
      // [result] relaxed, alone: answered() has read it, and nobody writes it any more.
      if (state_.load(std::memory_order_relaxed) == refused) return {steal_outcome::no_work};
      return {steal_outcome::stolen, item_.get()};
    }

   private:
    friend class private_deque;
    static constexpr std::uint32_t waiting = 0, refused = 1, given = 2;
    typename P::template atomic<std::uint32_t> state_{waiting};
    typename P::template plain<T> item_{};
  };

  // Room for `capacity` items at first. Throws std::bad_alloc.
  explicit private_deque(std::uint32_t capacity = 32);
  private_deque(const private_deque&) = delete;
  private_deque& operator=(const private_deque&) = delete;

  // Owner. Adds an item. Throws std::bad_alloc when it must grow and cannot; then nothing has
  // changed.
  void push(T item);
  // Owner. Takes the item that was pushed last; nothing if there is none.
  [[nodiscard]] std::optional<T> pop() noexcept;
  // Owner, regularly. Answers a request, if there is one: gives the oldest item, or refuses if
  // there is none. Returns whether an item was given.
  bool poll() noexcept {
    // [poll] relaxed, with [ask]: a hint.
    return request_.load(std::memory_order_relaxed) != nullptr && answer();
  }
  // Owner. The number of items.
  std::size_t size() const noexcept { return end_ - first_; }

  // Thief. Posts a request; returns false, without posting it, if another thief's is there.
  [[nodiscard]] bool ask(request& mine) noexcept;
  // Thief. Withdraws a request that it has posted here; returns false if the owner has taken the
  // request: then the answer comes without another poll.
  [[nodiscard]] bool withdraw(request& mine) noexcept;
  // Thief. Whether the owner had items when it last changed this flag: a guess.
  bool offers() const noexcept {
    // [offers] relaxed, with [offer], [withdraw_offer]: a hint.
    return offers_.load(std::memory_order_relaxed);
  }

  // Thief. Asks, looks for the answer `looks` times, with a call of `meanwhile` after each, and
  // then withdraws; if the owner has just taken the request, waits for its answer. No_work: the
  // owner has nothing. Retry: another thief asks here, or there was no answer in time.
  template <class Meanwhile>
  [[nodiscard]] theft steal(request& mine, std::uint32_t looks, Meanwhile&& meanwhile) noexcept;

 private:
  FENCEPOST_NOINLINE bool answer() noexcept;
  FENCEPOST_NOINLINE void grow();
  T& at(std::size_t number) noexcept { return items_[number & (capacity_ - 1)]; }
  void taken() noexcept {
    // [withdraw_offer] relaxed, with [offers]: a hint.
    if (first_ == end_) offers_.store(false, std::memory_order_relaxed);
  }

  static constexpr std::size_t cache_line = 64;

  // unwatched: the owner's alone. Items are first_ to end_ - 1, each in the slot of its number
  // modulo the capacity, a power of two.
  std::size_t first_ = 0, end_ = 0;
  std::size_t capacity_;
  std::unique_ptr<T[]> items_;

  // The request of the thief that waits; null if none does.
  alignas(cache_line) typename P::template atomic<request*> request_{nullptr};
  typename P::template atomic<bool> offers_{false};
};

template <class T, class P>
private_deque<T, P>::private_deque(std::uint32_t capacity)
    : capacity_{std::bit_ceil(std::size_t{capacity})}, items_{std::make_unique<T[]>(capacity_)} {}

template <class T, class P>
inline void private_deque<T, P>::push(T item) {
  if (size() == capacity_) [[unlikely]]
    grow();
  at(end_++) = item;
  // [offer] relaxed, with [offers]: a hint.
  if (size() == 1) offers_.store(true, std::memory_order_relaxed);
}

template <class T, class P>
void private_deque<T, P>::grow() {
  auto larger = std::make_unique<T[]>(2 * capacity_);
  for (std::size_t number = first_; number != end_; ++number) {
    larger[number & (2 * capacity_ - 1)] = at(number);
  }
  items_ = std::move(larger);
  capacity_ *= 2;
}

template <class T, class P>
inline std::optional<T> private_deque<T, P>::pop() noexcept {
  if (first_ == end_) return std::nullopt;
  const T item = at(--end_);
  taken();
  return item;
}

template <class T, class P>
bool private_deque<T, P>::answer() noexcept {
  // [take] acquire, with [ask], [withdraw]: the thief has read the previous answer, and has set
  // the request to waiting: this answer comes after that. An exchange: of this and a withdrawal,
  // one takes the request.
  request* const from = request_.exchange(nullptr, std::memory_order_acquire);
  if (from == nullptr) return false;
  const bool gives = first_ != end_;
  if (gives) {
    from->item_.set(at(first_++));
    taken();
  }
  // [answer] release, with [look]: publishes the item, and what it leads to. The last access: the
  // thief may destroy the request.
  from->state_.store(gives ? request::given : request::refused, std::memory_order_release);
  return gives;
}

template <class T, class P>
inline bool private_deque<T, P>::ask(request& mine) noexcept {
  // [ask.free] relaxed, alone: a hint, so that thieves that come too late write nothing.
  if (request_.load(std::memory_order_relaxed) != nullptr) return false;
  // [ask.wait] relaxed, with [look]: published by the exchange.
  mine.state_.store(request::waiting, std::memory_order_relaxed);
  request* none = nullptr;
  // [ask] release, relaxed on failure, with [poll], [take]: the request is ready for an answer.
  // Relaxed on failure: nothing is used. Strong: false means that another thief's is there.
  return request_.compare_exchange_strong(none, &mine, std::memory_order_release,
                                          std::memory_order_relaxed);
}

template <class T, class P>
inline bool private_deque<T, P>::withdraw(request& mine) noexcept {
  request* posted = &mine;
  // [withdraw] relaxed, relaxed on failure, with [take]: of two exchanges of one word the later one
  // observes the other; the owner has not touched the request, or it answers. Strong: a failure
  // must mean that the answer comes.
  return request_.compare_exchange_strong(posted, nullptr, std::memory_order_relaxed,
                                          std::memory_order_relaxed);
}

template <class T, class P>
template <class Meanwhile>
auto private_deque<T, P>::steal(request& mine, std::uint32_t looks, Meanwhile&& meanwhile) noexcept
    -> theft {
  if (!offers()) return {steal_outcome::no_work};
  if (!ask(mine)) return {steal_outcome::retry};
  for (std::uint32_t look = 0; look < looks; ++look) {
    if (mine.answered()) return mine.result();
    meanwhile();
  }
  if (withdraw(mine)) return {steal_outcome::retry};
  // The owner has taken the request, so the answer takes a few instructions, unless it is
  // preempted.
  for (typename P::back_off turn; !mine.answered(); turn()) P::spin_pause();
  return mine.result();
}

}  // namespace fencepost
