// Functions that are given an address without memory; the first argument names the case.
#include <pthread.h>

#include <atomic>
#include <ctime>

#include "named_program.hpp"

namespace {

// Returns null, which no compiler can deduce.
template <class T>
T* none() {
  static T* volatile null = nullptr;
  return null;
}

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

void of_what_is_expected() {
  static std::atomic<long> number{0};
  number.compare_exchange_strong(*none<long>(), 1);
}
void of_a_handle() {
  pthread_create(
      none<pthread_t>(), nullptr, [](void* p) { return p; }, nullptr);
}
void of_a_mutex() { pthread_cond_wait(&condition, none<pthread_mutex_t>()); }
void of_a_time() { pthread_mutex_timedlock(&mutex, none<timespec>()); }
void of_a_name() { pthread_setname_np(pthread_self(), none<char>()); }

constexpr named tests[] = {FENCEPOST_NAMED(of_what_is_expected), FENCEPOST_NAMED(of_a_handle),
                           FENCEPOST_NAMED(of_a_mutex), FENCEPOST_NAMED(of_a_time),
                           FENCEPOST_NAMED(of_a_name)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
