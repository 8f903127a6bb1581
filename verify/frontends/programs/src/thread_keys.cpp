#include "thread_keys.hpp"

#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <utility>

#include "c_library.hpp"
#include "program_memory.hpp"
#include "session.hpp"

namespace fencepost::programs {

void* thread_keys::get(unsigned key) const {
  const std::map<unsigned, void*>& own = entries_.here();
  const auto found = own.find(key);
  return found == own.end() || !contains(key) ? nullptr : found->second;
}

std::optional<thread_keys::entry> thread_keys::take_next(unsigned first) {
  std::map<unsigned, void*>& own = entries_.here();
  for (auto i = own.lower_bound(first); i != own.end(); ++i) {
    const auto found = destructors_.find(i->first);
    if (i->second != nullptr && found != destructors_.end() && found->second != nullptr)
      return entry{i->first, found->second, std::exchange(i->second, nullptr)};
  }
  return {};
}

namespace {

// Returns false if there was nothing to destroy.
bool destroy_each() {
  const auto next = [](unsigned first) {
    const entered s;
    return s->keys().take_next(first);
  };
  bool any = false;
  for (auto e = next(0); e; e = next(e->key + 1)) {
    any = true;
    e->destroy(e->what);
  }
  return any;
}

}  // namespace

// Repeats for what destructors have stored, as often and in the same order as the C library: round
// by round.
void destroy_specific() {
  if (const entered s; !s->keys().any()) return;
  for (unsigned i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_each(); ++i) {
  }
}

namespace {

unsigned make(session& s, thread_keys::destructor d, const source_location& where) {
  const unsigned key = s.next_in_order(where);
  s.keys().create(key, d);
  return key;
}

bool put(session& s, unsigned key, const void* p, const source_location& where) {
  if (!s.keys().contains(key)) return false;
  s.note_change(where);
  s.keys().set(key, const_cast<void*>(p));
  return true;
}

template <class Key>
void write(session& s, Key* to, unsigned key, const source_location& where) {
  write_value(s, to, static_cast<Key>(key), where);
}

}  // namespace

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
  return s->keys().remove(key) ? 0 : EINVAL;
}

int pthread_setspecific(pthread_key_t key, const void* p) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_setspecific)(key, p);
  return put(*s, key, p, s->place(FENCEPOST_CALL_SITE)) ? 0 : EINVAL;
}

void* pthread_getspecific(pthread_key_t key) noexcept {
  const entered s;
  return s ? s->keys().get(key) : FENCEPOST_BEHIND(pthread_getspecific)(key);
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
  s->keys().remove(key);
}

int tss_set(tss_t key, void* p) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(tss_set)(key, p);
  return put(*s, key, p, s->place(FENCEPOST_CALL_SITE)) ? thrd_success : thrd_error;
}

void* tss_get(tss_t key) {
  const entered s;
  return s ? s->keys().get(key) : FENCEPOST_BEHIND(tss_get)(key);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
