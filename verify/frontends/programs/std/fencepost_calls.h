/* Included first in every program (C, C++): what compilers put in line for these built-ins, after
   the accesses of the program were instrumented, would not be seen. Calls are. */
#ifndef FENCEPOST_CALLS_H
#define FENCEPOST_CALLS_H
#ifndef __ASSEMBLER__

#pragma GCC system_header

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

#ifdef __OPTIMIZE__
/* That it is there says that a part of the program was optimized. */
extern const char __fencepost_optimized __attribute__((__weak__, __visibility__("default")));
const char __fencepost_optimized __attribute__((__used__)) = 1;
#endif

#ifdef __cplusplus
}
#endif

#define __builtin_memcpy __fencepost_memcpy
#define __builtin_memmove __fencepost_memmove
#define __builtin_memset __fencepost_memset
/* As the variables of functions are (storage.cpp). */
#define __builtin_alloca(size)                                  \
  __extension__({                                               \
    const __SIZE_TYPE__ fencepost_size = (size);                \
    __fencepost_memset(__builtin_alloca(fencepost_size), 0xfe, fencepost_size); \
  })
/* Constants stay constants: these are used in constant expressions. */
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

#endif
#endif
