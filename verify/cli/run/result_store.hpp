// Results of earlier runs, in a file: a line of JSON each, added as soon as it is known, so that an
// interrupt loses nothing. A result is valid as long as the digest of the code that it depends on
// is the same.
#pragma once

#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "run/entry.hpp"

namespace fencepost::cli {

// Returns the digests of all entries.
std::set<std::string> digests_of(const std::vector<entry>&);

class result_store {
 public:
  // "": stores nothing. `digests`: those of the current program; results with others are dropped
  // from the file. Throws usage_error if the file cannot be written or is not a file of results.
  result_store(std::string path, const std::set<std::string>& digests);
  result_store(const result_store&) = delete;
  result_store& operator=(const result_store&) = delete;
  ~result_store();

  // Returns the result of such a run, unless other limits than these cut it short.
  std::optional<verify::result> find(const entry&, const verify::options&) const;
  // Stores the result, with only the first step of its counterexample. Does nothing for an entry
  // without a digest, or for a run that an interrupt ended.
  void add(const entry&, const verify::options&, const verify::result&);

 private:
  static std::string key_of(const entry&, const verify::options&);
  // Adds to `kept` the lines that are still valid. Returns false if the file has others, or if
  // there is none.
  bool read(const std::set<std::string>& digests, std::string& kept);

  std::string path_;
  std::FILE* file_ = nullptr;
  std::map<std::string, std::string> results_;  // the "result" of each line, by its "key"
};

}  // namespace fencepost::cli
