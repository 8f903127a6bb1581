// to_litmus(): a program as a file that parse() reads back.
#include <algorithm>

#include "body_uses.hpp"
#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

namespace {

std::string_view spell(operation op) {
  switch (op) {
    case operation::negate: return "-";
    case operation::bit_not: return "~";
    case operation::logical_not: return "!";
    case operation::add: return " + ";
    case operation::subtract: return " - ";
    case operation::multiply: return " * ";
    case operation::divide: return " / ";
    case operation::remainder: return " % ";
    case operation::bit_and: return " & ";
    case operation::bit_or: return " | ";
    case operation::bit_xor: return " ^ ";
    case operation::equal: return " == ";
    case operation::not_equal: return " != ";
    case operation::less: return " < ";
    case operation::less_equal: return " <= ";
    case operation::greater: return " > ";
    case operation::greater_equal: return " >= ";
    case operation::constant:
    case operation::reg: break;
  }
  return "?";
}

std::string_view spell(rmw_operation op) {
  switch (op) {
    case rmw_operation::exchange: return "atomic_exchange";
    case rmw_operation::fetch_add: return "atomic_fetch_add";
    case rmw_operation::fetch_sub: return "atomic_fetch_sub";
    case rmw_operation::fetch_and: return "atomic_fetch_and";
    case rmw_operation::fetch_or: return "atomic_fetch_or";
    case rmw_operation::fetch_xor: return "atomic_fetch_xor";
  }
  return "?";
}

std::string spell(access_order o) { return "memory_order_" + std::string(to_string(o)); }

std::string_view suffix(word_part part) {
  switch (part) {
    case word_part::whole: return "";
    case word_part::low: return ".low";
    case word_part::high: return ".high";
  }
  return "?";
}

class printer {
 public:
  explicit printer(const program& p) : program_(p) {}

  std::string print() {
    std::vector<bool> used(program_.locations.size(), false);
    std::vector<body_uses> by_thread;
    for (const thread& t : program_.threads) {
      body_uses& u = by_thread.emplace_back(program_);
      u.see(t.body);
      for (std::size_t i = 0; i < used.size(); ++i) used[i] = used[i] || u.touched()[i];
    }
    text_ = "C " + program_.name + '\n';
    print_init(used, by_thread);
    for (unsigned i = 0; i < program_.threads.size(); ++i) print_thread(i, by_thread[i]);
    if (!program_.displayed.empty()) {
      text_ += "\nlocations [";
      for (const observable& o : program_.displayed) {
        if (text_.back() != '[') text_ += ' ';
        text_ += (o.thread ? to_string(program_, o) : program_.locations[o.index].name) + ';';
      }
      text_ += ']';
    }
    if (program_.filter) text_ += "\nfilter (" + to_string(program_, *program_.filter) + ')';
    text_ += '\n' + to_string(program_, program_.condition) + '\n';
    return std::move(text_);
  }

 private:
  // True if the text numbers the registers like the program does: in the order in which the init
  // section names them, then the bodies. Otherwise the init section names all registers.
  bool numbered_by_text(const thread& t, const body_uses& u) const {
    std::vector<register_id> order;
    for (register_id r = 0; r < t.registers.size(); ++r) {
      if (t.registers[r].initial != 0) order.push_back(r);
    }
    for (const register_id r : u.assigned()) {
      if (t.registers[r].initial == 0) order.push_back(r);
    }
    if (u.early() || order.size() != t.registers.size()) return false;
    return std::is_sorted(order.begin(), order.end());
  }

  void print_init(const std::vector<bool>& used, const std::vector<body_uses>& by_thread) {
    text_ += '{';
    for (std::size_t i = 0; i < program_.locations.size(); ++i) {
      const location& l = program_.locations[i];
      const std::string_view type = l.kind == location_kind::plain ? "int" : "atomic_int";
      text_ += ' ';
      // The parameters say the type of a location that is used.
      if (!used[i]) text_ += std::string(type) + (l.pointer ? "* " : " ");
      text_ += l.name + '=' + initial(l.initial) + ';';
    }
    named_by_init_.clear();
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      const thread& th = program_.threads[t];
      const bool all = !numbered_by_text(th, by_thread[t]);
      std::vector<bool>& named = named_by_init_.emplace_back(th.registers.size(), false);
      for (register_id r = 0; r < th.registers.size(); ++r) {
        if (!all && th.registers[r].initial == 0) continue;
        named[r] = true;
        text_ += std::string(th.registers[r].pointer ? " int* " : " ") + std::to_string(t) + ':' +
                 th.registers[r].name + '=' + initial(th.registers[r].initial) + ';';
      }
    }
    text_ += " }\n";
  }

  void print_thread(unsigned index, const body_uses& u) {
    thread_ = &program_.threads[index];
    declared_ = named_by_init_[index];
    text_ += "\nP" + std::to_string(index) + " (";
    bool first = true;
    for (std::size_t i = 0; i < program_.locations.size(); ++i) {
      if (!u.touched()[i]) continue;
      if (!first) text_ += ", ";
      first = false;
      const location& l = program_.locations[i];
      text_ += l.kind == location_kind::plain    ? "int*"
               : l.kind == location_kind::atomic ? "atomic_int*"
                                                 : "halves*";
      text_ += std::string(l.pointer ? "* " : " ") + l.name;
    }
    text_ += ") {\n";
    print_body(thread_->body, 1);
    text_ += "}\n";
  }

  void print_body(const std::vector<statement>& body, int depth) {
    for (const statement& s : body) {
      std::visit([&](const auto& what) { print(what, depth); }, s.what);
    }
  }

  void line(int depth, const std::string& text) {
    text_.append(static_cast<std::size_t>(depth) * 2, ' ');
    text_ += text + '\n';
  }

  std::string target(const std::optional<register_id>& r) {
    if (!r) return {};
    const register_info& to = thread_->registers[*r];
    std::string text = declared_[*r] ? "" : to.pointer ? "int* " : "int ";
    declared_[*r] = true;
    return text + to.name + " = ";
  }

  std::string initial(value v) const {
    return (location_at(program_, v) ? "&" : "") + litmus::spell(program_, v);
  }

  // Returns the target of an access.
  std::string place(location_id named, word_part part,
                    const std::optional<expression>& through) const {
    return through ? text(*through) : name(named, part);
  }
  std::string star(location_id named, word_part part,
                   const std::optional<expression>& through) const {
    return through ? "*(" + text(*through) + ')' : '*' + name(named, part);
  }

  std::string name(location_id l, word_part part = word_part::whole) const {
    return program_.locations[l].name + std::string(suffix(part));
  }

  std::string text(const expression& e, bool nested = false) const {
    std::string result;
    switch (e.operands.size()) {
      case 0:
        return e.op == operation::reg ? thread_->registers[e.reg].name
                                      : litmus::spell(program_, e.constant);
      // "-(5)" is the operator applied to 5, "-5" the number.
      case 1: return std::string(spell(e.op)) + '(' + text(e.operands[0]) + ')';
      default:
        result = text(e.operands[0], true) + std::string(spell(e.op)) + text(e.operands[1], true);
        return nested ? '(' + result + ')' : result;
    }
  }

  void print(const load& s, int depth) {
    if (s.order == access_order::plain) {
      const std::string from = star(s.from, s.part, s.through);
      line(depth, (s.to ? target(s.to) : "(void)") + from + ';');
      return;
    }
    const std::string from = place(s.from, s.part, s.through);
    line(depth, target(s.to) + "atomic_load_explicit(" + from + ", " + spell(s.order) + ");");
  }

  void print(const store& s, int depth) {
    if (s.order == access_order::plain) {
      line(depth, star(s.to, s.part, s.through) + " = " + text(s.what) + ';');
      return;
    }
    line(depth, "atomic_store_explicit(" + place(s.to, s.part, s.through) + ", " + text(s.what) +
                    ", " + spell(s.order) + ");");
  }

  void print(const modify& s, int depth) {
    const std::string at = place(s.at, s.part, s.through);
    const std::string operand = text(s.operand);
    line(depth, target(s.to) + std::string(spell(s.op)) + "_explicit(" + at + ", " + operand +
                    ", " + spell(s.order) + ");");
  }

  void print(const compare_exchange& s, int depth) {
    const auto* location = std::get_if<compare_exchange::in_location>(&s.expected);
    const auto* local = std::get_if<compare_exchange::in_register>(&s.expected);
    const std::string expected =
        location ? name(location->id) : '&' + thread_->registers[local->id].name;
    const std::string at = place(s.at, s.part, s.through);
    const std::string rest = expected + ", " + text(s.desired) + ", " + spell(s.success) + ", " +
                             spell(s.failure) + ");";
    line(depth, target(s.to) + "atomic_compare_exchange_" + (s.weak ? "weak" : "strong") +
                    "_explicit(" + at + ", " + rest);
  }

  void print(const fence& s, int depth) {
    line(depth, "atomic_thread_fence(" + spell(s.order) + ");");
  }

  void print(const assign& s, int depth) {
    const std::string what = text(s.what);
    line(depth, target(s.to) + what + ';');
  }

  void print(const branch& s, int depth) {
    line(depth, "if (" + text(s.condition) + ") {");
    print_body(s.then, depth + 1);
    if (!s.otherwise.empty()) {
      line(depth, "} else {");
      print_body(s.otherwise, depth + 1);
    }
    line(depth, "}");
  }

  void print(const loop& s, int depth) {
    print_body(s.before, depth);
    line(depth, "while (" + text(s.condition) + ") {");
    print_body(s.body, depth + 1);
    print_body(s.before, depth + 1);
    line(depth, "}");
  }

  const program& program_;
  std::string text_;
  const thread* thread_ = nullptr;
  std::vector<bool> declared_;
  std::vector<std::vector<bool>> named_by_init_;
};

}  // namespace

std::string to_litmus(const program& p) { return printer(p).print(); }

}  // namespace fencepost::litmus
