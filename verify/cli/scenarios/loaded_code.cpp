#include "scenarios/loaded_code.hpp"

#if defined(__linux__)
#include <link.h>
#endif

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/checksum.hpp"

namespace fencepost::cli {
namespace {

bool is_of_the_system(std::string_view path) {
  for (const std::string_view folder : {"/lib/", "/lib32/", "/lib64/", "/usr/lib/", "/usr/lib64/"})
    if (path.starts_with(folder)) return true;
  return path.find('/') == std::string_view::npos;  // the kernel's
}

}  // namespace

std::string digest_of_loaded_code() {
  std::vector<std::string> files{"/proc/self/exe"};
#if defined(__linux__)
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* all) {
        if (!is_of_the_system(info->dlpi_name))
          static_cast<std::vector<std::string>*>(all)->emplace_back(info->dlpi_name);
        return 0;
      },
      &files);
#endif
  checksum sum;
  for (const std::string& file : files) {
    if (!sum.add_file(file)) return {};
  }
  return sum.text();
}

}  // namespace fencepost::cli
