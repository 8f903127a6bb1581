#include "body.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include "syntax.hpp"

namespace fencepost::litmus {

namespace {

struct atomic_call {
  enum class kind : std::uint8_t { load, store, modify, compare_exchange, fence };
  kind what = kind::load;
  rmw_operation op = rmw_operation::exchange;
  bool weak = false;
  bool explicit_order = false;
};

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

class body_parser {
 public:
  body_parser(lexer& in, thread t, const std::vector<parameter>& parameters,
              const std::string& name, unsigned loop_bound)
      : in_(in),
        thread_(std::move(t)),
        parameters_(parameters),
        name_(name),
        loop_bound_(loop_bound) {}

  thread parse() {
    in_.in_body(true);
    take("{", "and the body of " + name_);
    block(thread_.body, 0);
    in_.in_body(false);
    name_temporaries();
    return std::move(thread_);
  }

 private:
  using statements = std::vector<statement>;

  // -------------------------------------------------------------- statements

  // What follows a {, with its }.
  void block(statements& into, int depth) {
    while (!in_.peek().is("}")) {
      if (in_.peek().what == token::kind::end) {
        in_.fail(in_.peek().at,
                 "expected } to close the body of " + name_ + ", found the end of the file");
      }
      one(into, depth);
    }
    in_.take();
  }

  void one(statements& into, int depth) {
    const token first = in_.peek();
    check_depth(in_, first.at, depth);
    out_ = &into;
    nodes_ = 0;
    if (first.is(";")) {
      in_.take();
    } else if (first.is("{")) {
      in_.take();
      block(into, depth + 1);
    } else if (first.is("if")) {
      in_.take();
      conditional(into, depth);
    } else if (first.is("while")) {
      in_.take();
      repeated(into, depth);
    } else if (first.is("*")) {
      in_.take();
      plain_store(depth);
    } else if (is_type(first)) {
      declaration(depth);
    } else {
      refuse_keyword(first);
      simple(depth);
    }
  }

  void refuse_keyword(const token& t) {
    if (t.is("do")) in_.fail(t.at, "unsupported: do-while");
    for (const std::string_view word :
         {"for", "switch", "case", "goto", "break", "continue", "return", "asm", "__asm__"}) {
      if (t.is(word)) in_.fail(t.at, "unsupported: " + std::string(word));
    }
    if (t.is("else")) in_.fail(t.at, "expected a statement, found an else without its if");
    if (t.is("#")) in_.fail(t.at, "unsupported: preprocessor directives");
  }

  void conditional(statements& into, int depth) {
    take("(", "after if");
    branch b;
    b.condition = condition(depth);
    take(")", "after the condition");
    one(b.then, depth + 1);
    if (in_.peek().is("else")) {
      in_.take();
      one(b.otherwise, depth + 1);
    }
    out_ = &into;
    emit(std::move(b));
  }

  void repeated(statements& into, int depth) {
    take("(", "after while");
    loop l;
    l.bound = loop_bound_;
    out_ = &l.before;
    l.condition = condition(depth);
    take(")", "after the condition");
    one(l.body, depth + 1);
    out_ = &into;
    emit(std::move(l));
  }

  expression condition(int depth) {
    const place at = in_.peek().at;
    expression e = expr(depth + 1);
    if (e.op == operation::constant && stars(e) > 0) refuse_address(e, at);
    return e;
  }

  void plain_store(int depth) {
    target to = pointer("*", depth);
    const token sign = in_.take();
    if (!sign.is("=")) refuse_assignment(sign);
    store s;
    s.to = to.named;
    s.order = access_order::plain;
    s.what = value_for(to.pointer, depth);
    s.through = std::move(to.through);
    emit(std::move(s));
    take(";", "after the statement");
  }

  void declaration(int depth) {
    const type_name type = take_type(in_);
    const bool pointer = type.stars > 0;
    if (type.stars > 1) in_.fail(type.at, "unsupported: local pointers to pointers");
    if (type.atomic && !pointer) in_.fail(type.at, "unsupported: local atomics");
    if (type.nothing) in_.fail(type.at, "expected a type such as int, found void");
    for (;;) {
      const token name = in_.take();
      if (name.what != token::kind::identifier || is_type(name)) {
        in_.fail(name.at, "expected the name of a variable, found " + found(name));
      }
      if (parameter_named(name.text) != nullptr) {
        in_.fail(name.at, quote(name.text) + " is a parameter of " + name_ + " already");
      }
      if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
      if (in_.peek().is("=")) {
        in_.take();
        expression e = value_for(pointer, depth);
        // After its initial value: registers are numbered as they get one.
        set([&] { return declare(name, pointer); }, std::move(e));
      } else {
        declare(name, pointer);
      }
      const token end = in_.take();
      if (end.is(";")) return;
      if (end.is(",") && pointer) {
        in_.fail(end.at, "unsupported: several pointers in one declaration");
      }
      if (!end.is(",")) in_.fail(end.at, "expected ; after the declaration, found " + found(end));
    }
  }

  // An assignment, a call, or an expression whose value is dropped.
  void simple(int depth) {
    const token first = in_.take();
    if (first.what == token::kind::identifier && !in_.peek().is("(")) {
      const std::optional<register_id> r = find_register(first.text);
      const token& sign = in_.peek();
      if (sign.is("[")) in_.fail(sign.at, "unsupported: arrays");
      if (!r && parameter_named(first.text) != nullptr) {
        in_.fail(first.at, quote(first.text) + " is a pointer; expected *" +
                               std::string(first.text) + " or an atomic function");
      }
      if (!r) in_.fail(first.at, "unknown variable " + quote(first.text) + "; declare it as int");
      if (sign.is("=")) {
        in_.take();
        expression e = value_for(thread_.registers[*r].pointer, depth);
        set([&] { return *r; }, std::move(e));
        take(";", "after the statement");
        return;
      }
      if (sign.what == token::kind::symbol && !sign.is(";")) refuse_assignment(sign);
    }
    // (void) e; and f(…);
    drop(binary_expr(unary_from(first, depth), 0, depth));
    take(";", "after the statement");
  }

  [[noreturn]] void refuse_assignment(const token& sign) {
    for (const std::string_view s :
         {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "->", "."}) {
      if (sign.is(s)) in_.fail(sign.at, "unsupported: operator " + std::string(s));
    }
    in_.fail(sign.at, "expected =, found " + found(sign));
  }

  void emit(statement s) { out_->push_back(std::move(s)); }
  template <class S>
  void emit(S s) {
    out_->push_back(statement{std::move(s)});
  }

  // -------------------------------------------------------------- values of accesses

  register_id temporary() {
    const auto r = static_cast<register_id>(thread_.registers.size());
    thread_.registers.push_back({});  // named at the end
    temporaries_.push_back(r);
    return r;
  }

  // Where the access that has just been emitted left its value, if that is all that e says.
  std::optional<register_id>* last_target(const expression& e) {
    if (e.op != operation::reg || out_->empty() || temporaries_.empty()) return nullptr;
    if (e.reg != temporaries_.back() || e.reg + 1 != thread_.registers.size()) return nullptr;
    std::optional<register_id>* to = nullptr;
    std::visit(
        [&](auto& s) {
          if constexpr (requires { s.to.has_value(); }) to = &s.to;
        },
        out_->back().what);
    return to != nullptr && *to == e.reg ? to : nullptr;
  }

  void drop_last_temporary() {
    temporaries_.pop_back();
    thread_.registers.pop_back();
  }

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

  void drop(const expression& e) {
    if (std::optional<register_id>* to = last_target(e)) {
      drop_last_temporary();
      to->reset();
    }
  }

  void name_temporaries() {
    int next = 0;
    for (const register_id r : temporaries_) {
      std::string name;
      do {
        name = "_t" + std::to_string(next++);
      } while (find_register(name) || parameter_named(name) != nullptr);
      thread_.registers[r].name = std::move(name);
    }
  }

  // -------------------------------------------------------------- expressions

  expression expr(int depth) { return binary_expr(unary_expr(depth), 0, depth); }

  struct binary_operator {
    std::string_view symbol;
    int level;
    operation op;
  };

  // C's precedence; a higher level binds tighter.
  static const binary_operator* operator_of(const token& t) {
    static constexpr std::array<binary_operator, 16> all = {{
        {"||", 1, operation::bit_or},
        {"&&", 2, operation::bit_and},
        {"|", 3, operation::bit_or},
        {"^", 4, operation::bit_xor},
        {"&", 5, operation::bit_and},
        {"==", 6, operation::equal},
        {"!=", 6, operation::not_equal},
        {"<", 7, operation::less},
        {"<=", 7, operation::less_equal},
        {">", 7, operation::greater},
        {">=", 7, operation::greater_equal},
        {"+", 8, operation::add},
        {"-", 8, operation::subtract},
        {"*", 9, operation::multiply},
        {"/", 9, operation::divide},
        {"%", 9, operation::remainder},
    }};
    if (t.what != token::kind::symbol) return nullptr;
    const auto it = std::find_if(all.begin(), all.end(),
                                 [&](const binary_operator& o) { return o.symbol == t.text; });
    return it == all.end() ? nullptr : &*it;
  }

  expression binary_expr(expression left, int weakest, int depth) {
    for (;;) {
      const token sign = in_.peek();
      for (const std::string_view s : {"<<", ">>", "?", "++", "--"}) {
        if (sign.is(s)) in_.fail(sign.at, "unsupported: operator " + std::string(s));
      }
      const binary_operator* o = operator_of(sign);
      if (o == nullptr || o->level <= weakest) return left;
      in_.take();
      check_depth(in_, sign.at, depth);
      count(sign.at);
      if (sign.is("&&") || sign.is("||")) {
        left = logical(sign.is("&&"), std::move(left), o->level, depth + 1);
        continue;
      }
      expression right = binary_expr(unary_expr(depth + 1), o->level, depth + 1);
      check_operands(*o, left, right, sign);
      left = binary(o->op, std::move(left), std::move(right));
    }
  }

  // -------------------------------------------------------------- addresses

  // 0: a number, 1: the address of a number, 2: of a pointer.
  int stars(const expression& e) const {
    if (e.op == operation::reg) return thread_.registers[e.reg].pointer ? 1 : 0;
    if (e.op == operation::constant) {
      const parameter* const p = parameter_at(e.constant);
      return p == nullptr ? 0 : p->pointer ? 2 : 1;
    }
    if (e.op != operation::add && e.op != operation::subtract) return 0;
    const int left = stars(e.operands[0]);
    const int right = stars(e.operands[1]);
    return e.op == operation::subtract && right > 0 ? 0 : std::max(left, right);
  }

  const parameter* parameter_at(value address) const {
    for (const parameter& p : parameters_) {
      if (address_of(p.location) == address) return &p;
    }
    return nullptr;
  }

  static bool is_null(const expression& e) {
    return e.op == operation::constant && e.constant == 0;
  }

  // What C has of addresses: their distance, an address beyond them, comparisons.
  void check_operands(const binary_operator& o, const expression& left, const expression& right,
                      const token& sign) {
    const int a = stars(left);
    const int b = stars(right);
    if (a == 0 && b == 0) return;
    bool possible = false;
    if (o.op == operation::add) possible = a == 0 || b == 0;
    if (o.op == operation::subtract) possible = b == 0 || a == b;
    if (o.level == 6 || o.level == 7) possible = a == b || is_null(left) || is_null(right);
    if (!possible) refuse_address(a > 0 ? left : right, sign.at);
  }

  [[noreturn]] void refuse_address(const expression& e, const place& at) {
    const parameter* const p = e.op == operation::constant ? parameter_at(e.constant) : nullptr;
    if (p == nullptr) in_.fail(at, "expected a number, found an address");
    in_.fail(at, quote(p->name) + " is a pointer; expected *" + p->name + " or an atomic function");
  }

  // What a pointer gets, or a number.
  expression value_for(bool pointer, int depth) {
    const place at = in_.peek().at;
    expression e = expr(depth + 1);
    const int found = stars(e);
    if (!pointer && found > 0) refuse_address(e, at);
    if (pointer && found == 0 && !is_null(e)) in_.fail(at, "expected an address, found a number");
    if (found > 1) in_.fail(at, "unsupported: pointers to pointers as values");
    return e;
  }

  // Where an access goes.
  struct target {
    location_id named = 0;
    std::optional<expression> through;
    bool pointer = false;  // there is a pointer
  };

  // An expression that is an address: all of it, or as much as follows a star.
  target pointer(const std::string& of, int depth) {
    const place at = in_.peek().at;
    expression e = of == "*" ? address(of, depth) : address_sum(of, depth);
    target t;
    const int found = stars(e);
    if (found == 0) in_.fail(at, "expected an address after " + of + ", found a number");
    t.pointer = found == 2;
    if (e.op == operation::constant)
      t.named = parameter_at(e.constant)->location;
    else
      t.through = std::move(e);
    return t;
  }

  expression address_sum(const std::string& of, int depth) {
    expression e = address(of, depth);
    while (in_.peek().is("+") || in_.peek().is("-")) {
      const token sign = in_.take();
      const binary_operator* const o = operator_of(sign);
      count(sign.at);
      expression right = binary_expr(unary_expr(depth + 1), o->level, depth + 1);
      check_operands(*o, e, right, sign);
      e = binary(o->op, std::move(e), std::move(right));
    }
    return e;
  }

  // A parameter, a local pointer, or what a call or a star gives, perhaps in parentheses.
  expression address(const std::string& of, int depth) {
    const token t = in_.take();
    check_depth(in_, t.at, depth);
    if (t.is("(")) {
      if (is_type(in_.peek())) {
        take_type(in_);
        take(")", "after the type");
        return address(of, depth + 1);
      }
      expression e = address_sum(of, depth + 1);
      take(")", "after the pointer");
      return e;
    }
    if (t.is("*")) {
      expression e = unary_from(t, depth + 1);
      if (stars(e) == 0) in_.fail(t.at, "there is a number behind this pointer, and no address");
      return e;
    }
    if (t.is("&")) in_.fail(t.at, "expected a parameter of " + name_ + ", found '&'");
    if (t.what != token::kind::identifier) {
      in_.fail(t.at, "expected a parameter of " + name_ + " after " + of + ", found " + found(t));
    }
    if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
    if (in_.peek().is("(")) return call(t, depth);
    if (const parameter* const p = parameter_named(t.text))
      return constant(address_of(p->location));
    const std::optional<register_id> r = find_register(t.text);
    if (r && thread_.registers[*r].pointer) return reg(*r);
    if (r) in_.fail(t.at, quote(t.text) + " is no pointer; declare it as int*");
    in_.fail(t.at, quote(t.text) + " is no parameter of " + name_);
  }

  // The right side is evaluated only when the left one leaves the answer open. Where that can make
  // no difference, because nothing is accessed there, it is plain arithmetic on truth values.
  expression logical(bool conjunction, expression left, int level, int depth) {
    statements* const outer = out_;
    statements inner;
    out_ = &inner;
    expression right = truth(binary_expr(unary_expr(depth), level, depth));
    out_ = outer;
    left = truth(std::move(left));
    if (inner.empty()) {
      return binary(conjunction ? operation::bit_and : operation::bit_or, std::move(left),
                    std::move(right));
    }
    const register_id result = temporary();
    emit(assign{result, std::move(left)});
    inner.push_back(statement{assign{result, std::move(right)}});
    branch b;
    b.condition = reg(result);
    (conjunction ? b.then : b.otherwise) = std::move(inner);
    emit(std::move(b));
    return reg(result);
  }

  static expression truth(expression e) {
    switch (e.op) {
      case operation::logical_not:
      case operation::equal:
      case operation::not_equal:
      case operation::less:
      case operation::less_equal:
      case operation::greater:
      case operation::greater_equal: return e;
      default: return binary(operation::not_equal, std::move(e), constant(0));
    }
  }

  expression unary_expr(int depth) {
    const token first = in_.take();
    return unary_from(first, depth);
  }

  expression unary_from(const token& first, int depth) {
    check_depth(in_, first.at, depth);
    count(first.at);
    if (first.what == token::kind::number) return constant(number_value(in_, first, false));
    if (first.is("-")) {
      if (in_.peek().what == token::kind::number) {
        return constant(number_value(in_, in_.take(), true));
      }
      return unary(operation::negate, number(depth));
    }
    if (first.is("+")) return number(depth);
    if (first.is("!")) return unary(operation::logical_not, unary_expr(depth + 1));
    if (first.is("~")) return unary(operation::bit_not, number(depth));
    if (first.is("*")) {
      target from = pointer("*", depth);
      load l;
      l.from = from.named;
      l.order = access_order::plain;
      l.through = std::move(from.through);
      return loaded(std::move(l), from.pointer);
    }
    if (first.is("(")) {
      if (is_type(in_.peek())) {
        const type_name type = take_type(in_);
        if (type.stars > 0) in_.fail(type.at, "unsupported: casts to pointers");
        take(")", "after the type");
        return unary_expr(depth + 1);
      }
      expression e = expr(depth + 1);
      take(")", "to close the expression");
      return e;
    }
    if (first.is("&")) {
      in_.fail(first.at, "expected an expression, found '&': a parameter is an address already");
    }
    if (first.is("++") || first.is("--")) {
      in_.fail(first.at, "unsupported: operator " + std::string(first.text));
    }
    if (first.what != token::kind::identifier) {
      in_.fail(first.at, "expected an expression, found " + found(first));
    }
    refuse_keyword(first);
    if (first.is("sizeof")) in_.fail(first.at, "unsupported: sizeof");
    if (in_.peek().is("(")) return call(first, depth);
    if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
    if (in_.peek().is("{")) {
      in_.fail(first.at, "unsupported: function " + quote(first.text) + " with an annotation");
    }
    if (const std::optional<register_id> r = find_register(first.text)) return reg(*r);
    if (const parameter* const p = parameter_named(first.text))
      return constant(address_of(p->location));
    in_.fail(first.at, "unknown variable " + quote(first.text) + "; declare it as int");
  }

  expression number(int depth) {
    const place at = in_.peek().at;
    expression e = unary_expr(depth + 1);
    if (stars(e) > 0) refuse_address(e, at);
    return e;
  }

  template <class Access>
  expression loaded(Access a, bool pointer) {
    const register_id r = temporary();
    thread_.registers[r].pointer = pointer;
    a.to = r;
    emit(std::move(a));
    return reg(r);
  }

  // -------------------------------------------------------------- calls

  expression call(const token& name, int depth) {
    using kind = atomic_call::kind;
    const std::optional<atomic_call> c = atomic_call_named(name.text);
    if (!c) in_.fail(name.at, "unsupported: function " + quote(name.text));
    in_.take();  // (
    const std::string function(name.text);
    const auto comma = [&] { take(",", "and more arguments of " + function); };
    const auto order = [&](bool release, bool acquire) {
      if (!c->explicit_order) return access_order::seq_cst;
      comma();
      return take_order(function, release, acquire);
    };
    const auto close = [&] { take(")", "after the arguments of " + function); };

    if (c->what == kind::fence) {
      fence f;
      f.order = take_order(function, true, true);
      close();
      emit(f);
      return constant(0);
    }
    target at = pointer(function, depth);
    switch (c->what) {
      case kind::load: {
        load l;
        l.from = at.named;
        l.order = order(false, true);
        l.through = std::move(at.through);
        close();
        return loaded(std::move(l), at.pointer);
      }
      case kind::store: {
        store s;
        s.to = at.named;
        comma();
        s.what = value_for(at.pointer, depth);
        s.order = order(true, false);
        s.through = std::move(at.through);
        close();
        emit(std::move(s));
        return constant(0);
      }
      case kind::modify: {
        if (at.pointer && c->op != rmw_operation::exchange) {
          in_.fail(name.at, "unsupported: " + function + " of a pointer");
        }
        modify m;
        m.at = at.named;
        m.op = c->op;
        comma();
        m.operand = value_for(at.pointer, depth);
        m.order = order(true, true);
        m.through = std::move(at.through);
        close();
        return loaded(std::move(m), at.pointer);
      }
      default: break;
    }
    compare_exchange x;
    x.at = at.named;
    x.weak = c->weak;
    comma();
    x.expected = expected_value(at.pointer, depth);
    comma();
    x.desired = value_for(at.pointer, depth);
    x.success = order(true, true);
    x.failure = order(false, true);
    x.through = std::move(at.through);
    close();
    return loaded(std::move(x), false);
  }

  access_order take_order(const std::string& function, bool release, bool acquire) {
    const token t = in_.take();
    std::optional<access_order> o;
    if (t.is("memory_order_relaxed")) o = access_order::relaxed;
    if (t.is("memory_order_consume")) o = access_order::acquire;
    if (t.is("memory_order_acquire")) o = access_order::acquire;
    if (t.is("memory_order_release")) o = access_order::release;
    if (t.is("memory_order_acq_rel")) o = access_order::acq_rel;
    if (t.is("memory_order_seq_cst")) o = access_order::seq_cst;
    if (!o)
      in_.fail(t.at, "expected a memory order such as memory_order_relaxed, found " + found(t));
    const bool one_sided = *o != access_order::seq_cst && *o != access_order::relaxed;
    if (one_sided && ((is_release(*o) && !release) || (is_acquire(*o) && !acquire))) {
      const bool failure = function.find("compare_exchange") != std::string::npos;
      in_.fail(t.at, "C forbids " + std::string(t.text) +
                         (failure ? " for the failure of " : " in ") + function);
    }
    return *o;
  }

  // int* expected: a parameter, or the address of a local variable.
  std::variant<compare_exchange::in_register, compare_exchange::in_location> expected_value(
      bool of_pointer, int depth) {
    const place at = in_.peek().at;
    const auto check = [&](bool pointer) {
      if (pointer == of_pointer) return;
      in_.fail(at, pointer ? "expected a number to compare with, found an address"
                           : "expected an address to compare with, found a number");
    };
    if (in_.peek().is("&")) {
      in_.take();
      const token t = in_.take();
      if (const auto r = t.what == token::kind::identifier ? find_register(t.text) : std::nullopt) {
        check(thread_.registers[*r].pointer);
        return compare_exchange::in_register{*r};
      }
      in_.fail(t.at, "expected a variable of " + name_ + " after &, found " + found(t));
    }
    const target there = pointer("the expected value", depth);
    if (there.through) in_.fail(at, "unsupported: an expected value behind an address");
    check(there.pointer);
    return compare_exchange::in_location{there.named};
  }

  // -------------------------------------------------------------- names

  std::optional<register_id> find_register(std::string_view name) const {
    for (register_id i = 0; i < thread_.registers.size(); ++i) {
      if (thread_.registers[i].name == name) return i;
    }
    return std::nullopt;
  }

  const parameter* parameter_named(std::string_view name) const {
    for (const parameter& p : parameters_) {
      if (p.name == name) return &p;
    }
    return nullptr;
  }

  register_id declare(const token& name, bool pointer) {
    if (const auto r = find_register(name.text)) {
      if (thread_.registers[*r].pointer != pointer) {
        in_.fail(name.at, quote(name.text) + " is declared as a pointer and as a number");
      }
      return *r;
    }
    thread_.registers.push_back({std::string(name.text), 0, pointer});
    return static_cast<register_id>(thread_.registers.size() - 1);
  }

  // Expressions are walked recursively, also those that are long rather than nested.
  void count(const place& at) {
    constexpr int most = 2000;
    if (++nodes_ > most) in_.fail(at, "this expression is too long: split the statement");
  }

  token take(std::string_view symbol, const std::string& where) {
    return take_symbol(in_, symbol, where);
  }

  lexer& in_;
  thread thread_;
  const std::vector<parameter>& parameters_;
  std::string name_;
  unsigned loop_bound_;
  statements* out_ = nullptr;
  std::vector<register_id> temporaries_;
  int nodes_ = 0;
};

}  // namespace

thread parse_body(lexer& in, thread begun, const std::vector<parameter>& parameters,
                  const std::string& name, unsigned loop_bound) {
  return body_parser(in, std::move(begun), parameters, name, loop_bound).parse();
}

}  // namespace fencepost::litmus
