// Input files that the user names.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fencepost::cli {

// Thrown for a file that cannot be read; what() is the reason, such as "Is a directory".
struct unreadable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Returns the whole content. Rejects a file that is larger than any that the program has a use for,
// since a device may have no end. Reports on standard error when it waits for a pipe without a
// writer. Throws unreadable.
std::string content_of(const std::filesystem::path&);

// Like content_of(), for the user's files: throws usage_error, whose message begins with `option`.
std::string read_input(const std::string& option, const std::string& path);

// Reads a document that this program wrote for `command`, in the current format. Throws
// usage_error: "OPTION: 'PATH' is not WHAT: ...".
nlohmann::ordered_json read_document(const std::string& option, const std::string& path,
                                     std::string_view command, const std::string& what);

// Says what is wrong with a document, given the exception that reading it threw.
std::string in_words(const std::exception&);

}  // namespace fencepost::cli
