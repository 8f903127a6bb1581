// How many workers a thread_pool has, and how they work and sleep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/worker_thread.hpp"
#include "fencepost/sync/sleep_options.hpp"

namespace fencepost {

struct thread_pool_options {
  std::optional<std::uint32_t> workers = {};  // not set: as many as the machine has processors
  sleep_options sleep = {};                   // how long idle workers search before they sleep
  // After so many jobs of a worker, other than by join(), one is taken out of turn: an external
  // one, another worker's, or its own oldest. 0: never, and a job that submits itself again may
  // keep such jobs waiting for ever.
  std::uint32_t out_of_turn = pool_core<>::default_out_of_turn;
  // Receives an exception that leaves a posted job, on the worker that ran it. Must not throw.
  std::function<void(std::exception_ptr)> on_exception = {};
  std::size_t stack = worker_thread_options{}.stack;  // bytes of address space of each worker
  std::string name =
      "fencepost";  // its threads are called name-0, name-1, …; empty: as the program
  std::size_t trace_events = 1u << 16;  // the last events kept of each worker, if traced
};

}  // namespace fencepost
