// The entries of a directory, with their types as recorded in the directory: the system is asked
// about an entry only if the directory has no type for it. std::filesystem creates a path for each
// entry, which costs more than everything else.
#pragma once

#include <filesystem>
#include <system_error>
#include <utility>

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#endif

enum class entry_type { directory, file, symlink, other };

#ifdef _WIN32

// Calls found(name, type) for each entry but "." and "..". Returns the error that ended it, if any.
template <class Found>
std::error_code for_each_entry(const std::filesystem::path& directory, Found&& found) {
  const auto error = [] {
    const auto code = GetLastError();
    if (code == ERROR_NO_MORE_FILES) return std::error_code{};
    return std::error_code{static_cast<int>(code), std::system_category()};
  };
  WIN32_FIND_DATAW entry;
  const HANDLE open = FindFirstFileExW((directory / L"*").c_str(), FindExInfoBasic, &entry,
                                       FindExSearchNameMatch, nullptr, FIND_FIRST_EX_LARGE_FETCH);
  if (open == INVALID_HANDLE_VALUE) return error();
  do {
    const wchar_t* const name = entry.cFileName;
    if (name[0] == L'.' && (name[1] == 0 || (name[1] == L'.' && name[2] == 0))) continue;
    found(name, entry.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT ? entry_type::symlink
                : entry.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY   ? entry_type::directory
                                                                      : entry_type::file);
  } while (FindNextFileW(open, &entry));
  const std::error_code ended = error();
  FindClose(open);
  return ended;
}

#else

inline entry_type type_of_mode(mode_t mode) {
  if (S_ISDIR(mode)) return entry_type::directory;
  if (S_ISREG(mode)) return entry_type::file;
  return S_ISLNK(mode) ? entry_type::symlink : entry_type::other;
}

// The type that the directory records, or else the one that the system reports. An entry that has
// been removed in the meantime counts as other.
inline entry_type type_of(DIR* open, const dirent& entry) {
#ifdef DT_UNKNOWN
  if (entry.d_type != DT_UNKNOWN) return type_of_mode(static_cast<mode_t>(DTTOIF(entry.d_type)));
#endif
  struct stat about;
  if (::fstatat(::dirfd(open), entry.d_name, &about, AT_SYMLINK_NOFOLLOW) != 0) {
    return entry_type::other;
  }
  return type_of_mode(about.st_mode);
}

// Calls found(name, type) for each entry but "." and "..". Returns the error that ended it, if any.
template <class Found>
std::error_code for_each_entry(const std::filesystem::path& directory, Found&& found) {
  const auto error = [] { return std::error_code{errno, std::generic_category()}; };
  struct closed_after {
    DIR* open;
    ~closed_after() {
      if (open != nullptr) ::closedir(open);
    }
  } const list{::opendir(directory.c_str())};
  if (list.open == nullptr) return error();
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(list.open);
    if (entry == nullptr) return errno == 0 ? std::error_code{} : error();
    const char* const name = entry->d_name;
    if (name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0))) continue;
    found(name, type_of(list.open, *entry));
  }
}

#endif
