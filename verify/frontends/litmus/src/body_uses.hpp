// What the body of a thread of a litmus test uses: registers, in the order of the text, and
// locations.
#pragma once

#include <optional>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

class body_uses {
 public:
  explicit body_uses(const program& p) : program_(p), touched_(p.locations.size(), false) {}

  void see(const std::vector<statement>& body);

  // The registers that the body assigns, in the order of the first assignments.
  [[nodiscard]] const std::vector<register_id>& assigned() const noexcept { return assigned_; }
  // For each location: whether the body accesses it or takes its address.
  [[nodiscard]] const std::vector<bool>& touched() const noexcept { return touched_; }
  // True if the text reads a register before it assigns it.
  [[nodiscard]] bool early() const noexcept { return early_; }

 private:
  void see(const expression&);
  void see(const load&);
  void see(const store&);
  void see(const modify&);
  void see(const compare_exchange&);
  void see(const fence&) {}
  void see(const assign&);
  void see(const branch&);
  void see(const loop&);
  void read(register_id);
  void assign_to(const std::optional<register_id>&);
  void touch(location_id named, const std::optional<expression>& through);

  const program& program_;
  std::vector<register_id> assigned_;
  std::vector<bool> touched_;
  bool early_ = false;
};

}  // namespace fencepost::litmus
