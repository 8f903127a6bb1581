// What the audit compares: each function's body in component.cpp and in direct.cpp.
#pragma once

#include <cstdint>

extern "C" {
bool op_push(codegen::deque& d, long task) { return codegen::push(d, task); }
codegen::slot* op_pop(codegen::deque& d) { return codegen::pop(d); }
int op_steal(codegen::deque& d, void* thief, long& task) { return codegen::steal(d, thief, task); }
void op_complete(codegen::slot& s, long result) { codegen::complete(s, result); }
bool op_completed(const codegen::slot& s, long& result) { return codegen::completed(s, result); }

std::uint64_t op_lace_load(const codegen::word& w) { return codegen::load(w); }
bool op_lace_take(codegen::word& w, std::uint64_t seen) { return codegen::take(w, seen); }
void op_lace_raise(codegen::word& w, std::uint32_t to) { codegen::raise(w, to); }
std::uint32_t op_lace_lower(codegen::word& w, std::uint32_t to) { return codegen::lower(w, to); }
}
