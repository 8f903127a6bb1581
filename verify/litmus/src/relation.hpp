// Binary relations on at most 64 events, as bit matrices.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace fencepost::litmus {

using event_set = std::uint64_t;
inline constexpr std::size_t max_events = 64;

constexpr event_set just(std::size_t e) noexcept { return event_set{1} << e; }

template <class F>
void for_each(event_set s, F f) {
  for (; s != 0; s &= s - 1) f(static_cast<std::size_t>(std::countr_zero(s)));
}

class relation {
 public:
  explicit relation(std::size_t n) noexcept : n_(n) {
    for (std::size_t i = 0; i < n_; ++i) rows_[i] = 0;
  }

  static relation identity(std::size_t n, event_set on) noexcept {
    relation r(n);
    for_each(on, [&](std::size_t e) { r.rows_[e] = just(e); });
    return r;
  }

  void add(std::size_t from, std::size_t to) noexcept { rows_[from] |= just(to); }
  bool has(std::size_t from, std::size_t to) const noexcept {
    return (rows_[from] >> to & 1U) != 0;
  }
  event_set successors(std::size_t e) const noexcept { return rows_[e]; }

  friend relation operator|(relation a, const relation& b) noexcept {
    for (std::size_t i = 0; i < a.n_; ++i) a.rows_[i] |= b.rows_[i];
    return a;
  }
  friend relation operator&(relation a, const relation& b) noexcept {
    for (std::size_t i = 0; i < a.n_; ++i) a.rows_[i] &= b.rows_[i];
    return a;
  }
  friend relation operator-(relation a, const relation& b) noexcept {
    for (std::size_t i = 0; i < a.n_; ++i) a.rows_[i] &= ~b.rows_[i];
    return a;
  }
  // Composition: a, then b.
  friend relation operator*(const relation& a, const relation& b) noexcept {
    relation r(a.n_);
    for (std::size_t i = 0; i < a.n_; ++i) {
      for_each(a.rows_[i], [&](std::size_t j) { r.rows_[i] |= b.rows_[j]; });
    }
    return r;
  }
  friend bool operator==(const relation& a, const relation& b) noexcept {
    for (std::size_t i = 0; i < a.n_; ++i) {
      if (a.rows_[i] != b.rows_[i]) return false;
    }
    return a.n_ == b.n_;
  }

  relation inverse() const noexcept {
    relation r(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      for_each(rows_[i], [&](std::size_t j) { r.add(j, i); });
    }
    return r;
  }

  relation closure() const noexcept {  // +
    relation r = *this;
    for (std::size_t k = 0; k < n_; ++k) {
      for (std::size_t i = 0; i < n_; ++i) {
        if (r.has(i, k)) r.rows_[i] |= r.rows_[k];
      }
    }
    return r;
  }

  relation reflexive() const noexcept {  // ?
    relation r = *this;
    for (std::size_t i = 0; i < n_; ++i) r.add(i, i);
    return r;
  }

  // [from] ; r ; [to]
  relation between(event_set from, event_set to) const noexcept {
    relation r(n_);
    for_each(from, [&](std::size_t i) { r.rows_[i] = rows_[i] & to; });
    return r;
  }

  bool irreflexive() const noexcept {
    for (std::size_t i = 0; i < n_; ++i) {
      if (has(i, i)) return false;
    }
    return true;
  }
  bool acyclic() const noexcept { return closure().irreflexive(); }
  bool empty() const noexcept {
    for (std::size_t i = 0; i < n_; ++i) {
      if (rows_[i] != 0) return false;
    }
    return true;
  }

 private:
  std::size_t n_;
  std::array<event_set, max_events> rows_;
};

}  // namespace fencepost::litmus
