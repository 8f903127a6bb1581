/* Included first in every program (C, C++): what compilers inline for these built-ins, after the
   accesses of the program were instrumented, would not be observed. Calls are. */
#ifndef FENCEPOST_CALLS_H
#define FENCEPOST_CALLS_H
#ifndef __ASSEMBLER__

#pragma GCC system_header

/* The functions that check sizes have other names, which are not known. On some systems they are
   g++'s default. */
#undef _FORTIFY_SOURCE

#if defined __clang__ && !defined FENCEPOST_CLANG
#error "clang compiles programs for the checker only through fencepost c++ and cc: FENCEPOST_CXX=clang++ fencepost c++"
#elif defined __clang__ && __clang_major__ < 14
#error "fencepost c++ and cc need clang 14 or later"
#endif

#ifdef __cplusplus
extern "C" {
#endif

void* __fencepost_memcpy(void*, const void*, __SIZE_TYPE__) __asm__("memcpy")
    __attribute__((__nothrow__));
void* __fencepost_memmove(void*, const void*, __SIZE_TYPE__) __asm__("memmove")
    __attribute__((__nothrow__));
void* __fencepost_memset(void*, int, __SIZE_TYPE__) __asm__("memset") __attribute__((__nothrow__));
int __fencepost_memcmp(const void*, const void*, __SIZE_TYPE__) __asm__("memcmp")
    __attribute__((__nothrow__));
__SIZE_TYPE__ __fencepost_strlen(const char*) __asm__("strlen") __attribute__((__nothrow__));
int __fencepost_strcmp(const char*, const char*) __asm__("strcmp") __attribute__((__nothrow__));
int __fencepost_strncmp(const char*, const char*, __SIZE_TYPE__) __asm__("strncmp")
    __attribute__((__nothrow__));
int __fencepost_bcmp(const void*, const void*, __SIZE_TYPE__) __asm__("bcmp")
    __attribute__((__nothrow__));
void __fencepost_bzero(void*, __SIZE_TYPE__) __asm__("bzero") __attribute__((__nothrow__));
void* __fencepost_mempcpy(void*, const void*, __SIZE_TYPE__) __asm__("mempcpy")
    __attribute__((__nothrow__));
char* __fencepost_strcpy(char*, const char*) __asm__("strcpy") __attribute__((__nothrow__));
char* __fencepost_stpcpy(char*, const char*) __asm__("stpcpy") __attribute__((__nothrow__));
char* __fencepost_strcat(char*, const char*) __asm__("strcat") __attribute__((__nothrow__));
char* __fencepost_strncpy(char*, const char*, __SIZE_TYPE__) __asm__("strncpy")
    __attribute__((__nothrow__));
char* __fencepost_stpncpy(char*, const char*, __SIZE_TYPE__) __asm__("stpncpy")
    __attribute__((__nothrow__));
char* __fencepost_strncat(char*, const char*, __SIZE_TYPE__) __asm__("strncat")
    __attribute__((__nothrow__));
char* __fencepost_strstr(const char*, const char*) __asm__("strstr") __attribute__((__nothrow__));
int __fencepost_sprintf(char*, const char*, ...) __asm__("sprintf") __attribute__((__nothrow__));
int __fencepost_snprintf(char*, __SIZE_TYPE__, const char*, ...) __asm__("snprintf")
    __attribute__((__nothrow__));
int __fencepost_vsprintf(char*, const char*, __builtin_va_list) __asm__("vsprintf")
    __attribute__((__nothrow__));
int __fencepost_vsnprintf(char*, __SIZE_TYPE__, const char*, __builtin_va_list) __asm__("vsnprintf")
    __attribute__((__nothrow__));

/* Its presence says which compiler has compiled a part of the program, and so what its variables
   hold before they are initialized (storage.cpp). */
#ifdef __clang__
#define __FENCEPOST_COMPILER __fencepost_by_clang
#define __FENCEPOST_PATTERN 0xaa
#else
#define __FENCEPOST_COMPILER __fencepost_by_gcc
#define __FENCEPOST_PATTERN 0xfe
#endif
extern const char __FENCEPOST_COMPILER[] __attribute__((__weak__, __visibility__("default")));
const char __FENCEPOST_COMPILER[] __attribute__((__used__)) = __VERSION__;

/* Its presence says that this part of the program was compiled by Fencepost (program_file.cpp). */
#if defined __has_attribute && __has_attribute(__retain__)
__attribute__((__retain__)) /* also with --gc-sections */
#endif
static const char __fencepost_has_compiled __attribute__((__used__)) = 1;

/* Where strtok() continues: an ordinary variable of the program, for all of its threads. */
extern char* __fencepost_strtok_rest __attribute__((__weak__, __visibility__("default")));
char* __fencepost_strtok_rest;

#ifdef __OPTIMIZE__
/* Its presence says that a part of the program was optimized. */
extern const char __fencepost_optimized __attribute__((__weak__, __visibility__("default")));
const char __fencepost_optimized __attribute__((__used__)) = 1;
#endif

#if !defined __clang__ && !defined __FENCEPOST_STRUCTURES
/* Its presence says that gcc compiled a part of the program without Fencepost's plugin
   (gcc_structures.cpp): accesses of calls that pass or return structures are not announced. */
extern const char __fencepost_hidden_structures __attribute__((__weak__, __visibility__("default")));
const char __fencepost_hidden_structures __attribute__((__used__)) = 1;
#endif

#ifdef __clang__
/* The hook that clang calls for a compare-exchange does not know weak ones, and returns only the
   old value. So the runtime is told before it whether it may fail spuriously, and asked after it
   whether it has. */
int __fencepost_may_fail(int weak) __attribute__((__nothrow__));
int __fencepost_has_failed(void* expected, __SIZE_TYPE__ size) __attribute__((__nothrow__));
#endif

#ifdef __cplusplus
}
#endif

#ifdef __clang__
/* The argument with __fencepost_may_fail() is evaluated last, immediately before the operation. */
#define __FENCEPOST_EXCHANGED(expected, operation)                                  \
  __extension__({                                                                   \
    __typeof__(expected) const __fencepost_e = (expected);                          \
    (operation) && !__fencepost_has_failed(__fencepost_e, sizeof(*__fencepost_e)); \
  })
#define __atomic_compare_exchange_n(p, e, v, weak, s, f)                                      \
  __FENCEPOST_EXCHANGED(e, __atomic_compare_exchange_n(p, __fencepost_e, v,                   \
                                                       __fencepost_may_fail(weak) != 0, s, f))
#define __atomic_compare_exchange(p, e, v, weak, s, f)                                      \
  __FENCEPOST_EXCHANGED(e, __atomic_compare_exchange(p, __fencepost_e, v,                   \
                                                     __fencepost_may_fail(weak) != 0, s, f))
#define __c11_atomic_compare_exchange_weak(p, e, v, s, f)                         \
  __FENCEPOST_EXCHANGED(e, __c11_atomic_compare_exchange_weak(p, __fencepost_e, v, s, \
                                                     (__fencepost_may_fail(1), (f))))
/* For these it would not be known. */
#pragma GCC poison __scoped_atomic_compare_exchange __scoped_atomic_compare_exchange_n
#endif

/* Functions that are not to be instrumented for ThreadSanitizer are watched like all others: the
   attribute is replaced by one without effect. */
#define no_sanitize(...) __unused__
#define __no_sanitize__(...) __unused__
#define no_sanitize_thread __unused__
#define __no_sanitize_thread__ __unused__
#define disable_sanitizer_instrumentation __unused__
#define __disable_sanitizer_instrumentation__ __unused__

#if defined __x86_64__ && !defined __clang__
/* _mm_mfence(): the instruction would not be observed. (clang has no such name.) */
#define __builtin_ia32_mfence() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

#define __builtin_memcpy __fencepost_memcpy
#define __builtin_memmove __fencepost_memmove
#define __builtin_memset __fencepost_memset
#define __builtin_bzero __fencepost_bzero
#define __builtin_mempcpy __fencepost_mempcpy
#define __builtin_strcpy __fencepost_strcpy
#define __builtin_stpcpy __fencepost_stpcpy
#define __builtin_strcat __fencepost_strcat
#define __builtin_strncpy __fencepost_strncpy
#define __builtin_stpncpy __fencepost_stpncpy
#define __builtin_strncat __fencepost_strncat
#define __builtin_sprintf __fencepost_sprintf
#define __builtin_snprintf __fencepost_snprintf
#define __builtin_vsprintf __fencepost_vsprintf
#define __builtin_vsnprintf __fencepost_vsnprintf
/* The checked ones, which are also passed the size of the destination. */
#define __builtin___memcpy_chk(to, from, size, room) __fencepost_memcpy((to), (from), (size))
#define __builtin___memmove_chk(to, from, size, room) __fencepost_memmove((to), (from), (size))
#define __builtin___memset_chk(to, byte, size, room) __fencepost_memset((to), (byte), (size))
#define __builtin___mempcpy_chk(to, from, size, room) __fencepost_mempcpy((to), (from), (size))
#define __builtin___strcpy_chk(to, from, room) __fencepost_strcpy((to), (from))
#define __builtin___stpcpy_chk(to, from, room) __fencepost_stpcpy((to), (from))
#define __builtin___strcat_chk(to, from, room) __fencepost_strcat((to), (from))
#define __builtin___strncpy_chk(to, from, size, room) __fencepost_strncpy((to), (from), (size))
#define __builtin___stpncpy_chk(to, from, size, room) __fencepost_stpncpy((to), (from), (size))
#define __builtin___strncat_chk(to, from, size, room) __fencepost_strncat((to), (from), (size))
/* Filled like the variables of functions (storage.cpp). */
#define __builtin_alloca(size)                                  \
  __extension__({                                               \
    const __SIZE_TYPE__ fencepost_size = (size);                \
    __fencepost_memset(__builtin_alloca(fencepost_size), __FENCEPOST_PATTERN, fencepost_size); \
  })
/* Constants stay constants, since these are used in constant expressions. */
#define __builtin_memcmp(a, b, size)                     \
  (__builtin_constant_p(__builtin_memcmp((a), (b), (size))) \
       ? __builtin_memcmp((a), (b), (size))              \
       : __fencepost_memcmp((a), (b), (size)))
#define __builtin_strlen(text)                                                 \
  (__builtin_constant_p(__builtin_strlen(text)) ? __builtin_strlen(text) \
                                                : __fencepost_strlen(text))
#define __builtin_strcmp(a, b)                                                       \
  (__builtin_constant_p(__builtin_strcmp((a), (b))) ? __builtin_strcmp((a), (b)) \
                                                    : __fencepost_strcmp((a), (b)))
#define __builtin_strncmp(a, b, size)                      \
  (__builtin_constant_p(__builtin_strncmp((a), (b), (size))) \
       ? __builtin_strncmp((a), (b), (size))               \
       : __fencepost_strncmp((a), (b), (size)))
#define __builtin_bcmp(a, b, size)                      \
  (__builtin_constant_p(__builtin_bcmp((a), (b), (size))) \
       ? __builtin_bcmp((a), (b), (size))               \
       : __fencepost_bcmp((a), (b), (size)))
#define __builtin_strstr(text, what)                           \
  (__builtin_constant_p(__builtin_strstr((text), (what)))      \
       ? __builtin_strstr((text), (what))                      \
       : (__typeof__(__builtin_strstr((text), (what))))__fencepost_strstr((text), (what)))

#endif
#endif
