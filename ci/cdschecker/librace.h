/* Replaces CDSChecker's header: plain accesses, which the compiler announces. */
#ifndef FENCEPOST_CI_CDSCHECKER_LIBRACE_H
#define FENCEPOST_CI_CDSCHECKER_LIBRACE_H

#include <stdint.h>

static inline void store_8(void *at, uint8_t value) { *(uint8_t *)at = value; }
static inline void store_16(void *at, uint16_t value) { *(uint16_t *)at = value; }
static inline void store_32(void *at, uint32_t value) { *(uint32_t *)at = value; }
static inline void store_64(void *at, uint64_t value) { *(uint64_t *)at = value; }
static inline uint8_t load_8(const void *at) { return *(const uint8_t *)at; }
static inline uint16_t load_16(const void *at) { return *(const uint16_t *)at; }
static inline uint32_t load_32(const void *at) { return *(const uint32_t *)at; }
static inline uint64_t load_64(const void *at) { return *(const uint64_t *)at; }

#endif
