// Messages between processes of one program: the number of bytes, then the bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "execute/part_result.hpp"

namespace fencepost::verify {

const char* kept_name(std::string_view file);

// What an example of an outcome is made of.
template <class T>
concept is_shown =
    std::is_same_v<T, step> || std::is_same_v<T, edge> || std::is_same_v<T, outcome_example>;

// Writes values one after the other; reading takes them in the same order.
class message_writer {
 public:
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(const T& v) {
    bytes_.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  void operator()(const std::string& s) {
    (*this)(s.size());
    bytes_ += s;
  }
  template <class T>
  void operator()(const std::vector<T>& all) {
    (*this)(all.size());
    for (const T& x : all) (*this)(x);
  }
  template <class T>
  void operator()(const std::optional<T>& x) {
    (*this)(x.has_value());
    if (x) (*this)(*x);
  }
  void operator()(const std::map<std::string, std::uint64_t>& all) {
    (*this)(all.size());
    for (const auto& [key, x] : all) {
      (*this)(key);
      (*this)(x);
    }
  }
  void operator()(const observation& o) {
    (*this)(o.of.owner);
    (*this)(o.of.ordinal);
    (*this)(o.what);
    (*this)(o.threads);
    (*this)(o.first);
  }
  void operator()(const source_location& where) {
    (*this)(std::string(where.file));
    (*this)(std::string(where.function));
    (*this)(where.line);
    (*this)(where.column);
  }
  template <class Shown>
  requires is_shown<Shown>
  void operator()(const Shown& x) { transfer(*this, x); }
  void operator()(const load_buffering_race& r) {
    (*this)(r.read);
    (*this)(r.write);
    (*this)(r.store);
  }
  void operator()(const changed_place& p) {
    (*this)(p.where);
    (*this)(p.runs);
  }
  void operator()(const access_place& p) {
    (*this)(p.where);
    (*this)(p.asked.what);
    (*this)(p.asked.success);
    (*this)(p.asked.failure);
    (*this)(p.asked.weak);
  }

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

class message_reader {
 public:
  explicit message_reader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void operator()(T& v) {
    std::memcpy(&v, take(sizeof v).data(), sizeof v);
  }
  void operator()(std::string& s) { s = take(number()); }
  template <class T>
  void operator()(std::vector<T>& all) {
    all.clear();
    for (std::size_t n = number(); n > 0; --n) (*this)(all.emplace_back());
  }
  template <class T>
  void operator()(std::optional<T>& x) {
    bool there = false;
    (*this)(there);
    x.reset();
    if (there) (*this)(x.emplace());
  }
  void operator()(std::map<std::string, std::uint64_t>& all) {
    all.clear();
    for (std::size_t n = number(); n > 0; --n) {
      std::string key;
      (*this)(key);
      (*this)(all[key]);
    }
  }
  void operator()(observation& o) {
    (*this)(o.of.owner);
    (*this)(o.of.ordinal);
    (*this)(o.what);
    (*this)(o.threads);
    (*this)(o.first);
  }
  void operator()(source_location& where) {
    std::string file, function;
    (*this)(file);
    (*this)(function);
    where.file = kept_name(file);
    where.function = kept_name(function);
    (*this)(where.line);
    (*this)(where.column);
  }
  template <class Shown>
  requires is_shown<Shown>
  void operator()(Shown& x) { transfer(*this, x); }
  void operator()(load_buffering_race& r) {
    (*this)(r.read);
    (*this)(r.write);
    (*this)(r.store);
  }
  void operator()(changed_place& p) {
    (*this)(p.where);
    (*this)(p.runs);
  }
  void operator()(access_place& p) {
    (*this)(p.where);
    (*this)(p.asked.what);
    (*this)(p.asked.success);
    (*this)(p.asked.failure);
    (*this)(p.asked.weak);
  }
  [[nodiscard]] bool is_at_end() const noexcept { return left_.empty(); }

 private:
  std::string_view take(std::size_t n) {
    if (n > left_.size()) throw std::runtime_error("a message is cut off");
    const std::string_view taken = left_.substr(0, n);
    left_.remove_prefix(n);
    return taken;
  }
  std::size_t number() {
    std::size_t n = 0;
    (*this)(n);
    return n;
  }

  std::string_view left_;
};

// Everything that has to be transferred, in the same order for writing and reading.
template <class Either, class Step>
void transfer(Either& by, Step& s) requires std::is_same_v<std::remove_const_t<Step>, step> {
  by(s.thread);
  by(s.kind);
  by(s.text);
  by(s.reads_from);
  by(s.location);
  by(s.value_read);
  by(s.value_written);
  by(s.where);
  by(s.order);
}

template <class Either, class Edge>
void transfer(Either& by, Edge& e) requires std::is_same_v<std::remove_const_t<Edge>, edge> {
  by(e.kind);
  by(e.from);
  by(e.to);
  by(e.location);
}

template <class Either, class Example>
void transfer(Either& by,
              Example& e) requires std::is_same_v<std::remove_const_t<Example>, outcome_example> {
  by(e.outcome);
  by(e.shown.steps);
  by(e.shown.edges);
  by(e.shown.threads);
}

template <class Either, class Part>
void transfer(Either& by, Part& p) requires std::is_same_v<std::remove_const_t<Part>, part> {
  by(p.after);
  by(p.last);
}

template <class Either, class Result>
void transfer(Either& by,
              Result& r) requires std::is_same_v<std::remove_const_t<Result>, part_result> {
  by(r.how);
  by(r.at);
  by(r.kind);
  by(r.text);
  by(r.examples);
  by(r.observed);
  auto& f = r.found;
  by(f.executions);
  by(f.blocked);
  by(f.cut);
  by(f.violations);
  by(f.digest);
  by(f.outcomes);
  by(f.places);
  by(f.race);
  by(f.threads);
  by(f.symmetric);
  by(f.from_beginning);
  by(f.changed);
  by(f.load_buffering);
  by(f.events);
  by(f.atomics);
  by(f.plain);
  bool rechecked = f.recheck.has_value();
  by(rechecked);
  if (!rechecked) return;
  if constexpr (!std::is_const_v<Result>) f.recheck.emplace();
  by(f.recheck->graphs);
  by(f.recheck->confirmed);
  by(f.recheck->rejected);
  by(f.recheck->not_held);
  by(f.recheck->why);
  by(f.recheck->graph);
}

}  // namespace fencepost::verify
