// Texts that functions of the C library format.
#pragma once

#include <cstdarg>
#include <string>

#include "session.hpp"

namespace fencepost::programs {

// Watches the program's memory that formatting reads, and writes for %n.
void watch_format(const char* format, std::va_list arguments, const call_site&);
// Returns the text, for the checker's own use.
std::string text_of(const char* format, std::va_list arguments);

}  // namespace fencepost::programs
