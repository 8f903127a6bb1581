// The operations of the deques, for the audit.
#include <memory>

#include "fencepost/deque/boxed_chase_lev.hpp"
#include "fencepost/deque/call_stack_deque.hpp"
#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/deque/private_deque.hpp"
#include "fencepost/deque/tail_split.hpp"

namespace {
using iso = fencepost::tail_split<long>;
using lace = fencepost::tail_split<long, fencepost::std_atomics, fencepost::lace_split_word>;
using chase_lev = fencepost::chase_lev<long*>;
using boxed = fencepost::boxed_chase_lev<long>;
using private_deque = fencepost::private_deque<long*>;
struct worker;
using call_stack = fencepost::call_stack_deque<worker>;
}  // namespace

extern "C" {
bool op_tail_split__push(iso& d, long task) { return d.try_push(task); }
void* op_tail_split__pop(iso& d) { return d.pop(); }
void* op_tail_split__steal(iso& d, void* thief) { return d.steal(thief).task; }
void op_tail_split__answer(iso& d) { d.answer(); }
void op_tail_split__share_all(iso& d) { d.share_all(); }
void op_tail_split__retire(iso& d) { d.retire(); }
bool op_tail_split__drained(iso& d) { return d.drained(); }
void op_tail_split__complete(iso::slot& s) { s.complete(); }
bool op_tail_split__completed(iso::slot& s) { return s.completed(); }

bool op_tail_split_lace__push(lace& d, long task) { return d.try_push(task); }
void* op_tail_split_lace__pop(lace& d) { return d.pop(); }
void* op_tail_split_lace__steal(lace& d, void* thief) { return d.steal(thief).task; }

bool op_chase_lev__try_push(chase_lev& d, long* item) { return d.try_push(item); }
void op_chase_lev__push(chase_lev& d, long* item) { d.push(item); }
long* op_chase_lev__pop(chase_lev& d) { return d.pop().value_or(nullptr); }
long* op_chase_lev__steal(chase_lev& d) { return d.steal().item; }
std::size_t op_chase_lev__size(chase_lev& d) { return d.size(); }

void op_boxed_chase_lev__push(boxed& d, std::unique_ptr<long>& item) { d.push(std::move(item)); }
long* op_boxed_chase_lev__pop(boxed& d) { return d.pop().release(); }
long* op_boxed_chase_lev__steal(boxed& d) { return d.steal().item.release(); }

void op_private_deque__push(private_deque& d, long* item) { d.push(item); }
long* op_private_deque__pop(private_deque& d) { return d.pop().value_or(nullptr); }
bool op_private_deque__poll(private_deque& d) { return d.poll(); }
bool op_private_deque__ask(private_deque& d, private_deque::request& mine) { return d.ask(mine); }
bool op_private_deque__withdraw(private_deque& d, private_deque::request& mine) {
  return d.withdraw(mine);
}
void op_private_deque__answered(const private_deque::request& mine, void (*then)()) {
  if (mine.answered()) then();
}

void op_call_stack_deque__push(call_stack& d, call_stack::task& task) { d.push(task); }
bool op_call_stack_deque__pop(call_stack& d, call_stack::task& task) { return d.pop(task); }
void op_call_stack_deque__run_stolen(call_stack::task& task, worker& by) { task.run_stolen(by); }
void op_call_stack_deque__done(const call_stack::task& task, void (*then)()) {
  if (task.done()) then();
}
}
