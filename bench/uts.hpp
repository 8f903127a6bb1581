// Unbalanced tree search: a tree that is revealed only as it is visited, and whose subtrees differ
// widely in size. Olivier, Huan, Liu, Prins, Dinan, Sadayappan, Tseng, "UTS: An Unbalanced
// Tree Search Benchmark", LCPC 2006; the trees T1, T2 and T3 of its sample workloads, version 2.1.
//
// A node is 20 bytes, and its i-th child the SHA-1 of these and of i, so that any thread can
// generate any subtree, and all generate the same. The last four bytes determine the number of
// children.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace fencepost::bench::uts {

// SHA-1 (FIPS 180-4) of a message of words, most significant byte first, that fits into a block.
using digest = std::array<std::uint32_t, 5>;

template <std::size_t N>
digest sha1(const std::array<std::uint32_t, N>& message) noexcept {
  static_assert(N <= 13, "the message, a bit and its length are one block");
  std::array<std::uint32_t, 16> w{};
  for (std::size_t i = 0; i < N; ++i) w[i] = message[i];
  w[N] = 0x8000'0000;
  w[15] = N * 32;

  constexpr digest start = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::uint32_t a = start[0], b = start[1], c = start[2], d = start[3], e = start[4];
  // Keeps only the last sixteen of the 80 words of the schedule.
  const auto word = [&w](std::size_t t) {
    if (t >= 16) {
      w[t % 16] = std::rotl(w[(t - 3) % 16] ^ w[(t - 8) % 16] ^ w[(t - 14) % 16] ^ w[t % 16], 1);
    }
    return w[t % 16];
  };
  const auto step = [&](std::uint32_t f, std::uint32_t k, std::size_t t) {
    const std::uint32_t next = std::rotl(a, 5) + f + e + k + word(t);
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  };
#pragma GCC unroll 20
  for (std::size_t t = 0; t < 20; ++t) step((b & c) | (~b & d), 0x5a827999, t);
#pragma GCC unroll 20
  for (std::size_t t = 20; t < 40; ++t) step(b ^ c ^ d, 0x6ed9eba1, t);
#pragma GCC unroll 20
  for (std::size_t t = 40; t < 60; ++t) step((b & c) | (b & d) | (c & d), 0x8f1bbcdc, t);
#pragma GCC unroll 20
  for (std::size_t t = 60; t < 80; ++t) step(b ^ c ^ d, 0xca62c1d6, t);
  return {start[0] + a, start[1] + b, start[2] + c, start[3] + d, start[4] + e};
}

struct node {
  digest state;
  std::uint32_t depth;
};

inline node child(const node& of, std::uint32_t i) noexcept {
  const digest& s = of.state;
  return {sha1<6>({s[0], s[1], s[2], s[3], s[4], i}), of.depth + 1};
}

inline node root(std::uint32_t seed) noexcept { return {sha1<5>({0, 0, 0, 0, seed}), 0}; }

// Uniformly distributed in [0, 1).
inline double uniform(const node& n) noexcept { return (n.state[4] & 0x7fff'ffffU) / 2147483648.0; }

// Returns a node's number of children, if that is geometrically distributed with this mean.
inline std::uint32_t geometric(const node& of, double mean) noexcept {
  const double p = 1 / (1 + mean);
  const double count = std::floor(std::log(1 - uniform(of)) / std::log(1 - p));
  return count > 100 ? 100 : static_cast<std::uint32_t>(count);
}

// T1: geometric with a mean of four; no children below level 9. Shallow and bushy.
struct t1 {
  static constexpr std::uint32_t seed = 19;
  static constexpr std::uint64_t nodes = 4'130'071;
  static constexpr std::uint64_t leaves = 3'305'118;
  static constexpr std::uint32_t depth = 10;

  static std::uint32_t children(const node& of) noexcept {
    return of.depth < depth ? geometric(of, 4) : 0;
  }
};

// T2: geometric with a mean that rises and falls with the depth, between 6 and a sixth, every 16
// levels; no children below level 80.
struct t2 {
  static constexpr std::uint32_t seed = 502;
  static constexpr std::uint64_t nodes = 4'117'769;
  static constexpr std::uint64_t leaves = 2'342'762;
  static constexpr std::uint32_t depth = 81;

  static std::uint32_t children(const node& of) noexcept {
    constexpr double mean_of_root = 6, period = 16;
    const double depth_of = of.depth;
    double mean = mean_of_root;
    if (of.depth > 5 * static_cast<std::uint32_t>(period)) {
      mean = 0;
    } else if (of.depth > 0) {
      mean = std::pow(mean_of_root, std::sin(2 * 3.141592653589793 * depth_of / period));
    }
    return geometric(of, mean);
  }
};

// T3: binomial, eight children or none; the root has two thousand. Deep, with mostly tiny subtrees.
struct t3 {
  static constexpr std::uint32_t seed = 42;
  static constexpr std::uint64_t nodes = 4'112'897;
  static constexpr std::uint64_t leaves = 3'599'034;
  static constexpr std::uint32_t depth = 1572;

  static std::uint32_t children(const node& of) noexcept {
    if (of.depth == 0) return 2000;
    return uniform(of) < 0.124875 ? 8 : 0;
  }
};

// The size of a subtree.
struct counts {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  std::uint32_t depth = 0;  // of its deepest node

  counts& operator+=(const counts& other) noexcept {
    nodes += other.nodes;
    leaves += other.leaves;
    if (other.depth > depth) depth = other.depth;
    return *this;
  }
  friend bool operator==(const counts&, const counts&) = default;
};

template <class Tree>
counts sequential(const node& at) noexcept {
  const std::uint32_t children = Tree::children(at);
  counts found{1, children == 0 ? 1U : 0U, at.depth};
  for (std::uint32_t i = 0; i < children; ++i) found += sequential<Tree>(child(at, i));
  return found;
}

}  // namespace fencepost::bench::uts
