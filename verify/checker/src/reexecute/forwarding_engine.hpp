// An engine between the front end and the explorer: forwards what the derived class does not
// handle, and knows which locations the program has declared in the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "execute/explorer.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify {

class forwarding_engine : public engine {
 public:
  location declare(const void* a, std::size_t n, value v, source_location w) override {
    return declared(explorer_->declare(a, n, v, w));
  }
  location declare_unknown(const void* a, std::size_t n, source_location w) override {
    return declared(explorer_->declare_unknown(a, n, w));
  }
  location declare_plain(const void* a, std::size_t n, bool scalar, source_location w) override {
    return declared(explorer_->declare_plain(a, n, scalar, w));
  }
  location declare_hidden(source_location w) override {
    return declared(explorer_->declare_hidden(w));
  }
  wait_list& waiters_at(const void* a) override {
    wait_list& list = explorer_->waiters_at(a);
    declared(list.lock);
    return list;
  }

  void begins_with(location l, value v) override { explorer_->begins_with(l, v); }
  void begins_without_value(location l) override { explorer_->begins_without_value(l); }
  void retire(location l, source_location w) override { explorer_->retire(l, w); }
  value number_of(const wide_value& v) override { return explorer_->number_of(v); }
  wide_value numbered(value v) override { return explorer_->numbered(v); }
  void spin_pause() override { explorer_->spin_pause(); }
  void give_up() override { explorer_->give_up(); }
  bool replaced(std::uint64_t look) override { return explorer_->replaced(look); }
  void is_lock(location l, lock_kind how) override { explorer_->is_lock(l, how); }
  value known(location l) override { return explorer_->known(l); }
  bool read_initial() override { return explorer_->read_initial(); }
  void join(const unsigned* ids, unsigned count, source_location w) override {
    explorer_->join(ids, count, w);
  }
  void begin_operation(const char* what, const void* object, source_location w) override {
    explorer_->begin_operation(what, object, w);
  }
  void fence_removed(order o, source_location w) override { explorer_->fence_removed(o, w); }
  std::uint64_t run_number() override { return explorer_->run_number(); }
  void record_outcome(std::string_view text) override { explorer_->record_outcome(text); }

 protected:
  forwarding_engine() noexcept {
    frames_are_compared_ = true;
    compared_from_ = &ignored_;
  }
  ~forwarding_engine() = default;

  // To be called before a run, of which it becomes the engine.
  void begin_run(explorer& e) noexcept {
    explorer_ = &e;
    running_ = e.running();
    orders_ = e.orders();
    current_ = this;
    declared_ = 0;
  }
  [[nodiscard]] explorer& explores() const noexcept { return *explorer_; }
  [[nodiscard]] bool is_declared(location l) const noexcept { return l < declared_; }

 private:
  location on_static(const void* a, std::size_t n, value v, const char* file, const char* function,
                     std::uint64_t place) override {
    return declared(explorer_->of_static(a, n, v, at(file, function, place)));
  }
  location declared(location l) noexcept {
    declared_ = l < declared_ ? declared_ : l + 1;
    return l;
  }

  explorer* explorer_ = nullptr;
  // One event may become several of the explorer's: threads are compared from where they call.
  const void* ignored_ = nullptr;
  location declared_ = 0;  // locations below it are declared
};

}  // namespace fencepost::verify
