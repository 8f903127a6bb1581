#include "source/order_steps.hpp"

namespace fencepost::cli {
namespace {

using verify::access;
using verify::order;
using part = verify::order_change::part;

order_step step(order to, std::string lost) {
  return {part::order, to, std::string(to_string(to)), std::move(lost), false};
}

// For an operation that both reads and writes, and for a fence.
std::vector<order_step> of_both(order from) {
  switch (from) {
    case order::seq_cst: return {step(order::acq_rel, "seq_cst")};
    case order::acq_rel: return {step(order::acquire, "release"), step(order::release, "acquire")};
    case order::acquire: return {step(order::relaxed, "acquire")};
    case order::release: return {step(order::relaxed, "release")};
    default: return {};
  }
}

std::vector<order_step> of_one(order from, order half) {
  if (from == order::seq_cst) return {step(half, "seq_cst")};
  if (from == half) return {step(order::relaxed, std::string(to_string(half)))};
  return {};
}

}  // namespace

std::vector<order_step> weaker(const verify::asked_for& a) {
  switch (a.what) {
    case access::load: return of_one(a.success, order::acquire);
    case access::store: return of_one(a.success, order::release);
    case access::read_modify_write: return of_both(a.success);
    case access::compare_exchange: {
      std::vector<order_step> steps = of_both(a.success);
      for (order_step s : of_one(a.failure, order::acquire)) {
        s.which = part::failure;
        s.name += " on failure";
        s.lost += " on failure";
        steps.push_back(std::move(s));
      }
      if (!a.weak) steps.push_back({part::strength, order::relaxed, "weak", "strong", false});
      return steps;
    }
    case access::fence: {
      std::vector<order_step> steps = of_both(a.success);
      if (steps.empty()) return steps;
      if (steps.front().to == order::relaxed) {
        steps.front().name = "removed";
      } else {
        steps.push_back({part::order, order::relaxed, "removed", "fence", true});
      }
      return steps;
    }
  }
  return {};
}

std::string in_words(const verify::asked_for& a) {
  std::string words(to_string(a.success));
  if (a.what != access::compare_exchange) return words;
  if (a.failure != order::relaxed)
    words += ", " + std::string(to_string(a.failure)) + " on failure";
  return words + (a.weak ? ", weak" : "");
}

}  // namespace fencepost::cli
