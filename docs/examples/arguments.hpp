// The arguments of the fork-join examples: [N [WORKERS]].
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>
#include <system_error>

struct arguments {
  unsigned n;
  std::optional<std::uint32_t> workers;  // one per processor if not given
};

struct range {
  unsigned otherwise, least, most;
};

// Parses a number from `least` to `most`, with nothing after it.
inline std::optional<unsigned> number(std::string_view text, unsigned least, unsigned most) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value >= least && value <= most ? std::optional{value} : std::nullopt;
}

// Parses the arguments. If they are wrong, prints why to stderr, and returns nothing.
inline std::optional<arguments> arguments_of(int argc, char** argv, const char* program, range n) {
  const auto refuse = [&](const char* given) {
    std::fprintf(stderr, ": \"%s\"\nusage: %s [N [WORKERS]]\n", given, program);
    return std::nullopt;
  };
  arguments wanted{n.otherwise, {}};
  if (argc > 3) {
    std::fprintf(stderr, "%s: too many arguments", program);
    return refuse(argv[3]);
  }
  if (argc > 1) {
    const auto given = number(argv[1], n.least, n.most);
    if (!given) {
      std::fprintf(stderr, "%s: N is a number from %u to %u", program, n.least, n.most);
      return refuse(argv[1]);
    }
    wanted.n = *given;
  }
  if (argc > 2 && !(wanted.workers = number(argv[2], 1, 1024))) {
    std::fprintf(stderr, "%s: WORKERS is a number from 1 to 1024", program);
    return refuse(argv[2]);
  }
  return wanted;
}
