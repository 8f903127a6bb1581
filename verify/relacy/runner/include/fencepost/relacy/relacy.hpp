// Relacy itself, without the macros that it leaves behind.
//
// Relacy is not a part of Fencepost: it is on the include path, or RELACY_ROOT says where it is.
// Only relacy.hpp is included, as a system header; its imitations of standard headers are not used.
//
// It replaces the global operator new and delete by inline functions. A program that includes it
// must not link anything else that replaces them, such as the checker.
#pragma once

// Included before Relacy, which uses names from these headers for its own purposes.
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <thread>

#pragma push_macro("$")
#pragma push_macro("assert")
#pragma push_macro("calloc")
#pragma push_macro("errno")
#pragma push_macro("free")
#pragma push_macro("malloc")
#pragma push_macro("realloc")

#include <relacy/relacy.hpp>

#pragma pop_macro("$")
#pragma pop_macro("assert")
#pragma pop_macro("calloc")
#pragma pop_macro("errno")
#pragma pop_macro("free")
#pragma pop_macro("malloc")
#pragma pop_macro("realloc")
