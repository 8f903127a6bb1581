// Sets of events and binary relations on them, as bits: for up to 64 × Words events.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace fencepost::axioms {

template <std::size_t Words>
class event_set {
 public:
  static constexpr std::size_t capacity = 64 * Words;

  void add(std::size_t e) noexcept { words_[e / 64] |= std::uint64_t{1} << e % 64; }
  bool has(std::size_t e) const noexcept { return (words_[e / 64] >> e % 64 & 1U) != 0; }
  bool empty() const noexcept {
    std::uint64_t any = 0;
    for (const std::uint64_t w : words_) any |= w;
    return any == 0;
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

  relation closure() const {  // +
    relation r = *this;
    for (std::size_t k = 0; k < n_; ++k) {
      if (r.rows_[k].empty()) continue;
      for (std::size_t i = 0; i < n_; ++i) {
        if (r.has(i, k)) r.rows_[i] |= r.rows_[k];
      }
    }
    return r;
  }

  // The same of a relation between members alone.
  relation closure(const std::vector<std::size_t>& members) const {
    relation r = *this;
    for (const std::size_t k : members) {
      for (const std::size_t i : members) {
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
  bool acyclic() const { return closure().irreflexive(); }

 private:
  static constexpr bool small = Words == 1;  // on the stack

  std::size_t n_;
  std::conditional_t<small, std::array<set, set::capacity>, std::vector<set>> rows_;
};

}  // namespace fencepost::axioms
