// The thread that is being parsed: its names, and where its next statement goes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "body.hpp"
#include "fencepost/litmus/program.hpp"
#include "lexer.hpp"

namespace fencepost::litmus {

class thread_frame {
 public:
  using statements = std::vector<statement>;

  // `in` reports errors; `name` is the thread's.
  thread_frame(const lexer& in, thread begun, const std::vector<parameter>& parameters,
               const std::string& name)
      : in_(in), thread_(std::move(begun)), parameters_(parameters), name_(name) {}

  const std::string& name() const noexcept { return name_; }

  // ---- names ----
  std::optional<register_id> find_register(std::string_view name) const;
  const parameter* parameter_named(std::string_view name) const;
  const parameter* parameter_at(value address) const;
  // Returns the register of that name, and adds it if there is none.
  register_id declare(const token& name, bool pointer);
  bool is_pointer(register_id r) const { return thread_.registers[r].pointer; }
  // Returns 0 for a number, 1 for the address of a number, 2 for the address of a pointer.
  int stars(const expression& e) const;

  // ---- statements ----
  statements& body() noexcept { return thread_.body; }
  // Sets where statements go from now on. Returns where they went before.
  statements* put_into(statements* into) noexcept { return std::exchange(out_, into); }
  template <class S>
  void emit(S s) {
    out_->push_back(statement{std::move(s)});
  }

  // Adds a register for the value of an access.
  register_id temporary(bool pointer = false);
  // Assigns the value of e to the register that `chosen`, called only after e was parsed, returns.
  template <class Register>
  void set(Register chosen, expression e) {
    if (std::optional<register_id>* to = last_target(e)) {
      drop_last_temporary();
      *to = chosen();
    } else {
      const register_id r = chosen();
      emit(assign{r, std::move(e)});
    }
  }
  // Discards the value of e.
  void drop(const expression& e);

  // To be called once, at the end.
  thread finish() {
    name_temporaries();
    return std::move(thread_);
  }

 private:
  // If e is just the value of the access that was emitted last, returns that access's target
  // register; null otherwise.
  std::optional<register_id>* last_target(const expression& e);
  void drop_last_temporary();
  void name_temporaries();

  const lexer& in_;
  thread thread_;
  const std::vector<parameter>& parameters_;
  const std::string& name_;
  statements* out_ = nullptr;
  std::vector<register_id> temporaries_;
};

}  // namespace fencepost::litmus
