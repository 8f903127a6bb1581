// The files that the user names to be read.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fencepost::cli {

// Why a file cannot be read: "Is a directory".
struct unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Whole, unless it is larger than any file that the program has a use for: a device may have no
// end. Says on standard error that it waits for a pipe that nobody writes to. Throws unreadable.
std::string content_of(const std::filesystem::path&);

// For the user's files: throws usage_error, which begins with `option`.
std::string read_input(const std::string& option, const std::string& path);

// One that this program wrote for `command`, in the format that it writes. Throws usage_error:
// "OPTION: 'PATH' is not WHAT: ...".
nlohmann::ordered_json read_document(const std::string& option, const std::string& path,
                                     std::string_view command, const std::string& what);

// What is wrong with a document, of what was thrown, in words for a person.
std::string in_words(const std::exception&);

}  // namespace fencepost::cli
