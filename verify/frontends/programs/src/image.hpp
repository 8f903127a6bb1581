// The program as it was loaded: its variables, which have their initial values at the beginning of
// each execution, its constructors, and what it imports from libraries.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::programs {

class image {
 public:
  image();  // of the executable that runs

  // The difference between its addresses and those in its file.
  [[nodiscard]] std::size_t base() const noexcept { return base_; }
  // Names of functions and variables of libraries, sorted.
  [[nodiscard]] const std::vector<std::string>& imports() const noexcept { return imports_; }
  [[nodiscard]] bool imports_any(std::span<const std::string_view> names) const;
  // The libraries that it was linked with.
  [[nodiscard]] const std::vector<std::string>& libraries() const noexcept { return libraries_; }
  [[nodiscard]] bool has_thread_locals() const noexcept { return thread_locals_; }
  // True if it has code on its stacks, as nested functions of GNU C need it.
  [[nodiscard]] bool runs_on_stacks() const noexcept { return runs_on_stacks_; }
  // True if all addresses of library functions are bound at load time: no variable holds them.
  [[nodiscard]] bool is_bound() const noexcept { return bound_; }

  // Its variables, without those that a library shares with it.
  [[nodiscard]] std::span<const std::span<char>> variables() const noexcept { return variables_; }
  void keep_variables();
  void put_variables_back() const noexcept;

  // In the order in which they are to be called.
  using constructor = void (*)(int, char**, char**);
  [[nodiscard]] const std::vector<constructor>& constructors() const noexcept {
    return constructors_;
  }
  // Those that the constructors do not register. They are to be called last.
  using destructor = void (*)();
  [[nodiscard]] const std::vector<destructor>& destructors() const noexcept { return destructors_; }
  // True if the address is in the program's code, variables or constants.
  [[nodiscard]] bool contains(const void*) const noexcept;
  // True if the address is in memory of the program that nothing can write to.
  [[nodiscard]] bool is_constant(const void*) const noexcept;
  // True if the address is in the program's variables.
  [[nodiscard]] bool has_variable(const void*) const noexcept;
  // True if the address is in the variables of another library that was loaded with the program.
  [[nodiscard]] bool is_of_library(const void*) const noexcept;

 private:
  void read_dynamic(std::size_t base, const void* dynamic, std::vector<std::span<char>>& shared);

  std::size_t base_ = 0;
  std::vector<std::string> imports_;
  std::vector<std::string> libraries_;
  std::vector<std::span<char>> variables_;
  std::vector<std::span<const char>> segments_;
  std::vector<std::span<const char>> constants_;
  std::vector<std::span<const char>> of_libraries_;
  std::vector<constructor> constructors_;
  std::vector<destructor> destructors_;
  std::vector<char> kept_;
  bool thread_locals_ = false;
  bool bound_ = false;
  bool runs_on_stacks_ = false;
};

}  // namespace fencepost::programs
