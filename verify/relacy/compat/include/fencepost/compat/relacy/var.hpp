// rl::var, data that is not atomic, and rl::thread_local_var.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "fencepost/compat/relacy/atomic.hpp"
#include "fencepost/compat/relacy/base.hpp"

namespace rl {

template <class T>
class var;

// v($): the variable together with the source location of the access.
template <class T>
class var_proxy_const {
 public:
  var_proxy_const(const var<T>& v, debug_info_param info) : var_(v), info_(info) {}
  T load() const { return var_.load(info_); }
  operator T() const { return load(); }
  T operator->() const { return load(); }

 private:
  const var<T>& var_;
  debug_info info_;
};

template <class T>
class var_proxy {
 public:
  using difference = detail::difference<T>;

  var_proxy(var<T>& v, debug_info_param info) : var_(v), info_(info) {}
  var_proxy(const var_proxy&) = default;

  T load() const { return var_.load(info_); }
  operator T() const { return load(); }
  T operator->() const { return load(); }
  void store(T v) { var_.store(std::move(v), info_); }

  T operator=(T v) {
    store(v);
    return v;
  }
  T operator=(const var_proxy& other) { return *this = other.load(); }
  template <class U>
  T operator=(const var_proxy<U>& other) {
    return *this = static_cast<T>(other.load());
  }
  template <class U>
  T operator=(const var_proxy_const<U>& other) {
    return *this = static_cast<T>(other.load());
  }
  T operator++() { return *this += 1; }
  T operator--() { return *this -= 1; }
  T operator++(int) {
    T old = load();
    *this = detail::plus<T>(old, 1);
    return old;
  }
  T operator--(int) {
    T old = load();
    *this = detail::minus<T>(old, 1);
    return old;
  }
  T operator+=(difference n) { return *this = detail::plus<T>(load(), n); }
  T operator-=(difference n) { return *this = detail::minus<T>(load(), n); }
  T operator&=(T v) { return *this = static_cast<T>(load() & v); }
  T operator|=(T v) { return *this = static_cast<T>(load() | v); }
  T operator^=(T v) { return *this = static_cast<T>(load() ^ v); }

 private:
  var<T>& var_;
  debug_info info_;
};

// Every access is checked for races, and the first access must not be a read.
template <class T>
class var {
 public:
  var(debug_info_param info = debug_info::current()) : value_(), at_(declare(info)) {}
  var(T initial, debug_info_param info = debug_info::current())
      : value_(std::move(initial)), written_(true), at_(declare(info)) {}
  var(const var& other) : var(other.load({})) {}
  var& operator=(const var&) = delete;

  var_proxy_const<T> operator()(debug_info_param info) const { return {*this, info}; }
  var_proxy<T> operator()(debug_info_param info) { return {*this, info}; }

 private:
  friend class var_proxy<T>;
  friend class var_proxy_const<T>;

  fencepost::verify::location declare(debug_info_param info) {
    return detail::here().declare_plain(this, sizeof(T), false, info);
  }
  T load(debug_info_param info) const {
    detail::here().plain_read(at_.get(info), info);
    if (!written_)
      detail::fail(test_result_unitialized_access, detail::violation::misuse,
                   "a variable is read that was never given a value", info);
    return value_;
  }
  void store(T v, debug_info_param info) {
    detail::here().plain_write(at_.get(info), info);
    written_ = true;
    value_ = std::move(v);
  }

  T value_;
  bool written_ = false;
  fencepost::verify::detail::handle at_;
};

// One T for each thread, initially zero, of at most the size of a pointer. It may be a global.
template <class T>
class thread_local_var {
 public:
  class proxy {
   public:
    proxy(thread_local_var& v, debug_info_param info) : var_(v), info_(info) {}
    operator T() const { return var_.get(info_); }
    T operator->() const { return var_.get(info_); }
    proxy& operator=(T v) {
      var_.set(v, info_);
      return *this;
    }

   private:
    thread_local_var& var_;
    debug_info info_;
  };

  proxy operator()(debug_info_param info) { return {*this, info}; }
  T get(debug_info_param = debug_info::current()) { return mine(); }
  void set(T v, debug_info_param = debug_info::current()) { mine() = v; }

 private:
  T& mine() {
    fencepost::verify::engine& e = detail::here();
    slot& s = slots_[e.this_thread()];
    // Discards what an earlier run left.
    if (s.run != e.run_number() + 1) s = {e.run_number() + 1, T()};
    return s.value;
  }
  struct slot {
    std::uint64_t run = 0;
    T value = T();
  };
  slot slots_[detail::max_threads];
};

}  // namespace rl

#define VAR_T(...) ::rl::var<__VA_ARGS__>
#define TLS_T(...) ::rl::thread_local_var<__VA_ARGS__>
#define VAR(name) name($)
