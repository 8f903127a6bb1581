// Relacy itself, without the macros that it leaves behind.
//
// It is not a part of Fencepost: the include path has it, or RELACY_ROOT says where it is. It is
// taken as a system header, relacy.hpp alone; its imitations of standard headers are not used.
//
// It replaces the global operator new and delete, by inline functions. A program that includes it
// must not link what replaces them too, as the checker does.
#pragma once

// Before Relacy, which gives names of theirs to its own.
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
