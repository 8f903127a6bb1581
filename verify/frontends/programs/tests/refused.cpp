// A program that uses much that is not modelled: none of it may run.
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <future>
#include <locale>
#include <memory_resource>
#include <mutex>
#include <random>
#include <semaphore>
#include <shared_mutex>
#include <sstream>
#include <thread>

thread_local int own = 0;
std::counting_semaphore<4> semaphore(1);
std::once_flag once;
std::shared_mutex shared;
std::atomic<int> word{0};
pthread_barrier_t barrier;
sem_t posix_semaphore;

struct own_buffer : std::streambuf {
} buffer;

const bool began = (std::puts("a constructor has run"), true);

int main() {
  std::puts("main has run");
  thrd_t thread;
  thrd_create(
      &thread, [](void*) { return ++own; }, nullptr);
  if (own == 1) thrd_exit(0);
  semaphore.acquire();
  std::call_once(once, [] {});
  shared.lock();
  word.wait(1);
  pthread_barrier_wait(&barrier);
  sem_wait(&posix_semaphore);
  std::async([] { return 1; }).get();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::wostringstream wide;
  std::locale::global(std::locale("C"));
  std::pmr::synchronized_pool_resource resource;
  std::random_device random;
  std::fopen("file", "r");
  (void)std::filesystem::exists("file");
  std::set_terminate([] {});
  if (fork() == 0) pthread_exit(nullptr);
  pthread_cancel(pthread_self());
  fesetround(FE_UPWARD);
  return static_cast<int>(std::chrono::steady_clock::now().time_since_epoch().count() + rand() +
                          static_cast<int>(random()));
}
