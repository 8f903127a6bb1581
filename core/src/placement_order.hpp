// The order in which the cores of a machine are numbered as places.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <vector>

namespace fencepost::detail {

// Takes the memory node of each core; returns the core that is place 0, 1, ...: the first core of
// each node, then the second of each, and so on, nodes and cores in the order of their numbers.
inline std::vector<std::size_t> spread_first(const std::vector<unsigned>& node_of_core) {
  std::map<unsigned, std::size_t> cores_of_node;
  std::vector<std::size_t> rank;  // of each core within its node
  rank.reserve(node_of_core.size());
  for (const unsigned node : node_of_core) rank.push_back(cores_of_node[node]++);

  std::vector<std::size_t> order(node_of_core.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rank[a] != rank[b] ? rank[a] < rank[b] : node_of_core[a] < node_of_core[b];
  });
  return order;
}

}  // namespace fencepost::detail
