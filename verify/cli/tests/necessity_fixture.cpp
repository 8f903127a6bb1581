// A command line with a few small components and their scenarios, which the checker explores: an
// order for each verdict of `fencepost necessity`. FIXTURE_DIGEST replaces the digest of the code.
#include <array>
#include <cstdlib>
#include <thread>

#include "certified/letterbox.hpp"
#include "fencepost/verify/check.hpp"
#include "parts/handed.hpp"
#include "parts/mailbox.hpp"
#include "parts/named.hpp"
#include "parts/slow.hpp"
#include "parts/stale.hpp"
#include "parts/tidy.hpp"
#include "parts/wide.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {
namespace {

using policy = checked_atomics;

template <class Box>
void message_arrives() {
  Box box;
  verify::run_threads(2, [&](unsigned i) {
    int message = 0;
    if (i == 0)
      box.send(42);
    else if (box.receive(message))
      require(message == 42, "a message that was not sent");
  });
}

void mailbox_is_taken() {
  parts::mailbox<policy> box;
  box.send(1);
  require(box.is_full(), "a message is there");
  require(box.peek() == 1, "the message is seen");
  require(box.take(), "a message that is there was not taken");
}

void mailbox_forgets() { parts::mailbox<policy>().forgotten(); }

void stale_message() {
  parts::stale<policy> box;
  verify::run_threads(2, [&](unsigned i) {
    if (i == 0)
      box.send(42);
    else
      static_cast<void>(box.receive());
  });
}

void handed_over() {
  parts::handed<policy> item;
  int seen = 0;
  verify::run_threads(2, [&](unsigned i) {
    if (i == 0)
      seen = item.look_and_free();
    else
      item.take();
  });
  require(seen == 0, "the item was still there");
}

void wide_meeting() {
  parts::wide<policy> both;
  verify::run_threads(2, [&](unsigned i) { outcome(both.meet(i)); });
}

// The scenarios of a faultless certificate: a letter that is handed over, and one that lies open.
void letter_arrives() {
  certified::letterbox<policy> box;
  verify::run_threads(2, [&](unsigned i) {
    int letter = 0;
    if (i == 0)
      box.put(42);
    else if (box.take(letter))
      require(letter == 42, "a letter that was not put");
  });
  require(box.looks_full(), "the box is full");
}

void letter_lies_open() {
  policy::plain<int> letter{0};
  verify::run_threads(2, [&](unsigned i) { letter.set(static_cast<int>(i)); });
}

// Claims that have a load-buffering race. In each of `pairs` pairs, each thread hands the other a 1
// or, with `depends`, one more than it has read.
void hand_over(unsigned pairs, bool depends) {
  std::array<policy::atomic<int>, 6> words{};
  verify::run_threads(2 * pairs, [&](unsigned i) {
    const int read = words[i].load(std::memory_order_relaxed);
    words[i ^ 1U].store(depends ? read + 1 : 1, std::memory_order_relaxed);
  });
}

void hand_over_unread() {
  policy::atomic<int> a{0}, b{0};
  int first = 0, second = 0;
  verify::run_threads(2, [&](unsigned i) {
    (i == 0 ? first : second) = (i == 0 ? a : b).load(std::memory_order_relaxed);
    (i == 0 ? b : a).store(1, std::memory_order_relaxed);
  });
  require(first == 0 || second == 0, "both came first");
}

void hand_over_halves() {
  policy::halves a{0, 0};
  policy::atomic<int> b{0};
  verify::run_threads(2, [&](unsigned i) {
    if (i == 0) {
      a.load(std::memory_order_relaxed);
      b.store(1, std::memory_order_relaxed);
    } else {
      b.load(std::memory_order_relaxed);
      a.store_low(1, std::memory_order_relaxed);
    }
  });
}

verify::result without_end(const verify::options& o) {
  if (o.changes.empty()) return verify::check(o, [] { parts::slow<policy>().raise(); });
  while (o.stop == nullptr || !o.stop->load()) {
    if (o.on_progress) o.on_progress({});
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  verify::result r;
  r.limit = "interrupted";
  return r;
}

}  // namespace

std::vector<entry> registry() {
  std::vector<entry> all;
  const char* const digest = std::getenv("FIXTURE_DIGEST");
  const auto add = [&](scenario about, std::string_view model, auto run) {
    all.push_back({about, run, model, digest == nullptr ? "first" : digest});
  };
  const auto checked = [](void (*body)()) {
    return [body](const verify::options& o) { return verify::check(o, body); };
  };
  if (std::getenv("FIXTURE_CERTIFIED") != nullptr) {
    add({.name = "letterbox/letter_arrives", .claim = "a letter that is taken is whole"},
        "letterbox/claims", checked(letter_arrives));
    add({.name = "letterbox/letter_lies_open",
         .claim = "with no flag, a letter | two are written at once",
         .expected = violation::data_race},
        "letterbox/faults", checked(letter_lies_open));
    add({.name = "letterbox/many_letters", .nightly = true}, "larger", checked(letter_arrives));
    if (std::getenv("FIXTURE_BUFFERED") != nullptr) {
      add({.name = "letterbox/in_full"}, "letterbox/claims", checked([] { hand_over(1, true); }));
      add({.name = "letterbox/within"}, "letterbox/claims", checked([] { hand_over(3, false); }));
      add({.name = "letterbox/unresolved"}, "letterbox/claims", checked(hand_over_halves));
    }
    if (std::getenv("FIXTURE_UNREAD") != nullptr)
      add({.name = "letterbox/unread"}, "letterbox/claims", checked(hand_over_unread));
    if (std::getenv("FIXTURE_BROKEN") != nullptr) {
      add({.name = "letterbox/broken"}, "letterbox/claims",
          checked([] { require(false, "not so"); }));
    }
    return all;
  }
  add({.name = "mailbox/message_arrives"}, "mailbox",
      checked(message_arrives<parts::mailbox<policy>>));
  add({.name = "mailbox/is_taken"}, "mailbox", checked(mailbox_is_taken));
  add({.name = "tidy/message_arrives"}, "tidy", checked(message_arrives<parts::tidy<policy>>));
  add({.name = "named/message_arrives"}, "named", checked(message_arrives<parts::named<policy>>));
  add({.name = "named/peek"}, "named", checked([] { parts::named<policy>().peek(); }));
  add({.name = "stale/message_arrives"}, "stale", checked(stale_message));
  add({.name = "wide/meeting"}, "wide", checked(wide_meeting));
  add({.name = "handed/over"}, "handed", checked(handed_over));
  add({.name = "slow/raise"}, "slow", without_end);
  add({.name = "tidy_faults/broken", .expected = violation::assertion}, "tidy/faults",
      checked([] { require(false, "as it must be"); }));
  // Planted faults, published protocols and known bugs say nothing about the orders.
  for (const std::string_view model : {"mailbox/faults", "published/post", "known_bugs/post"}) {
    add({.name = "mailbox/forgets"}, model, checked(mailbox_forgets));
  }
  if (std::getenv("FIXTURE_BROKEN") != nullptr) {
    add({.name = "tidy/broken"}, "tidy", checked([] { require(false, "as it must not be"); }));
  }
  return all;
}

}  // namespace fencepost::cli
