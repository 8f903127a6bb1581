// What a thread has by a key: pthread_getspecific(), tss_get() and their like. It is in no memory
// of the program.

#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "c_library.hpp"
#include "session.hpp"

namespace fencepost::programs {
namespace {

using destructor = void (*)(void*);

unsigned make(session& s, destructor d, const source_location& where) {
  const unsigned key = s.next_in_order(where);
  s.keys()[key] = d;
  return key;
}

bool put(session& s, unsigned key, const void* p, const source_location& where) {
  if (!s.keys().contains(key)) return false;
  s.note_change(where);
  s.specific()[key] = const_cast<void*>(p);
  return true;
}

void* get(session& s, unsigned key) {
  const auto found = s.specific().find(key);
  return found == s.specific().end() || !s.keys().contains(key) ? nullptr : found->second;
}

template <class Key>
void write(session& s, Key* to, unsigned key, const source_location& where) {
  s.write(to, sizeof *to, where);
  *to = key;
}

// One that has a destructor, and what the thread has by it, which it has no longer.
struct left {
  destructor destroy = nullptr;
  void* what = nullptr;
};
left next(session& s) {
  for (auto& [key, p] : s.specific()) {
    const auto found = s.keys().find(key);
    if (p == nullptr || found == s.keys().end() || found->second == nullptr) continue;
    return {found->second, std::exchange(p, nullptr)};
  }
  return {};
}

}  // namespace

// As often as the C library does it for those that destructors have put there; in its order, round
// by round.
void session::destroy_specific() {
  constexpr unsigned rounds = PTHREAD_DESTRUCTOR_ITERATIONS;
  for (unsigned i = 0; i < rounds; ++i) {
    std::vector<left> all;
    {
      const entered s;
      for (left l = next(*s); l.destroy != nullptr; l = next(*s)) all.push_back(l);
    }
    if (all.empty()) return;
    for (const left& l : all) l.destroy(l.what);
    const entered s;
    std::vector<left>().swap(all);
  }
}

}  // namespace fencepost::programs

using namespace fencepost::programs;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int pthread_key_create(pthread_key_t* to, void (*destroy)(void*)) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_key_create)(to, destroy);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  write(*s, to, make(*s, destroy, where), where);
  return 0;
}

int pthread_key_delete(pthread_key_t key) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_key_delete)(key);
  s->note_change(s->place(FENCEPOST_CALL_SITE));
  return s->keys().erase(key) == 1 ? 0 : EINVAL;
}

int pthread_setspecific(pthread_key_t key, const void* p) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_setspecific)(key, p);
  return put(*s, key, p, s->place(FENCEPOST_CALL_SITE)) ? 0 : EINVAL;
}

void* pthread_getspecific(pthread_key_t key) noexcept {
  const entered s;
  return s ? get(*s, key) : FENCEPOST_BEHIND(pthread_getspecific)(key);
}

int tss_create(tss_t* to, tss_dtor_t destroy) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(tss_create)(to, destroy);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  write(*s, to, make(*s, destroy, where), where);
  return thrd_success;
}

void tss_delete(tss_t key) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(tss_delete)(key);
  s->note_change(s->place(FENCEPOST_CALL_SITE));
  s->keys().erase(key);
}

int tss_set(tss_t key, void* p) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(tss_set)(key, p);
  return put(*s, key, p, s->place(FENCEPOST_CALL_SITE)) ? thrd_success : thrd_error;
}

void* tss_get(tss_t key) {
  const entered s;
  return s ? get(*s, key) : FENCEPOST_BEHIND(tss_get)(key);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
