// Texts that functions of the C library print by a format.
#pragma once

#include <cstdarg>
#include <string>

#include "session.hpp"

namespace fencepost::programs {

// What is read of the program's memory for them.
void watch_format(const char* format, std::va_list arguments, const call_site&);
// The text, for the checker's own use.
std::string text_of(const char* format, std::va_list arguments);

}  // namespace fencepost::programs
