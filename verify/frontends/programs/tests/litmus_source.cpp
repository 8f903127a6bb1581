#include "litmus_source.hpp"

#include <string_view>

namespace fencepost::programs::testing {

namespace {

using namespace litmus;

constexpr std::string_view prelude = R"(
#ifdef __cplusplus
#include <atomic>
#include <cstdlib>
#include <thread>
using namespace std;
#define ATOMIC(type) std::atomic<type>
extern "C" void fencepost_outcome(const char*);
#else
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define ATOMIC(type) _Atomic(type)
void fencepost_outcome(const char*);
#endif
typedef long long number;
typedef unsigned long long bits;

static number wrap(bits v) { return (number)v; }
static number divide(number a, number b) {
  return b == 0 ? 0 : b == -1 ? wrap(0 - (bits)a) : a / b;
}
static number remainder_of(number a, number b) { return b == 0 || b == -1 ? 0 : a % b; }

static char text[4000];
static char* end_of_text = text;
static void show(number v) {
  char digits[24];
  int n = 0;
  bits left = v < 0 ? 0 - (bits)v : (bits)v;
  do digits[n++] = (char)('0' + left % 10);
  while ((left /= 10) != 0);
  if (v < 0) digits[n++] = '-';
  while (n > 0) *end_of_text++ = digits[--n];
  *end_of_text++ = ' ';
}

static number registers[8][64];

#ifdef __cplusplus
template <class... Threads>
static void run(Threads... threads) {
  std::thread all[] = {std::thread(threads, nullptr)...};
  for (std::thread& t : all) t.join();
}
#else
static void run_all(void* (**threads)(void*), int count) {
  pthread_t all[8];
  for (int i = 0; i < count; ++i) pthread_create(&all[i], NULL, threads[i], NULL);
  for (int i = 0; i < count; ++i) pthread_join(all[i], NULL);
}
#define run(...)                                        \
  do {                                                  \
    void* (*threads[])(void*) = {__VA_ARGS__};          \
    run_all(threads, sizeof threads / sizeof *threads); \
  } while (0)
#endif
)";

std::string_view operator_of(operation op) {
  switch (op) {
    case operation::negate:
    case operation::subtract: return "-";
    case operation::bit_not: return "~";
    case operation::logical_not: return "!";
    case operation::add: return "+";
    case operation::multiply: return "*";
    case operation::bit_and: return "&";
    case operation::bit_or: return "|";
    case operation::bit_xor: return "^";
    case operation::equal: return "==";
    case operation::not_equal: return "!=";
    case operation::less: return "<";
    case operation::less_equal: return "<=";
    case operation::greater: return ">";
    case operation::greater_equal: return ">=";
    default: return "?";
  }
}

std::string_view function_of(rmw_operation op) {
  switch (op) {
    case rmw_operation::exchange: return "atomic_exchange_explicit";
    case rmw_operation::fetch_add: return "atomic_fetch_add_explicit";
    case rmw_operation::fetch_sub: return "atomic_fetch_sub_explicit";
    case rmw_operation::fetch_and: return "atomic_fetch_and_explicit";
    case rmw_operation::fetch_or: return "atomic_fetch_or_explicit";
    case rmw_operation::fetch_xor: return "atomic_fetch_xor_explicit";
  }
  return "?";
}

std::string order(access_order o) { return "memory_order_" + std::string(to_string(o)); }
std::string constant(value v) {
  return "wrap(" + std::to_string(static_cast<std::uint64_t>(v)) + "ULL)";
}

class printer {
 public:
  printer(const program& p, unsigned test)
      : program_(p), prefix_("t" + std::to_string(test) + "_") {}

  std::string print() {
    for (const bool pointers : {false, true})  // their initial values name other locations
      for (location_id l = 0; l < program_.locations.size(); ++l) {
        const location& at = program_.locations[l];
        if (at.pointer != pointers) continue;
        text_ += at.kind == location_kind::plain ? "static number " : "static ATOMIC(number) ";
        text_ += name(l) + " = " +
                 (pointers ? constant_value(at.initial) : std::to_string(at.initial)) + ";\n";
      }
    print_shown();
    for (unsigned t = 0; t < program_.threads.size(); ++t) print_thread(t);
    text_ += "static void " + prefix_ + "run(void) {\n  run(";
    for (unsigned t = 0; t < program_.threads.size(); ++t)
      text_ += (t == 0 ? "" : ", ") + function(t);
    text_ += ");\n";
    for (unsigned t = 0; t < program_.threads.size(); ++t)
      for (register_id r = 0; r < program_.threads[t].registers.size(); ++r)
        text_ += "  show(" + prefix_ + "shown(" + kept(t, r) + "));\n";
    for (location_id l = 0; l < program_.locations.size(); ++l)
      text_ += "  show(" + prefix_ + "shown(" +
               (program_.locations[l].kind == location_kind::plain
                    ? name(l)
                    : "atomic_load_explicit(&" + name(l) + ", memory_order_relaxed)") +
               "));\n";
    text_ += "}\n";
    return text_;
  }

 private:
  std::string name(location_id l) const { return prefix_ + "x" + std::to_string(l); }
  std::string function(unsigned t) const { return prefix_ + "p" + std::to_string(t); }
  static std::string local(register_id r) { return "r" + std::to_string(r); }
  static std::string kept(unsigned t, register_id r) {
    return "registers[" + std::to_string(t) + "][" + std::to_string(r) + "]";
  }

  // Prints a function that replaces the address of a location with the test's value for it.
  void print_shown() {
    text_ += "static number " + prefix_ + "shown(number v) {\n";
    for (location_id l = 0; l < program_.locations.size(); ++l)
      text_ += "  if (v == (number)&" + name(l) + ") return " + constant(address_of(l)) + ";\n";
    text_ += "  return v;\n}\n";
  }
  std::string constant_value(value v) const {
    const std::optional<location_id> l = location_at(program_, v);
    return l ? "(number)&" + name(*l) : constant(v);
  }
  std::string place(location_id named, const std::optional<expression>& through,
                    access_order o) const {
    if (!through) return name(named);
    return std::string(o == access_order::plain ? "(*(number*)" : "(*(ATOMIC(number)*)") +
           spell(*through) + ")";
  }

  void print_thread(unsigned t) {
    const thread& what = program_.threads[t];
    text_ += "static void* " + function(t) + "(void* unused) {\n  (void)unused;\n";
    for (register_id r = 0; r < what.registers.size(); ++r)
      text_ += "  number " + local(r) + " = " + constant_value(what.registers[r].initial) + ";\n";
    print(what.body);
    for (register_id r = 0; r < what.registers.size(); ++r)
      text_ += "  " + kept(t, r) + " = " + local(r) + ";\n";
    text_ += "  return 0;\n}\n";
  }

  std::string spell(const expression& e) const {
    if (e.op == operation::constant) return constant_value(e.constant);
    if (e.op == operation::reg) return local(e.reg);
    const std::string a = spell(e.operands[0]);
    if (e.operands.size() == 1) {
      if (e.op == operation::logical_not) return "(number)(" + a + " == 0)";
      return "wrap(" + std::string(operator_of(e.op)) + "(bits)" + a + ")";
    }
    const std::string b = spell(e.operands[1]);
    switch (e.op) {
      case operation::divide: return "divide(" + a + ", " + b + ")";
      case operation::remainder: return "remainder_of(" + a + ", " + b + ")";
      case operation::add:
      case operation::subtract:
      case operation::multiply:
        return "wrap((bits)" + a + " " + std::string(operator_of(e.op)) + " (bits)" + b + ")";
      default: return "(number)(" + a + " " + std::string(operator_of(e.op)) + " " + b + ")";
    }
  }

  void line(const std::string& what) { text_ += "  " + what + ";\n"; }
  static std::string target(const std::optional<register_id>& r) {
    return r ? local(*r) + " = " : "(void)";
  }

  void print(const std::vector<statement>& body) {
    for (const statement& s : body) std::visit([this](const auto& what) { print(what); }, s.what);
  }
  void print(const load& s) {
    if (s.order == access_order::plain)
      line(target(s.to) + place(s.from, s.through, s.order));
    else
      line(target(s.to) + "atomic_load_explicit(&" + place(s.from, s.through, s.order) + ", " +
           order(s.order) + ")");
  }
  void print(const store& s) {
    if (s.order == access_order::plain)
      line(place(s.to, s.through, s.order) + " = " + spell(s.what));
    else
      line("atomic_store_explicit(&" + place(s.to, s.through, s.order) + ", " + spell(s.what) +
           ", " + order(s.order) + ")");
  }
  void print(const modify& s) {
    line(target(s.to) + std::string(function_of(s.op)) + "(&" + place(s.at, s.through, s.order) +
         ", " + spell(s.operand) + ", " + order(s.order) + ")");
  }
  void print(const compare_exchange& s) {
    const auto* const there = std::get_if<compare_exchange::in_location>(&s.expected);
    const std::string expected =
        there != nullptr ? name(there->id)
                         : local(std::get<compare_exchange::in_register>(s.expected).id);
    line(target(s.to) + "atomic_compare_exchange_" + (s.weak ? "weak" : "strong") + "_explicit(&" +
         place(s.at, s.through, s.success) + ", &" + expected + ", " + spell(s.desired) + ", " +
         order(s.success) + ", " + order(s.failure) + ")");
  }
  void print(const fence& s) {
    if (s.order != access_order::plain) line("atomic_thread_fence(" + order(s.order) + ")");
  }
  void print(const assign& s) { line(local(s.to) + " = " + spell(s.what)); }
  void print(const branch& s) {
    text_ += "  if (" + spell(s.condition) + ") {\n";
    print(s.then);
    text_ += "  } else {\n";
    print(s.otherwise);
    text_ += "  }\n";
  }
  void print(const loop&) { line("abort()"); }  // no test of the corpus has one

  const program& program_;
  std::string prefix_;
  std::string text_;
};

}  // namespace

std::string litmus_source(const std::vector<program>& tests) {
  std::string source(prelude);
  for (unsigned n = 0; n < tests.size(); ++n) source += printer(tests[n], n).print();
  source +=
      "int main(int argc, char** argv) {\n  if (argc != 2) return 1;\n"
      "  switch (atoi(argv[1])) {\n";
  for (unsigned n = 0; n < tests.size(); ++n) {
    const std::string number = std::to_string(n);
    source += "    case " + number + ": t" + number + "_run(); break;\n";
  }
  return source +
         "    default: return 1;\n  }\n  *end_of_text = 0;\n  fencepost_outcome(text);\n"
         "  return 0;\n}\n";
}

}  // namespace fencepost::programs::testing
