#include "fencepost/litmus/test_runs.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

namespace fencepost::litmus {

namespace {

// Returns the largest bound of the loops of a body.
unsigned loop_bound(const std::vector<statement>& body) {
  unsigned bound = 0;
  for (const statement& s : body) {
    if (const auto* l = std::get_if<loop>(&s.what)) {
      bound = std::max({bound, l->bound, loop_bound(l->body), loop_bound(l->before)});
    } else if (const auto* b = std::get_if<branch>(&s.what)) {
      bound = std::max({bound, loop_bound(b->then), loop_bound(b->otherwise)});
    }
  }
  return bound;
}

test_result run_one(const std::filesystem::path& file, const solver& solve,
                    const run_options& options) {
  test_result r;
  r.file = file.string();
  const auto begin = std::chrono::steady_clock::now();
  try {
    r.test = options.read ? parse(options.read(file), file.string(), options.parse)
                          : parse_file(file, options.parse);
    r.outcomes = solve(r.test);
  } catch (const parse_error& e) {
    r.error = e.what();
  } catch (const std::bad_alloc&) {
    r.error = r.file + ": no memory is left";
  } catch (const std::exception& e) {
    r.error = r.file + ": " + e.what();
  }
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (r.outcomes.cut) {
    unsigned bound = 0;
    for (const thread& t : r.test.threads) bound = std::max(bound, loop_bound(t.body));
    r.warnings += r.file + ": a while loop reached its bound of " + std::to_string(bound) +
                  " iterations; executions with more are left out\n";
  }
  if (r.error.empty() && r.outcomes.load_buffering &&
      (r.outcomes.positive == 0 || r.outcomes.negative == 0)) {
    r.warnings += r.file +
                  ": load buffering is not explored: an outcome that is not found may be allowed "
                  "by ISO C++, and observed on ARM\n";
  }
  if (!r.outcomes.limit.empty()) {
    r.warnings += r.file + ": incomplete: " + r.outcomes.limit + '\n';
  }
  return r;
}

}  // namespace

int exit_status(const std::vector<test_result>& results) noexcept {
  int status = 0;
  for (const test_result& r : results) {
    if (!r.error.empty()) return 2;
    if (!r.outcomes.limit.empty()) status = 3;
  }
  return status;
}

std::vector<std::filesystem::path> find_tests(const std::vector<std::filesystem::path>& paths) {
  namespace fs = std::filesystem;
  std::vector<fs::path> all;
  for (const fs::path& path : paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
      throw parse_error(path.string(), 0, 0, "no such file or folder");
    }
    if (!fs::is_directory(status)) {
      all.push_back(path);
      continue;
    }
    if (fs::directory_iterator(path, error); error) {
      throw parse_error(path.string(), 0, 0, "cannot be read: " + error.message());
    }
    std::vector<fs::path> found;
    auto it = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied,
                                               error);
    for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
      if (it->path().extension() == ".litmus" && !it->is_directory(error)) {
        found.push_back(it->path());
      }
    }
    if (found.empty()) throw parse_error(path.string(), 0, 0, "has no .litmus file");
    std::sort(found.begin(), found.end());
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

std::vector<test_result> run_tests(const std::vector<std::filesystem::path>& files,
                                   const solver& solve, const run_options& options,
                                   const std::function<void(const test_result&)>& on_result) {
  std::vector<test_result> results(files.size());
  std::vector<bool> ready(files.size(), false);
  std::size_t told = 0;
  std::mutex telling;
  std::atomic<std::size_t> next{0};
  std::exception_ptr refused;  // what on_result threw
  const auto work = [&] {
    // relaxed: the counter only hands out indices; results are published by the mutex below.
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < files.size();) {
      test_result r = run_one(files[i], solve, options);
      const std::lock_guard lock(telling);
      results[i] = std::move(r);
      ready[i] = true;
      for (; on_result && !refused && told < files.size() && ready[told]; ++told) {
        try {
          on_result(results[told]);
        } catch (...) {
          refused = std::current_exception();
          next.store(files.size(), std::memory_order_relaxed);
        }
      }
    }
  };
  std::vector<std::jthread> helpers;
  const std::size_t jobs =
      std::clamp<std::size_t>(options.jobs, 1, std::max<std::size_t>(files.size(), 1));
  for (std::size_t i = 1; i < jobs; ++i) helpers.emplace_back(work);
  work();
  helpers.clear();  // joins
  if (refused) std::rethrow_exception(refused);
  return results;
}

}  // namespace fencepost::litmus
