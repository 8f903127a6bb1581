/* Replaces CDSChecker's header. */
#include <assert.h>
#include <stdbool.h>
#define MODEL_ASSERT(condition) assert(condition)
