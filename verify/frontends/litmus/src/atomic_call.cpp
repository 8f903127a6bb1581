#include "atomic_call.hpp"

#include "syntax.hpp"

namespace fencepost::litmus {

std::optional<atomic_call> atomic_call_named(std::string_view name) {
  using kind = atomic_call::kind;
  atomic_call call;
  constexpr std::string_view suffix = "_explicit";
  if (name == "atomic_thread_fence") {
    call.what = kind::fence;
    call.explicit_order = true;
    return call;
  }
  if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix) {
    call.explicit_order = true;
    name.remove_suffix(suffix.size());
  }
  const auto is = [&](std::string_view s, kind k, rmw_operation op = rmw_operation::exchange,
                      bool weak = false) {
    if (name != s) return false;
    call.what = k;
    call.op = op;
    call.weak = weak;
    return true;
  };
  if (is("atomic_load", kind::load) || is("atomic_store", kind::store) ||
      is("atomic_exchange", kind::modify) ||
      is("atomic_fetch_add", kind::modify, rmw_operation::fetch_add) ||
      is("atomic_fetch_sub", kind::modify, rmw_operation::fetch_sub) ||
      is("atomic_fetch_and", kind::modify, rmw_operation::fetch_and) ||
      is("atomic_fetch_or", kind::modify, rmw_operation::fetch_or) ||
      is("atomic_fetch_xor", kind::modify, rmw_operation::fetch_xor) ||
      is("atomic_compare_exchange_strong", kind::compare_exchange) ||
      is("atomic_compare_exchange_weak", kind::compare_exchange, rmw_operation::exchange, true)) {
    return call;
  }
  return std::nullopt;
}

access_order take_order(lexer& in, const std::string& function, bool release, bool acquire) {
  const token t = in.take();
  std::optional<access_order> o;
  if (t.is("memory_order_relaxed")) o = access_order::relaxed;
  if (t.is("memory_order_consume")) o = access_order::acquire;
  if (t.is("memory_order_acquire")) o = access_order::acquire;
  if (t.is("memory_order_release")) o = access_order::release;
  if (t.is("memory_order_acq_rel")) o = access_order::acq_rel;
  if (t.is("memory_order_seq_cst")) o = access_order::seq_cst;
  if (!o) in.fail(t.at, "expected a memory order such as memory_order_relaxed, found " + found(t));
  const bool one_sided = *o != access_order::seq_cst && *o != access_order::relaxed;
  if (one_sided && ((is_release(*o) && !release) || (is_acquire(*o) && !acquire))) {
    const bool failure = function.find("compare_exchange") != std::string::npos;
    in.fail(t.at, "C forbids " + std::string(t.text) + (failure ? " for the failure of " : " in ") +
                      function);
  }
  return *o;
}

}  // namespace fencepost::litmus
