#include "fencepost/runtime/chrome_trace.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include "fencepost/exceptions.hpp"
#include "trace_arrows.hpp"

namespace fencepost {
namespace {

using detail::in_order, detail::is_moment, detail::ordered_events, detail::trace_arrows;

// The length of the UTF-8 character that the text begins with; 0 if it begins with none.
std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xc0) != 0x80) return 0;
  }
  // Overlong encodings, surrogates, and numbers beyond the last character.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) ||
      (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) > 0x8f)) {
    return 0;
  }
  return length;
}

// One line of the file.
class line {
 public:
  line& raw(std::string_view text) {
    text_ += text;
    return *this;
  }
  line& number(std::uint64_t value) {
    char digits[20];
    text_.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
    return *this;
  }
  // Appends the time in microseconds.
  line& time(std::int64_t nanoseconds) {
    const auto value = static_cast<std::uint64_t>(nanoseconds);
    const auto rest = std::to_string(1000 + value % 1000);
    return number(value / 1000).raw(".").raw(std::string_view{rest}.substr(1));
  }
  line& string(std::string_view text) {
    text_ += '"';
    while (!text.empty()) {
      const std::size_t length = length_of_character(text);
      const char c = text[0];
      if (length == 0) {
        text_ += "\xEF\xBF\xBD";
      } else if (c == '"' || c == '\\') {
        (text_ += '\\') += c;
      } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        constexpr char digits[] = "0123456789abcdef";
        ((text_ += "\\u00") += digits[c >> 4]) += digits[c & 15];
      } else {
        text_ += text.substr(0, length);
      }
      text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    text_ += '"';
    return *this;
  }
  std::string_view text() const { return text_; }
  void clear() { text_.clear(); }

 private:
  std::string text_;
};

const char* category_of(trace_kind kind) {
  switch (kind) {
    case trace_kind::task: return "task";
    case trace_kind::wait: return "wait";
    case trace_kind::span: return "span";
    case trace_kind::park: return "park";
    case trace_kind::steal: return "steal";
    case trace_kind::wake: break;
  }
  return "wake";
}

std::int64_t earliest_of(const std::vector<runtime_trace>& all) {
  std::int64_t earliest = std::numeric_limits<std::int64_t>::max();
  for (const auto& runtime : all) {
    for (const auto& thread : runtime.threads) {
      for (const auto& event : thread.events) earliest = std::min(earliest, event.begin);
    }
  }
  return earliest;
}

std::string name_of(const runtime_trace& runtime, std::size_t index) {
  const std::string& name = runtime.threads[index].name;
  return name.empty() ? "worker " + std::to_string(index) : name;
}

// `sink` takes the text, a line at a time. The output accommodates some viewers. Perfetto truncates
// each time to nanoseconds by itself, so ends are written rather than durations. Some versions of
// it look for the times with a parser that does not know \\u, so names come after the times; and
// they take all times to be nanoseconds if displayTimeUnit says so, so that is not written.
// Perfetto identifies threads by their numbers alone, and takes the one with the number of its
// process for the main thread. speedscope finds the beginning that belongs to an end by its name.
template <class Sink>
class chrome_trace {
 public:
  chrome_trace(const std::vector<runtime_trace>& all, Sink& sink)
      : all_{all}, zero_{earliest_of(all)}, sink_{sink} {}

  void write() {
    sink_("{\"traceEvents\":[");
    for (const auto& runtime : all_) write(runtime);
    sink_("\n]}\n");
  }

 private:
  void write(const runtime_trace& runtime) {
    process_ = thread_;
    end(begin("M").raw(R"(,"name":"process_name","args":{"name":)").string(runtime.name).raw("}"));
    end(begin("M")
            .raw(R"(,"name":"process_sort_index","args":{"sort_index":)")
            .number(process_)
            .raw("}"));
    std::vector<ordered_events> orders;
    for (const thread_trace& thread : runtime.threads) orders.push_back(in_order(thread.events));
    const trace_arrows arrows{orders, last_arrow_};
    for (std::size_t index = 0; index < runtime.threads.size(); ++index, ++thread_) {
      end(begin("M")
              .raw(R"(,"name":"thread_name","args":{"name":)")
              .string(name_of(runtime, index))
              .raw("}"));
      end(begin("M")
              .raw(R"(,"name":"thread_sort_index","args":{"sort_index":)")
              .number(index)
              .raw("}"));
      write(runtime, runtime.threads[index].lost, orders[index], arrows, arrows.from(index));
    }
    if (runtime.threads.empty()) ++thread_;
  }

  void write(const runtime_trace& runtime, std::uint64_t lost, const ordered_events& order,
             const trace_arrows& arrows, const std::vector<trace_arrows::departure>& departures) {
    if (lost != 0 && !order.empty()) {
      end(begin("i", order[0]->begin)
              .raw(R"(,"s":"t","cat":"lost","name":"lost events","args":{"events":)")
              .number(lost)
              .raw("}"));
    }
    std::vector<const trace_event*> open;  // the events that enclose the next one
    const auto close_until = [&](std::int64_t time) {
      for (; !open.empty() && open.back()->end <= time; open.pop_back()) {
        end(begin("E", open.back()->end).raw(R"(,"name":)").string(open.back()->name));
      }
    };
    auto departure = departures.begin();
    const auto depart_before = [&](std::int64_t time) {
      for (; departure != departures.end() && departure->at < time; ++departure) {
        close_until(departure->at);
        write_arrow("s", departure->at, departure->number);
      }
    };
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    for (const trace_event* each : order) {
      depart_before(each->begin);
      close_until(each->begin);
      write(runtime, *each);
      if (const std::uint64_t arrow = arrows.to(*each); arrow != 0) {
        write_arrow("f", each->begin, arrow);
      }
      if (!is_moment(*each)) open.push_back(each);
    }
    depart_before(never);
    close_until(never);
  }

  // An arrow's beginning belongs to the event that encloses it, its end to the next event to begin.
  void write_arrow(std::string_view phase, std::int64_t time, std::uint64_t arrow) {
    end(begin(phase, time).raw(R"(,"cat":"steal","name":"stolen","id":)").number(arrow));
  }

  void write(const runtime_trace& runtime, const trace_event& event) {
    line& text =
        is_moment(event) ? begin("i", event.begin).raw(R"(,"s":"t")") : begin("B", event.begin);
    text.raw(R"(,"cat":")").raw(category_of(event.kind)).raw(R"(","name":)").string(event.name);
    if (event.other < runtime.threads.size()) {
      text.raw(event.kind == trace_kind::steal ? R"(,"args":{"from":)" : R"(,"args":{"thread":)")
          .string(name_of(runtime, event.other))
          .raw("}");
    }
    end(text);
  }

  line& begin(std::string_view phase) {
    line_.clear();
    line_.raw(first_ ? "\n" : ",\n").raw(R"({"ph":")").raw(phase);
    first_ = false;
    return line_.raw(R"(","pid":)").number(process_).raw(R"(,"tid":)").number(thread_);
  }
  line& begin(std::string_view phase, std::int64_t time) {
    return begin(phase).raw(R"(,"ts":)").time(time - zero_);
  }
  void end(line& text) { sink_(text.raw("}").text()); }

  const std::vector<runtime_trace>& all_;
  const std::int64_t zero_;
  Sink& sink_;
  std::uint64_t process_ = 0, thread_ = 1, last_arrow_ = 0;
  bool first_ = true;
  line line_;
};

[[noreturn]] void refused(const std::string& path, const char* what, int error) {
  detail::raise<std::system_error>(
      error, std::generic_category(),
      "write_chrome_trace: cannot " + std::string{what} + " '" + path + "'");
}

}  // namespace

void write_chrome_trace(std::ostream& out, const std::vector<runtime_trace>& of) {
  const auto sink = [&](std::string_view text) {
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
  };
  chrome_trace{of, sink}.write();
  if (!out.flush()) {
    detail::raise<std::runtime_error>(
        "write_chrome_trace: the stream failed before or while the trace was written; check that "
        "its device has room");
  }
}

void write_chrome_trace(const std::string& path, const std::vector<runtime_trace>& of) {
  struct close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, close> file{std::fopen(path.c_str(), "wb")};
  if (file == nullptr) refused(path, "open", errno);
  const auto sink = [&](std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) {
      refused(path, "write", errno);
    }
  };
  chrome_trace{of, sink}.write();
  if (std::fclose(file.release()) != 0) refused(path, "write", errno);
}

}  // namespace fencepost
