// A recursive-descent parser of herd's C format: the threads are here; the initial state is in
// initial_state.cpp, bodies in body.cpp, conditions in final_state.cpp.
#include "fencepost/litmus/parse.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include "body.hpp"
#include "final_state.hpp"
#include "initial_state.hpp"
#include "lexer.hpp"
#include "syntax.hpp"

namespace fencepost::litmus {

parse_error::parse_error(const std::string& file, std::size_t line, std::size_t column,
                         const std::string& message)
    : std::runtime_error(line == 0 ? file + ": " + message
                                   : file + ':' + std::to_string(line) + ':' +
                                         std::to_string(column) + ": " + message),
      file_(file),
      line_(line),
      column_(column),
      message_(message) {}

namespace {

class file_parser {
 public:
  file_parser(std::string_view text, const std::string& file, const parse_options& options)
      : in_(text, file), options_(options) {}

  program parse() {
    header();
    initial_state_.parse();
    bodies();
    initial_state_.check_pointers();
    parse_final_state(in_, program_);
    return std::move(program_);
  }

 private:
  void header() {
    const place begin = in_.here();
    const std::string_view architecture = in_.word();
    if (architecture.empty()) in_.fail(begin, "expected the header \"C name\", found nothing");
    if (architecture != "C") {
      in_.fail(begin, "unsupported: architecture " + quote(architecture) +
                          "; expected the header \"C name\"");
    }
    const place name = in_.here();
    program_.name = in_.word();
    if (program_.name.empty() || program_.name.front() == '{') {
      in_.fail(name, "expected the name of the test after C");
    }
    in_.skip_to_brace();
  }

  // -------------------------------------------------------------- P0 (atomic_int* x) { … }

  void bodies() {
    while (in_.peek().is("void") || is_thread_name(in_.peek())) {
      if (in_.peek().is("void")) in_.take();
      const token name = in_.take();
      const auto expected = "P" + std::to_string(program_.threads.size());
      if (name.text != expected) {
        in_.fail(name.at, "expected " + expected + ", found " + found(name) +
                              ": threads are numbered in order");
      }
      take("(", "after " + expected);
      const std::vector<parameter> parameters = take_parameters();
      program_.threads.push_back(parse_body(in_,
                                            initial_state_.thread_numbered(program_.threads.size()),
                                            parameters, expected, options_.loop_bound));
    }
    if (program_.threads.empty()) {
      in_.fail(in_.peek().at, "expected P0 and its body, found " + found(in_.peek()));
    }
    initial_state_.check_threads();
  }

  std::vector<parameter> take_parameters() {
    std::vector<parameter> parameters;
    if (in_.peek().is("void")) {
      in_.take();
      take(")", "after void");
      return parameters;
    }
    while (!in_.peek().is(")")) {
      const token& first = in_.peek();
      if (!is_type(first)) {
        in_.fail(first.at, "expected a parameter such as atomic_int* x, found " + found(first));
      }
      const type_name type = take_type(in_);
      const token name = in_.take();
      if (name.what != token::kind::identifier) {
        in_.fail(name.at, "expected the name of a parameter, found " + found(name));
      }
      if (type.stars == 0) in_.fail(type.at, "unsupported: parameters that are not pointers");
      if (type.stars > 2) in_.fail(type.at, "unsupported: pointers to pointers as values");
      if (in_.peek().is("[")) in_.fail(in_.peek().at, "unsupported: arrays");
      const location_id id = location_of(program_, name.text);
      // A location is atomic when its initial value or some thread's parameter says so.
      if (type.atomic) program_.locations[id].kind = location_kind::atomic;
      const bool pointer = type.stars == 2;
      if (pointer != program_.locations[id].pointer) declare_pointer(id, pointer, name);
      named_by_parameter_.resize(program_.locations.size());
      named_by_parameter_[id] = true;
      parameters.push_back({std::string(name.text), id, pointer});
      if (in_.peek().is(")")) break;
      take(",", "or ) after a parameter");
    }
    in_.take();
    return parameters;
  }

  // The initial state need not say whether a location is a pointer; the parameters must agree.
  void declare_pointer(location_id id, bool pointer, const token& name) {
    const bool elsewhere = id < named_by_parameter_.size() && named_by_parameter_[id];
    if (!pointer || elsewhere) {
      in_.fail(name.at, quote(name.text) + " is a pointer " +
                            (pointer ? "here and a number elsewhere" : "elsewhere") +
                            "; expected " + (pointer ? "one star" : "two stars"));
    }
    if (program_.locations[id].initial != 0) refuse_number_for_pointer(in_, name);
    program_.locations[id].pointer = true;
  }

  token take(std::string_view symbol, const std::string& where) {
    return take_symbol(in_, symbol, where);
  }

  lexer in_;
  parse_options options_;
  program program_;
  initial_state initial_state_{in_, program_};
  std::vector<bool> named_by_parameter_;  // by location
};

}  // namespace

program parse(std::string_view text, const std::string& file, const parse_options& options) {
  return file_parser(text, file, options).parse();
}

program parse_file(const std::filesystem::path& path, const parse_options& options) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw parse_error(path.string(), 0, 0, "is a folder; expected a litmus file");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw parse_error(path.string(), 0, 0, "cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) throw parse_error(path.string(), 0, 0, "cannot be read");
  return parse(text, path.string(), options);
}

}  // namespace fencepost::litmus
