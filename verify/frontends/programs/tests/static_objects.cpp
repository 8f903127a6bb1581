// Objects that the program destroys at its exit, and threads that nobody waits for: by the name in
// the first argument.
#include <condition_variable>
#include <thread>

#include "named_program.hpp"

namespace {

// A thread that goes on when main() has returned.
void beside_the_exit(auto body) { std::thread(body).detach(); }

std::condition_variable condition;
void condition_is_notified() {
  beside_the_exit([] { condition.notify_all(); });
}

constexpr named tests[] = {FENCEPOST_NAMED(condition_is_notified)};

}  // namespace

int main(int argc, char** argv) { return run_named(tests, argc, argv); }
