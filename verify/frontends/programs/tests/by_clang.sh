#!/bin/bash
# The programs of programs_test, compiled by clang through fencepost c++ and cc, have the same
# results. With -O1 too, except for the tests of accesses that compilers remove, of functions that
# are inlined, and of the number of executions. wide.cpp and structures.cpp have structures of three
# bytes, and assembly.c copies memory by assembly code, which is refused; clang has no nested
# functions, and does not say where blocks end.
# usage: by_clang.sh FENCEPOST PROGRAMS_TEST SOURCES
program=$1 test=$2 sources=$3
if ! clang++ --version >/dev/null 2>&1 || ! clang --version >/dev/null 2>&1; then
  echo "skipped: clang is not installed"
  exit 77
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
export FENCEPOST_CXX=clang++ FENCEPOST_CC=clang FENCEPOST_PROGRAMS_BY_CLANG=$scratch

# compile SOURCE PROGRAM OPTION...
compile() {
  local source=$sources/$1 to=$scratch/$2
  shift 2
  case $source in
    */library_code.cpp) "$program" c++ -w -std=c++17 "$source" -o "$to" -O2 ;;
    *.c) "$program" cc -w -std=c11 "$@" "$source" -o "$to" ;;
    *) "$program" c++ -w -std=c++20 "$@" "$source" -o "$to" ;;
  esac || exit 1
}

for name in built_in_calls.c memory_resources.cpp shared_streams.cpp string_streams.cpp \
  static_variables.cpp turns_in_registers.cpp unwritten.c unwritten.cpp; do
  compile $name $name.optimized.program -O2
done
for level in -O0 -O1; do
  for source in "$sources"/*.c "$sources"/*.cpp; do
    name=${source##*/}
    case $name in
      *_test.cpp | litmus_source.cpp | program_run.cpp | read_under_lock.cpp | wide.cpp | structures.c* | nested_functions.c | \
        assembly.c | ended_blocks.cpp) continue ;;
      *) compile "$name" "$name.program" $level ;;
    esac
  done
  filter='-programs.have_atomics_without_an_instruction:*structures*:programs.have_functions_in_functions'
  filter+=':what_is_not_modelled.are_instructions_that_no_hook_tells_of'
  if [[ $level == -O1 ]]; then
    filter+=':programs.are_watched_for_races:programs.have_atomics_of_each_size_and_operation'
    filter+=':programs.are_wrong_where_they_throw_what_nothing_catches'
    filter+=':programs.have_waits_that_time_out_and_clocks'
    filter+=':programs.use_no_stack_or_thread_local_variable_that_is_gone'
    filter+=':what_is_not_modelled.is_what_a_compiler_removes'
  fi
  "$test" --gtest_filter="$filter" || exit 1
done
