/* Stands in for the header of CDSChecker. */
#include <assert.h>
#include <stdbool.h>
#define MODEL_ASSERT(condition) assert(condition)
