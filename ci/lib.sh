# Shared by the scripts of this folder, which source it, from any directory; bash.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
me=ci/$(basename "$0")

# How every step except ci/verify on its own configures: with everything that can be built.
# shellcheck disable=SC2034
all_on=(-DFENCEPOST_BUILD_TESTS=ON -DFENCEPOST_BUILD_BENCH=ON -DFENCEPOST_BUILD_STRESS=ON)

# If ccache is installed, it caches compilations, also those with precompiled headers, keyed by the
# contents of the files. Keyed by the preprocessed text, a precompiled header would be reused after
# a change of a comment, and g++, which identifies an included file by all its bytes, would then
# include it twice. The namespace separates these entries from older ones that were keyed in that
# way.
export CCACHE_DEPEND=${CCACHE_DEPEND-1} CCACHE_NAMESPACE=${CCACHE_NAMESPACE-fencepost-files}
if [[ -z ${CMAKE_CXX_COMPILER_LAUNCHER-} ]] && command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros}

say() { printf '%s: %s\n' "$me" "$*" >&2; }

die() { # status, message
  local status=$1
  shift
  say "$*"
  exit "$status"
}

# Prints the text between the second line of the script and its first line of code.
usage() { sed -n '2,/^[^#]/s/^#\( \|$\)//p' "$root/$me"; }

wrong_usage() { die 2 "\"$1\" is not understood; see $me --help"; }

# Prints how many compilers to run at once: one per core, if there is memory (about 1.5 GB each).
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null)
  [[ -z $memory || $memory -ge $cores ]] && memory=$cores
  echo $((memory < 1 ? 1 : memory))
}

# Locks build/, which one script uses at a time, until unlock or the end of the script. A script
# that the holder calls passes.
lock() {
  [[ -n ${FENCEPOST_BUILD_LOCKED-} ]] && return
  mkdir -p "$root/build"
  exec {lock_file}>"$root/build/.lock"
  flock -n "$lock_file" || { say "waits for another run in $root/build" && flock "$lock_file"; }
  export FENCEPOST_BUILD_LOCKED=1
}

unlock() {
  [[ -n ${lock_file-} ]] || return 0
  exec {lock_file}>&-
  unset FENCEPOST_BUILD_LOCKED lock_file
}

# Prints the value of an entry of a preset's cache, or nothing.
cached() { # preset, entry
  sed -n "s/^$2:[A-Z]*=//p" "$root/build/$1/CMakeCache.txt" 2>/dev/null || true
}

# Configures a preset; does nothing if it was configured this way before. A build folder for another
# place, compiler or generator cannot be reused, and is removed.
configure() { # preset, arguments of cmake...
  local preset=$1 folder=$root/build/$1 compiler this before=""
  shift
  compiler=g++
  [[ $preset == lint || $preset == *clang ]] && compiler=clang++
  compiler=$("$compiler" --version | sed -n 1p)
  this="$root|$compiler|$(sha256sum <"$root/CMakePresets.json")|$*"
  [[ -f $folder/.configured ]] && before=$(<"$folder/.configured")
  [[ $this == "$before" && -f $folder/build.ninja ]] && return
  if [[ -f $folder/CMakeCache.txt ]]; then
    if [[ $(cached "$preset" CMAKE_HOME_DIRECTORY) != "$root" ||
      $(cached "$preset" CMAKE_GENERATOR) != Ninja ||
      (-n $before && $before != "$root|$compiler|"*) ]]; then
      say "build/$preset was made elsewhere or with another compiler: it is made again"
      rm -rf "$folder"
    fi
  fi
  rm -f "$folder/.configured"
  (cd "$root" && cmake --preset "$preset" "$@") && printf '%s\n' "$this" >"$folder/.configured"
}

# Continues after an error, to show all errors.
build() { # preset, targets...
  local preset=$1
  shift
  (cd "$root" && cmake --build --preset "$preset" --parallel "$(jobs)" --target "$@" -- -k 0)
}

release_options=() # what else build_release configures with

# Configures and builds targets of the release preset, without tests and with or without benchmarks.
# A folder that has the tests, for ci/test, keeps them, and one that has fencepost stress keeps it.
build_release() { # ON or OFF: benchmarks; targets...
  local stress=${with_stress-ON}
  if [[ $(cached release FENCEPOST_BUILD_STRESS) == ON ]]; then stress=ON; fi
  local with=(-DFENCEPOST_BUILD_TESTS=OFF "-DFENCEPOST_BUILD_BENCH=$1" "-DFENCEPOST_BUILD_STRESS=$stress")
  shift
  if [[ $(cached release FENCEPOST_BUILD_TESTS) == ON ]]; then with=("${all_on[@]}"); fi
  configure release "${with[@]}" ${release_options[@]+"${release_options[@]}"} && build release "$@"
}

# Builds fencepost for exploring scenarios; in an empty folder, without fencepost stress.
build_checker() { with_stress=OFF build_release OFF fencepost; }

# Prints the page with standard input in place of the text between two of its lines, which stay.
between_markers() { # page, first line, last line
  local marker
  for marker in "$2" "$3"; do
    [[ $(grep -cxF -- "$marker" "$1") == 1 ]] ||
      die 2 "${1#"$root/"}: the line \"$marker\" must occur exactly once"
  done
  sed "\\|^$2\$|q" "$1"
  printf '\n'
  cat
  printf '\n'
  sed -n "\\|^$3\$|,\$p" "$1"
}

under=() # the command that runs ctest, if any
# The random programs of the tests are the same in each run, so that a test that fails does so because
# of a change. At night (ci/test nightly), and if the caller sets RC_PARAMS, they differ.
export RC_PARAMS=${RC_PARAMS-seed=20}
# On a terminal shows the progress, in a log only what did not pass.
run_tests() { # preset, arguments of ctest...
  local preset=$1 passed='^ +Start +[0-9]+: |^ *[0-9]+/[0-9]+ Test .* Passed +[0-9.]+ sec$'
  shift
  local run=(${under[@]+"${under[@]}"} ctest --preset "$preset" --parallel "$(nproc)"
    --output-junit "$root/build/$preset/junit.xml" "$@")
  if [[ -t 1 ]]; then
    (cd "$root" && "${run[@]}" --progress)
  else
    (cd "$root" && "${run[@]}") | grep --line-buffered -Ev "$passed"
  fi
}

# Runs ci/tsan or ci/asan. The presets are the one of that name, for g++, and the one with -clang.
sanitizer_run() { # tsan or asan, arguments of the script...
  local sanitizer=$1 argument preset target=all presets=() failed=() only=() flags=()
  shift
  for argument in "$@"; do
    case $argument in
      g++) presets+=("$sanitizer") ;;
      clang++) presets+=("$sanitizer-clang") ;;
      --slice)
        target=${sanitizer}_slice only=(--label-regex '^sanitizer_slice$')
        # The few tests take less time than optimizing what the address sanitizer adds would.
        if [[ $sanitizer == asan ]]; then flags=('-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g'); fi
        ;;
      -h | --help) usage && exit ;;
      *) wrong_usage "$argument" ;;
    esac
  done
  ((${#presets[@]})) || presets=("$sanitizer" "$sanitizer-clang")
  "$root/ci/setup" test || exit 2
  # These compilers' ThreadSanitizer does not work with the address randomization of newer kernels.
  if [[ $sanitizer == tsan ]] && setarch -R true 2>/dev/null; then under=(setarch -R); fi
  lock
  for preset in "${presets[@]}"; do
    say "$preset"
    if ! { configure "$preset" -DFENCEPOST_BUILD_TESTS=ON -DFENCEPOST_BUILD_BENCH=OFF \
      ${flags[@]+"${flags[@]}"} &&
      build "$preset" "$target" && run_tests "$preset" ${only[@]+"${only[@]}"}; }; then
      failed+=("$preset")
    fi
  done
  ((${#failed[@]} == 0)) || die 1 "failed: ${failed[*]}"
}

# Prints the files of the tree, each ended by a NUL, without those that git ignores if git can tell.
files() { # patterns of file names...
  local patterns=("$@") names=()
  (
    cd "$root" || exit
    if git ls-files -z --cached --others --exclude-standard -- "${patterns[@]}" 2>/dev/null; then
      :
    else
      for pattern in "${patterns[@]}"; do names+=(-o -name "$pattern"); done
      find . \( -path ./build -o -path ./.git \) -prune -o -type f \( "${names[@]:1}" \) -print0
    fi
  ) | while IFS= read -r -d '' file; do
    if [[ -f $root/$file ]]; then printf '%s\0' "$file"; fi
  done
}
