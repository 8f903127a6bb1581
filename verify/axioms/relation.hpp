// Sets of events and binary relations on them, as bits: for up to 64 × Words events.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace fencepost::axioms {

template <std::size_t Words>
class event_set {
 public:
  static constexpr std::size_t capacity = 64 * Words;

  void add(std::size_t e) noexcept { words_[e / 64] |= std::uint64_t{1} << e % 64; }
  void remove(std::size_t e) noexcept { words_[e / 64] &= ~(std::uint64_t{1} << e % 64); }
  bool has(std::size_t e) const noexcept { return (words_[e / 64] >> e % 64 & 1U) != 0; }
  bool empty() const noexcept {
    std::uint64_t any = 0;
    for (const std::uint64_t w : words_) any |= w;
    return any == 0;
  }

  // The least member, or `capacity` if there is none.
  std::size_t first() const noexcept {
    for (std::size_t i = 0; i < Words; ++i) {
      if (words_[i] != 0) return 64 * i + static_cast<std::size_t>(std::countr_zero(words_[i]));
    }
    return capacity;
  }

  event_set& operator|=(const event_set& other) noexcept {
    for (std::size_t i = 0; i < Words; ++i) words_[i] |= other.words_[i];
    return *this;
  }
  event_set& operator&=(const event_set& other) noexcept {
    for (std::size_t i = 0; i < Words; ++i) words_[i] &= other.words_[i];
    return *this;
  }
  event_set& operator-=(const event_set& other) noexcept {
    for (std::size_t i = 0; i < Words; ++i) words_[i] &= ~other.words_[i];
    return *this;
  }
  friend event_set operator|(event_set a, const event_set& b) noexcept { return a |= b; }
  friend event_set operator&(event_set a, const event_set& b) noexcept { return a &= b; }
  friend event_set operator-(event_set a, const event_set& b) noexcept { return a -= b; }
  friend bool operator==(const event_set&, const event_set&) = default;

  template <class F>
  void for_each(F f) const {
    for (std::size_t i = 0; i < Words; ++i) {
      for (std::uint64_t w = words_[i]; w != 0; w &= w - 1) {
        f(64 * i + static_cast<std::size_t>(std::countr_zero(w)));
      }
    }
  }

 private:
  std::array<std::uint64_t, Words> words_{};
};

// The rows of a large relation. Their memory is kept for the next one: returning it to the system
// and getting it again, page by page, takes as much time as the axioms.
template <class Set>
class kept_rows {
 public:
  kept_rows() = default;
  kept_rows(const kept_rows& other) : all_(taken()) { all_ = other.all_; }
  kept_rows(kept_rows&& other) noexcept : all_(std::move(other.all_)) {}
  kept_rows& operator=(const kept_rows& other) = default;
  kept_rows& operator=(kept_rows&& other) noexcept { return all_.swap(other.all_), *this; }
  ~kept_rows() {
    if (all_.capacity() != 0 && spare().size() < most) spare().push_back(std::move(all_));
  }

  void resize(std::size_t n) {
    if (all_.capacity() == 0) all_ = taken();
    all_.assign(n, Set{});
  }
  Set& operator[](std::size_t i) noexcept { return all_[i]; }
  const Set& operator[](std::size_t i) const noexcept { return all_[i]; }

 private:
  static constexpr std::size_t most = 32;

  static std::vector<std::vector<Set>>& spare() {
    thread_local std::vector<std::vector<Set>> all = [] {
      std::vector<std::vector<Set>> none;
      none.reserve(most);
      return none;
    }();
    return all;
  }
  static std::vector<Set> taken() {
    auto& all = spare();
    if (all.empty()) return {};
    std::vector<Set> last = std::move(all.back());
    all.pop_back();
    return last;
  }

  std::vector<Set> all_;
};

template <std::size_t Words>
class relation {
 public:
  using set = event_set<Words>;

  explicit relation(std::size_t n) : n_(n) {
    if constexpr (small) {
      for (std::size_t i = 0; i < n_; ++i) rows_[i] = {};
    } else {
      rows_.resize(n_);
    }
  }

  static relation identity(std::size_t n, const set& on) {
    relation r(n);
    on.for_each([&](std::size_t e) { r.rows_[e].add(e); });
    return r;
  }

  void add(std::size_t from, std::size_t to) noexcept { rows_[from].add(to); }
  void add(std::size_t from, const set& to) noexcept { rows_[from] |= to; }
  bool has(std::size_t from, std::size_t to) const noexcept { return rows_[from].has(to); }
  const set& successors(std::size_t e) const noexcept { return rows_[e]; }

  relation& operator|=(const relation& other) noexcept {
    for (std::size_t i = 0; i < n_; ++i) rows_[i] |= other.rows_[i];
    return *this;
  }
  friend relation operator|(relation a, const relation& b) noexcept { return a |= b; }
  friend relation operator&(relation a, const relation& b) noexcept {
    for (std::size_t i = 0; i < a.n_; ++i) a.rows_[i] &= b.rows_[i];
    return a;
  }
  friend relation operator-(relation a, const relation& b) noexcept {
    for (std::size_t i = 0; i < a.n_; ++i) a.rows_[i] -= b.rows_[i];
    return a;
  }
  // Composition: a, then b.
  friend relation operator*(const relation& a, const relation& b) {
    relation r(a.n_);
    for (std::size_t i = 0; i < a.n_; ++i) {
      a.rows_[i].for_each([&](std::size_t j) { r.rows_[i] |= b.rows_[j]; });
    }
    return r;
  }
  friend bool operator==(const relation& a, const relation& b) noexcept {
    for (std::size_t i = 0; i < a.n_; ++i) {
      if (!(a.rows_[i] == b.rows_[i])) return false;
    }
    return a.n_ == b.n_;
  }

  relation inverse() const {
    relation r(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      rows_[i].for_each([&](std::size_t j) { r.add(j, i); });
    }
    return r;
  }

  // The transitive closure, +.
  relation closure() const {
    relation r = *this;
    if (const auto order = successors_first()) {
      for (const std::size_t e : *order) {
        set direct = rows_[e];
        for (std::size_t next = direct.first(); next != set::capacity; next = direct.first()) {
          r.rows_[e] |= r.rows_[next];
          direct.remove(next);
          direct -= r.rows_[next];
        }
      }
      return r;
    }
    for (std::size_t k = 0; k < n_; ++k) {
      if (r.rows_[k].empty()) continue;
      for (std::size_t i = 0; i < n_; ++i) {
        if (r.has(i, k)) r.rows_[i] |= r.rows_[k];
      }
    }
    return r;
  }

  relation reflexive() const {  // ?
    relation r = *this;
    for (std::size_t i = 0; i < n_; ++i) r.add(i, i);
    return r;
  }

  // [from] ; r ; [to]
  relation between(const set& from, const set& to) const {
    relation r(n_);
    from.for_each([&](std::size_t i) { r.rows_[i] = rows_[i] & to; });
    return r;
  }

  bool irreflexive() const noexcept {
    for (std::size_t i = 0; i < n_; ++i) {
      if (has(i, i)) return false;
    }
    return true;
  }
  bool acyclic() const { return successors_first().has_value(); }

 private:
  static constexpr bool small = Words == 1;  // on the stack

  // All events, each after its successors; none if there is a cycle.
  std::optional<std::vector<std::size_t>> successors_first() const {
    std::vector<std::size_t> order;
    order.reserve(n_);
    set unvisited;
    for (std::size_t e = 0; e < n_; ++e) unvisited.add(e);
    set on_path;
    std::vector<std::size_t> path;
    while (order.size() < n_) {
      std::size_t next =
          path.empty() ? unvisited.first() : (rows_[path.back()] & unvisited).first();
      if (next == set::capacity) {
        on_path.remove(path.back());
        order.push_back(path.back());
        path.pop_back();
        continue;
      }
      unvisited.remove(next);
      on_path.add(next);
      if (!(rows_[next] & on_path).empty()) return std::nullopt;
      path.push_back(next);
    }
    return order;
  }

  std::size_t n_;
  std::conditional_t<small, std::array<set, set::capacity>, kept_rows<set>> rows_;
};

}  // namespace fencepost::axioms
