// fork_join and thread_pool; one thread; and the usual hand-written pool: threads, a std::deque, a
// mutex and a condition variable.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <thread>

#include "../fork_join/many.hpp"
#include "../task_programs.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct one_thread {
  explicit one_thread(unsigned) {}
  totals scan(const std::string& path) {
    const listing here = list(path);
    totals sum = here.own;
    for (const std::string& each : here.below) sum += scan(each);
    return sum;
  }
};

struct with_fork_join {
  fork_join pool;
  explicit with_fork_join(unsigned workers)
      : pool{[workers] {
          fork_join_options options;
          options.workers = workers;
          return options;
        }()} {}
  using folders = std::span<const std::string>;

  static totals visit_all(fork_join_worker& me, folders all) {
    if (all.empty()) return {};
    auto first =
        me.spawn([&path = all.front()](fork_join_worker& worker) { return visit(worker, path); });
    totals sum = visit_all(me, all.subspan(1));
    sum += me.sync(first);
    return sum;
  }
  static totals visit(fork_join_worker& me, const std::string& path) {
    const listing here = list(path);
    totals sum = here.own;
    sum += visit_all(me, here.below);
    return sum;
  }
  totals scan(const std::string& path) {
    return pool.run([&](fork_join_worker& me) { return visit(me, path); });
  }
};

struct with_thread_pool {
  thread_pool pool;
  explicit with_thread_pool(unsigned workers) : pool{thread_pool_options{.workers = workers}} {}

  template <class F, class G>
  void both(const F& f, const G& g) {
    pool.join(f, g);
  }
  totals visit(const std::string& path) {
    const listing here = list(path);
    totals sum = here.own;
    sum += sum_of_halves(*this, 0, static_cast<std::uint32_t>(here.below.size()),
                         [&](std::uint32_t i) { return visit(here.below[i]); });
    return sum;
  }
  totals scan(const std::string& path) {
    return pool.call([&] { return visit(path); });
  }
};

class with_mutex_pool {
 public:
  explicit with_mutex_pool(unsigned workers) {
    for (unsigned i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }
  with_mutex_pool(const with_mutex_pool&) = delete;
  with_mutex_pool& operator=(const with_mutex_pool&) = delete;
  ~with_mutex_pool() {
    {
      const std::lock_guard lock{mutex_};
      stopping_ = true;
    }
    work_or_stop_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  totals scan(const std::string& path) {
    std::unique_lock lock{mutex_};
    sum_ = {};
    open_ = 1;
    paths_.push_back(path);
    work_or_stop_.notify_one();
    done_.wait(lock, [this] { return open_ == 0; });
    return sum_;
  }

 private:
  void work() {
    std::unique_lock lock{mutex_};
    for (;;) {
      work_or_stop_.wait(lock, [this] { return stopping_ || !paths_.empty(); });
      if (stopping_) return;
      const std::string path = std::move(paths_.front());
      paths_.pop_front();
      lock.unlock();
      listing here = list(path);
      lock.lock();
      sum_ += here.own;
      open_ += here.below.size();
      for (std::string& each : here.below) {
        paths_.push_back(std::move(each));
        work_or_stop_.notify_one();
      }
      if (--open_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable work_or_stop_, done_;
  std::deque<std::string> paths_;
  std::size_t open_ = 0;  // directories that are not done
  totals sum_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

[[maybe_unused]] const bool registered = register_scanner<one_thread>("one_thread", true) &&
                                         register_scanner<with_fork_join>("fork_join") &&
                                         register_scanner<with_thread_pool>("thread_pool") &&
                                         register_scanner<with_mutex_pool>("mutex_pool");

}  // namespace
}  // namespace fencepost::bench::peers
