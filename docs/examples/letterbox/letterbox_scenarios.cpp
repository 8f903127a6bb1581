// The claims of the letterbox, and a letterbox with a mistake, which must be found.
#include "letterbox.hpp"

#include "fencepost/cli/scenarios.hpp"

namespace {

using fencepost::require;
using fencepost::scenario;
using fencepost::violation;

// [scenarios]
template <class P>
struct letter_arrives {
  static constexpr auto about = scenario{.name = "letterbox/letter_arrives",
                                         .threads = 2,
                                         .claim = "A letter is whole when it is taken."};
  letterbox<P> box;
  void thread(unsigned index) {
    int letter = 0;
    if (index == 0)
      box.put(42);
    else if (box.take(letter))
      require(letter == 42, "it is the letter that was put");
  }
};
// [scenarios]

template <class P>
struct letters_keep_their_order {
  static constexpr auto about =
      scenario{.name = "letterbox/letters_keep_their_order",
               .threads = 2,
               .claim = "Letters are taken in the order in which they were put, each once."};
  letterbox<P> box;
  void thread(unsigned index) {
    int letter = 0;
    if (index == 0) {
      if (box.put(1)) box.put(2);
      return;
    }
    if (!box.take(letter)) return;
    require(letter == 1, "the first letter comes first");
    if (box.take(letter)) require(letter == 2, "and then the second");
  }
};

// It raises its flag before the letter is in the slot.
template <class P>
class hasty_letterbox {
 public:
  void put(int letter) {
    is_full_.store(true, std::memory_order_release);
    slot_.set(letter);
  }
  bool take(int& letter) {
    if (!is_full_.load(std::memory_order_acquire)) return false;
    letter = slot_.get();
    return true;
  }

 private:
  typename P::template atomic<bool> is_full_{false};
  typename P::template plain<int> slot_{0};
};

template <class P>
struct hasty_letter {
  static constexpr auto about = scenario{.name = "letterbox/hasty_letter",
                                         .threads = 2,
                                         .claim = "The flag goes up before the letter is there.",
                                         .expected = violation::data_race};
  hasty_letterbox<P> box;
  void thread(unsigned index) {
    int letter = 0;
    if (index == 0)
      box.put(42);
    else
      box.take(letter);
  }
};

// [registered]
using letterbox_scenarios =
    fencepost::models::scenario_list<letter_arrives, letters_keep_their_order, hasty_letter>;
const fencepost::cli::scenarios registered(letterbox_scenarios{});
// [registered]

}  // namespace
