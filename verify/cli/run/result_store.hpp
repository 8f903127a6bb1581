// Results of earlier runs, in a file: a line of JSON each, added as soon as it is known, so that an
// interrupt loses nothing. A result counts as long as the digest of the code that it depends on is
// the same.
#pragma once

#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "run/entry.hpp"

namespace fencepost::cli {

// Of all of them.
std::set<std::string> digests_of(const std::vector<entry>&);

class result_store {
 public:
  // "": stores nothing. `digests`: of the program as it is; what belongs to others is dropped from
  // the file. Throws usage_error if the file cannot be written or is no such file.
  result_store(std::string path, const std::set<std::string>& digests);
  result_store(const result_store&) = delete;
  result_store& operator=(const result_store&) = delete;
  ~result_store();

  // The result of such a run; not one that was cut short by other limits than these.
  std::optional<verify::result> find(const entry&, const verify::options&) const;
  // Without the steps of its counterexample. Nothing for an entry without a digest, or a run that
  // an interrupt ended.
  void add(const entry&, const verify::options&, const verify::result&);

 private:
  static std::string key_of(const entry&, const verify::options&);
  // Adds to `kept` the lines that go on counting; false: the file has others, or there is none.
  bool read(const std::set<std::string>& digests, std::string& kept);

  std::string path_;
  std::FILE* file_ = nullptr;
  std::map<std::string, std::string> results_;  // the lines' "result"
};

}  // namespace fencepost::cli
