// Built-in functions by their own names are calls as those of the functions they stand for.
#include <string>

#include "checked_programs.hpp"

namespace fencepost::programs::testing {
namespace {

TEST(built_in_calls, are_watched_for_races) {
  for (const char* const kind : {".program", ".optimized.program"})
    for (const char* const name :
         {"bzero",      "memcpy",     "mempcpy",    "strcpy",      "stpcpy",      "strncpy",
          "stpncpy",    "strcat",     "strncat",    "sprintf",     "snprintf",    "strncmp",
          "bcmp",       "strstr",     "memcpy_chk", "memmove_chk", "memset_chk",  "mempcpy_chk",
          "strcpy_chk", "stpcpy_chk", "strcat_chk", "strncpy_chk", "stpncpy_chk", "strncat_chk"}) {
      SCOPED_TRACE(std::string(name) + kind);
      const program_run got = check(programs + "/built_in_calls.c" + kind, name);
      EXPECT_EQ(got.status, violated) << got.out;
      EXPECT_THAT(got.out, ::testing::HasSubstr("data race"));
    }
}

TEST(built_in_calls, are_constants_where_their_arguments_are) {
  for (const char* const kind : {".program", ".optimized.program"})
    expect_all(programs + "/built_in_calls.c" + kind,
               {{"constants", verified, "verified"}, {"none", verified, "verified"}});
}

}  // namespace
}  // namespace fencepost::programs::testing
