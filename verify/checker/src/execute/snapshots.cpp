#include "execute/snapshots.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "execute/address_sanitizer.hpp"

namespace fencepost::verify {

namespace {

using state = model_thread::state;
using kind = piece::kind;

#ifdef FENCEPOST_ASAN
// Frames have parts that must not be touched, and memcpy() checks for that.
__attribute__((no_sanitize("address"))) void copy_bytes(char* to, const char* from, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) const_cast<volatile char*>(to)[i] = from[i];
}
void append_bytes(std::vector<char>& to, const char* from, std::size_t n) {
  to.resize(to.size() + n);
  copy_bytes(to.data() + to.size() - n, from, n);
}
__attribute__((no_sanitize("address"))) bool same_bytes(const char* a, const char* b,
                                                        std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (const_cast<const volatile char*>(a)[i] != b[i]) return false;
  return true;
}
#else
void copy_bytes(char* to, const char* from, std::size_t n) { std::memcpy(to, from, n); }
void append_bytes(std::vector<char>& to, const char* from, std::size_t n) {
  to.insert(to.end(), from, from + n);
}
bool same_bytes(const char* a, const char* b, std::size_t n) { return std::memcmp(a, b, n) == 0; }
#endif

std::size_t size_above(const char* begin, const fiber_stack& stack) noexcept {
  return static_cast<std::size_t>(static_cast<const char*>(stack.top()) - begin);
}

std::string in_words(const piece& p) {
  const std::string thread = std::to_string(p.thread);
  switch (p.what) {
    case kind::stack: return "the stack of thread " + thread;
    case kind::block: return "allocation " + std::to_string(p.ordinal + 1) + " of thread " + thread;
    case kind::variables: break;
  }
  return "the program's variables";
}

std::string changed_bytes(const char* was, const char* is, std::size_t size,
                          const std::string& where) {
  std::size_t first = size, last = 0;
  for (std::size_t n = 0; n < size; ++n) {
    if (same_bytes(was + n, is + n, 1)) continue;
    first = std::min(first, n);
    last = n;
  }
  return first == size ? std::string()
                       : "each turn changes bytes " + std::to_string(first) + " to " +
                             std::to_string(last) + " of " + where;
}

// Returns the index at which the copy has the byte at an address in this piece, or the size of the
// copy if it does not have it.
std::size_t place_of(const memory_copy& m, const piece& in, const char* byte) noexcept {
  std::size_t at = 0;
  for (const piece& p : m.pieces) {
    const bool same = p.what == in.what && p.thread == in.thread && p.ordinal == in.ordinal;
    if (same && byte >= p.begin && byte < p.begin + p.size)
      return at + static_cast<std::size_t>(byte - p.begin);
    at += p.size;
  }
  return m.bytes.size();
}

}  // namespace

bool take_in(memory_copy& then, const memory_copy& left, const memory_copy& now) {
  if (then.pieces != left.pieces) return false;
  std::vector<char> bytes = now.bytes;
  std::size_t at = 0;
  for (const piece& p : left.pieces) {
    for (std::size_t i = 0; i < p.size; ++i, ++at) {
      if (then.bytes[at] == left.bytes[at]) continue;
      const std::size_t to = place_of(now, p, p.begin + i);
      if (to == bytes.size() || now.bytes[to] != left.bytes[at]) return false;
      bytes[to] = then.bytes[at];
    }
  }
  then.pieces = now.pieces;
  then.bytes = std::move(bytes);
  return true;
}

// Calls `f` with all that the running thread can have changed besides its own stack.
template <class F>
void snapshots::for_each_piece(F&& f) const {
  for (unsigned u = 0; u < threads_.created(); ++u) {
    const state at = threads_[u].at;
    if (u == fibers_.running() || at == state::unused || at == state::finished) continue;
    const char* const live = fibers_.live(u);
    f(piece{kind::stack, u, 0, live, size_above(live, fibers_.stack(u))});
  }
  arena_.for_each_live([&](const arena::block& b) {
    f(piece{kind::block, b.thread, b.ordinal, reinterpret_cast<const char*>(&b + 1), b.size});
  });
  for (const std::span<char> v : program_variables::all)
    f(piece{kind::variables, 0, 0, v.data(), v.size()});
}

void snapshots::copy_memory(memory_copy& m) const {
  m.pieces.clear();
  m.bytes.clear();
  for_each_piece([&](const piece& p) {
    m.pieces.push_back(p);
    append_bytes(m.bytes, p.begin, p.size);
  });
}

bool snapshots::same_memory(const memory_copy& m) const {
  std::size_t i = 0, at = 0;
  bool same = true;
  for_each_piece([&](const piece& p) {
    same = same && i < m.pieces.size() && p == m.pieces[i] &&
           same_bytes(m.bytes.data() + at, p.begin, p.size);
    ++i;
    at += p.size;
  });
  return same && i == m.pieces.size();
}

void snapshots::copy_thread(snapshot& s) const {
  const unsigned self = fibers_.running();
  s.live = fibers_.live(self);
  s.begin = fibers_.compared();
  s.stack.clear();
  append_bytes(s.stack, s.begin, size_above(s.begin, fibers_.stack(self)));
  s.constructed = threads_[self].constructed;
  s.next = arena_.mark(self);
}

bool snapshots::same_thread(const snapshot& s) const {
  const unsigned self = fibers_.running();
  return fibers_.live(self) == s.live && fibers_.compared() == s.begin &&
         threads_[self].constructed == s.constructed &&
         same_bytes(s.stack.data(), s.begin, s.stack.size());
}

bool snapshots::take_in_stack(snapshot& then, const snapshot& left) const {
  const char* const from = std::max(then.begin, left.begin);
  const auto in = [&](const snapshot& s) { return s.stack.data() + (from - s.begin); };
  const std::size_t size = size_above(from, fibers_.stack(fibers_.running()));
  if (same_bytes(in(left), from, size)) return true;
  char* const was = then.stack.data() + (from - then.begin);
  for (std::size_t i = 0; i < size; ++i) {
    if (same_bytes(in(left) + i, from + i, 1)) continue;
    if (was[i] != in(left)[i]) return false;
    copy_bytes(was + i, from + i, 1);
  }
  return true;
}

std::string snapshots::difference(const snapshot& s, const memory_copy& m) const {
  const unsigned self = fibers_.running();
  if (fibers_.live(self) != s.live || fibers_.compared() != s.begin)
    return "its turns are at different depths of the stack";
  std::string text =
      changed_bytes(s.stack.data(), s.begin, s.stack.size(),
                    "its own stack (registers come first, then the innermost frame)");
  if (!text.empty() && arena_.mark(self).ordinal != s.next.ordinal)
    text += "; each turn allocates memory, at a new address";
  if (!text.empty()) return text;
  std::size_t i = 0, at = 0;
  for_each_piece([&](const piece& p) {
    if (!text.empty()) return;
    if (i >= m.pieces.size() || p != m.pieces[i]) {
      text = "the blocks of memory are not those of the turn before";
      return;
    }
    text = changed_bytes(m.bytes.data() + at, p.begin, p.size, in_words(p));
    ++i;
    at += p.size;
  });
  if (text.empty() && arena_.mark(self).ordinal != s.next.ordinal)
    text = "each turn allocates memory, at a new address";
  else if (text.empty() && threads_[self].constructed != s.constructed)
    text = "each turn constructs objects";
  return text;
}

}  // namespace fencepost::verify
