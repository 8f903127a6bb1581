// Small random programs, generated and shrunk by rapidcheck.
//
// A program is made from a list of instructions, each of which is a few numbers; shrinking takes
// these towards 0: no instruction, the first thread and location, relaxed, no condition.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

// For rapidcheck's messages, which require this name.
// NOLINTNEXTLINE(readability-identifier-naming)
inline void showValue(const program& p, std::ostream& out) { out << '\n' << to_litmus(p); }

namespace testing {

struct program_shape {
  int accesses = 8;        // at most, besides fences: the enumerator takes milliseconds for these
  int threads = 4;         // 2 … this many
  int locations = 3;       // 1 … this many
  bool weak = false;       // weak compare-exchanges too
  bool plain = false;      // plain accesses, to locations that may be atomic as well
  bool halves = false;     // some locations are words of halves
  bool branches = true;    // instructions that depend on what was read
  bool only_sc = false;    // every access and fence is sequentially consistent
  bool addresses = false;  // a pointer, and accesses through it or through a sum
};

struct instruction {
  int kind = 0;
  int thread = 0;
  int location = 0;
  int order = 0;
  int failure = 0;
  int operand = 0;
  int variation = 0;
  int guard = 0;
};

class program_builder {
 public:
  static constexpr int single_kinds = 20;  // of instructions; the kinds from there on are pairs
  static constexpr int all_kinds = 28;

  // If all orders were equally likely, most programs would synchronize too little to tell the
  // models apart: so each program has a taste.
  enum class taste : std::uint8_t { any, sequential, release_acquire, fences };

  program_builder(const program_shape& shape, int threads, int locations, int halves, taste likes)
      : shape_(shape), likes_(likes) {
    static constexpr std::array names = {"x", "y", "z", "w"};
    for (int i = 0; i < locations; ++i) {
      location l;
      l.name = names.at(static_cast<std::size_t>(i));
      l.kind = shape.halves && i >= halves ? location_kind::halves : location_kind::atomic;
      program_.locations.push_back(l);
    }
    if (shape.addresses) {
      pointer_ = static_cast<location_id>(program_.locations.size());
      program_.locations.push_back({"p", location_kind::atomic, address_of(0), true});
    }
    program_.name = "random";
    program_.threads.resize(static_cast<std::size_t>(threads));
    last_read_.resize(program_.threads.size());
    last_address_.resize(program_.threads.size());
    for (location_id t = 0; t < program_.threads.size(); ++t) {
      last_location_.push_back(t % static_cast<location_id>(locations));
    }
  }

  void add(const instruction& i) {
    const auto t = static_cast<std::size_t>(i.thread) % program_.threads.size();
    body_.clear();
    thread_ = t;
    const std::optional<register_id> guard = last_read_[t];
    if (i.kind < single_kinds) {
      emit(i);
    } else {
      emit_pair(i);
    }
    if (body_.empty()) return;
    auto& body = program_.threads[t].body;
    if (shape_.branches && guard && i.guard > 9) {
      branch b;
      b.condition = binary(i.guard % 2 != 0 ? operation::equal : operation::not_equal, reg(*guard),
                           constant(i.guard / 2 % 2));
      b.then = std::move(body_);
      body.push_back({std::move(b)});
      last_read_[t] = guard;  // the reads in the branch may not have been executed
      last_address_[t].reset();
    } else {
      std::move(body_.begin(), body_.end(), std::back_inserter(body));
    }
  }

  program finish() && {
    for (unsigned t = 0; t < program_.threads.size(); ++t) {
      for (register_id r = 0; r < program_.threads[t].registers.size(); ++r) {
        program_.displayed.push_back({t, r});
      }
    }
    for (location_id l = 0; l < program_.locations.size(); ++l) {
      program_.displayed.push_back({std::nullopt, l});
    }
    program_.condition.how = quantifier::exists;
    return std::move(program_);
  }

 private:
  enum class what : std::uint8_t { nothing, load, store, fetch, exchange, compare, fence };

  // Words of halves have no fetch or exchange, and get a compare-exchange instead.
  what decode(int kind, bool halves = false) const {
    if (halves && (kind == 14 || kind == 15)) return what::compare;
    if (likes_ == taste::fences && kind % 5 == 3) return what::fence;
    if (kind == 0) return what::nothing;
    if (kind <= 6) return what::load;
    if (kind <= 13) return what::store;
    if (kind == 14) return what::fetch;
    if (kind == 15) return what::exchange;
    if (kind <= 17) return what::compare;
    return what::fence;
  }

  // An order for an access that loads, stores or does both.
  access_order order(int number, bool load, bool store) const {
    using enum access_order;
    const access_order one_sided = load ? (store ? acq_rel : acquire) : release;
    const bool as_liked = number % 15 >= 5;
    if (shape_.only_sc) return seq_cst;
    if (likes_ == taste::sequential && as_liked) return seq_cst;
    if (likes_ == taste::release_acquire && as_liked) return one_sided;
    if (likes_ == taste::fences && as_liked) return relaxed;
    if (load && store) {
      return std::array{relaxed, seq_cst, acq_rel, acquire, release}.at(pick(number, 5));
    }
    return std::array{relaxed, seq_cst, one_sided}.at(pick(number, 3));
  }
  static std::size_t pick(int number, int of) { return static_cast<std::size_t>(number % of); }

  // Of twelve numbers, three choose a certain location, and nine one other than the thread's last:
  // threads that stay at one location reveal little about the order of several.
  location_id choose_location(int number) {
    const int count = static_cast<int>(program_.locations.size()) - (pointer_ ? 1 : 0);
    location_id& last = last_location_[thread_];
    if (number < 3 || count == 1) {
      last = static_cast<location_id>(number % count);
    } else {
      last = static_cast<location_id>((static_cast<int>(last) + 1 + number % (count - 1)) % count);
    }
    return last;
  }

  register_id fresh() {
    auto& registers = program_.threads[thread_].registers;
    registers.push_back({"r" + std::to_string(registers.size()), 0});
    return static_cast<register_id>(registers.size() - 1);
  }
  register_id read() {
    const register_id r = fresh();
    last_read_[thread_] = r;
    return r;
  }

  // A small constant, or the value read last, so that values depend on each other.
  expression operand(const instruction& i) const {
    if (i.operand > 5 && last_read_[thread_]) {
      return i.operand > 6 ? binary(operation::add, reg(*last_read_[thread_]), constant(1))
                           : reg(*last_read_[thread_]);
    }
    return constant(i.operand % 3 + 1);
  }

  // Two accesses to different locations, perhaps with a fence between them: the classic tests are
  // made of such pairs, and single instructions form them too rarely.
  void emit_pair(const instruction& i) {
    constexpr int load_kind = 1;
    constexpr int store_kind = 7;
    constexpr int fetch_kind = 14;
    const int idiom = i.kind - single_kinds;
    instruction first = i;
    instruction second = i;
    first.kind = idiom % 4 == 0 || idiom % 4 == 3 ? load_kind : store_kind;
    second.kind = idiom % 4 == 0 || idiom % 4 == 2 ? load_kind : store_kind;
    if (i.variation % 6 == 4) second.kind = fetch_kind;
    if (i.variation % 6 == 5) first.kind = fetch_kind;
    second.location = std::max(i.location, 3);
    second.operand = i.operand + 1;
    const bool fenced = idiom >= 4;
    if (fenced) first.order = second.order = i.failure == 0 ? 0 : i.order;  // mostly relaxed
    emit(first);
    if (fenced) {
      instruction between = i;
      between.kind = single_kinds - 1;
      emit(between);
    } else {
      second.order = i.order + i.failure;
    }
    emit(second);
  }

  void emit(const instruction& i) {
    if (decode(i.kind) != what::fence && ++accesses_ > shape_.accesses) return;
    if (pointer_ && i.variation < 4) return use_pointer(i);
    const location_id at = choose_location(i.location);
    const bool halves = program_.locations[at].kind == location_kind::halves;
    word_part part = word_part::whole;
    if (halves && i.variation % 3 == 1) part = word_part::low;
    if (halves && i.variation % 3 == 2) part = word_part::high;
    const bool plain = shape_.plain && !halves && i.variation > 9;
    switch (decode(i.kind, halves)) {
      case what::nothing: return;
      case what::load: {
        const access_order o = plain ? access_order::plain : order(i.order, true, false);
        body_.push_back({load{read(), at, o, part}});
        return;
      }
      case what::store: {
        const access_order o = plain ? access_order::plain : order(i.order, false, true);
        expression e = operand(i);
        // Both halves of the word differ from their initial value.
        if (halves && part == word_part::whole) e = whole(i.operand % 3 + 1, i.variation % 2 + 1);
        body_.push_back({store{at, std::move(e), o, part}});
        return;
      }
      case what::fetch:
        body_.push_back({modify{
            read(), at,
            std::array{rmw_operation::fetch_add, rmw_operation::fetch_xor, rmw_operation::fetch_or,
                       rmw_operation::fetch_and, rmw_operation::fetch_sub}
                .at(pick(i.variation, 5)),
            constant(i.operand % 2 + 1), order(i.order, true, true)}});
        return;
      case what::exchange: {
        expression stored = operand(i);  // before the result becomes the value read last
        body_.push_back({modify{read(), at, rmw_operation::exchange, std::move(stored),
                                order(i.order, true, true)}});
        return;
      }
      case what::compare: {
        compare_exchange c;
        c.at = at;
        c.weak = shape_.weak && i.variation % 4 == 3;
        const register_id expected = fresh();
        expression from = constant(i.variation % 3);
        if (halves) from = whole(i.variation % 3, i.operand % 2);
        if (i.operand > 4 && last_read_[thread_]) from = reg(*last_read_[thread_]);
        body_.push_back({assign{expected, std::move(from)}});
        c.expected = expected_register{expected};
        c.desired =
            halves ? whole(i.operand % 3 + 1, i.variation % 2 + 1) : constant(i.operand % 3 + 1);
        c.success = order(i.order, true, true);
        c.failure = order(i.failure, true, false);
        c.to = read();
        body_.push_back({std::move(c)});
        return;
      }
      case what::fence: {
        using enum access_order;
        const access_order o =
            std::array{seq_cst, acq_rel, acquire, release, seq_cst}.at(pick(i.order, 5));
        body_.push_back({fence{shape_.only_sc ? seq_cst : o}});
        return;
      }
    }
  }

  // Loads the pointer, or stores the address of some location in it; or accesses a location through
  // the address read last, or through one that seems to depend on the value read last.
  void use_pointer(const instruction& i) {
    const bool writes = i.kind % 2 == 1;
    const access_order o = order(i.order, !writes, writes);
    const std::optional<register_id> address = last_address_[thread_];
    const std::optional<register_id> number = last_read_[thread_];
    std::optional<expression> to;
    if (address && i.failure != 0) {
      to = reg(*address);
    } else if (number && i.failure == 1) {
      to = binary(operation::add, constant(address_of(choose_location(i.location))),
                  binary(operation::bit_xor, reg(*number), reg(*number)));
    }
    if (to && writes) {
      body_.push_back({store{0, operand(i), o, word_part::whole, std::move(to)}});
    } else if (to) {
      body_.push_back({load{read(), 0, o, word_part::whole, std::move(to)}});
    } else if (writes) {
      body_.push_back({store{*pointer_, constant(address_of(choose_location(i.location))), o}});
    } else {
      const register_id r = fresh();
      program_.threads[thread_].registers[r].pointer = true;
      last_address_[thread_] = r;
      body_.push_back({load{r, *pointer_, o}});
    }
  }

  static expression whole(value low, value high) { return constant(join_halves(low, high)); }

  program_shape shape_;
  taste likes_;
  program program_;
  std::size_t thread_ = 0;
  std::vector<statement> body_;
  int accesses_ = 0;
  std::vector<std::optional<register_id>> last_read_;  // by thread
  std::vector<location_id> last_location_;             // by thread
  std::optional<location_id> pointer_;
  std::vector<std::optional<register_id>> last_address_;  // by thread
};

inline rc::Gen<instruction> any_instruction() {
  const auto number = [](int below) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, below));
  };
  return rc::gen::build<instruction>(
      rc::gen::set(&instruction::kind, number(program_builder::all_kinds)),
      rc::gen::set(&instruction::thread, number(12)),
      rc::gen::set(&instruction::location, number(12)),
      rc::gen::set(&instruction::order, number(15)), rc::gen::set(&instruction::failure, number(3)),
      rc::gen::set(&instruction::operand, number(8)),
      rc::gen::set(&instruction::variation, number(12)),
      rc::gen::set(&instruction::guard, number(13)));
}

// Two programs in three begin as a cycle through the threads, each with one access or two, from its
// location to the next thread's: message passing, store buffering and the like.
inline instruction part_of_cycle(instruction i, int thread) {
  i.thread = thread;
  i.location = thread % 3;
  if (i.kind > 4) i.kind = program_builder::single_kinds + i.kind % 8;
  i.guard = 0;
  return i;
}

inline rc::Gen<program> any_program(const program_shape& shape) {
  const auto number = [](int below) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, below));
  };
  using list = std::vector<instruction>;
  return rc::gen::map(
      rc::gen::tuple(
          number(shape.threads - 1), number(4), number(2), number(4), number(3),
          rc::gen::container<list>(static_cast<std::size_t>(shape.accesses), any_instruction())),
      [shape](const std::tuple<int, int, int, int, int, list>& numbers) {
        const auto& [threads, locations, halves, likes, cycle, instructions] = numbers;
        const int most = std::array{1, 2, 2, 3}.at(static_cast<std::size_t>(locations));
        program_builder builder(shape, threads + 2, std::min(most, shape.locations), halves,
                                static_cast<program_builder::taste>(likes));
        for (std::size_t i = 0; i < instructions.size(); ++i) {
          const bool part = cycle > 0 && i < static_cast<std::size_t>(threads) + 2;
          builder.add(part ? part_of_cycle(instructions[i], static_cast<int>(i)) : instructions[i]);
        }
        return std::move(builder).finish();
      });
}

}  // namespace testing
}  // namespace fencepost::litmus
