# What the scripts of this folder share. Sourced, from any directory; bash.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
me=ci/$(basename "$0")

# How every step but ci/verify on its own configures: with all that can be built.
# shellcheck disable=SC2034
all_on=(-DFENCEPOST_BUILD_TESTS=ON -DFENCEPOST_BUILD_BENCH=ON -DFENCEPOST_BUILD_STRESS=ON)

# Compilations are kept where ccache is installed, those with precompiled headers too: found by what the
# files contain. Found by the preprocessed text, a precompiled header would be taken again after a change
# of a comment, and g++, which knows an included file by all its bytes, would then include it twice.
# The namespace keeps apart what was found in that way before.
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

# The text between the second line of the script and its first line of code.
usage() { sed -n '2,/^[^#]/s/^#\( \|$\)//p' "$root/$me"; }

wrong_usage() { die 2 "\"$1\" is not understood; see $me --help"; }

# As many compilers at once as there are cores, and as there is memory for (about 1.5 GB each).
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null)
  [[ -z $memory || $memory -ge $cores ]] && memory=$cores
  echo $((memory < 1 ? 1 : memory))
}

# One at a time in build/. Held until unlock or the end; a script called by its holder passes.
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

# The value of an entry of a preset's cache, or nothing.
cached() { # preset, entry
  sed -n "s/^$2:[A-Z]*=//p" "$root/build/$1/CMakeCache.txt" 2>/dev/null || true
}

# Configures a preset; does nothing if it was configured this way before. A build folder of another
# place, compiler or generator cannot be gone on with, and is removed.
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

# Goes on after an error, to show them all.
build() { # preset, targets...
  local preset=$1
  shift
  (cd "$root" && cmake --build --preset "$preset" --parallel "$(jobs)" --target "$@" -- -k 0)
}

release_options=() # what else build_release configures with

# Configures and builds targets of the release preset, without tests and with or without benchmarks.
# A folder that has the tests in it, for ci/test, keeps them, and one with fencepost stress keeps that.
build_release() { # ON or OFF: benchmarks; targets...
  local stress=${with_stress-ON}
  if [[ $(cached release FENCEPOST_BUILD_STRESS) == ON ]]; then stress=ON; fi
  local with=(-DFENCEPOST_BUILD_TESTS=OFF "-DFENCEPOST_BUILD_BENCH=$1" "-DFENCEPOST_BUILD_STRESS=$stress")
  shift
  if [[ $(cached release FENCEPOST_BUILD_TESTS) == ON ]]; then with=("${all_on[@]}"); fi
  configure release "${with[@]}" ${release_options[@]+"${release_options[@]}"} && build release "$@"
}

# Builds fencepost for exploring scenarios: an empty folder gets it without fencepost stress.
build_checker() { with_stress=OFF build_release OFF fencepost; }

# The page with what standard input has between two of its lines, which stay.
between_markers() { # page, first line, last line
  local marker
  for marker in "$2" "$3"; do
    [[ $(grep -cxF -- "$marker" "$1") == 1 ]] ||
      die 2 "${1#"$root/"}: the line \"$marker\" should be there once"
  done
  sed "\\|^$2\$|q" "$1"
  printf '\n'
  cat
  printf '\n'
  sed -n "\\|^$3\$|,\$p" "$1"
}

under=() # what ctest is run by
# The random programs of the tests are the same in each run, so that a test that fails does so because
# of a change. At night (ci/test nightly), and with an RC_PARAMS of the caller's, they are others.
export RC_PARAMS=${RC_PARAMS-seed=20}
# A person is shown how far it is, a log only what did not pass.
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

# Of ci/tsan and ci/asan: the presets are that of the name, for g++, and the one with -clang.
sanitizer_run() { # tsan or asan, arguments of the script...
  local sanitizer=$1 argument preset target=all presets=() failed=() only=() flags=()
  shift
  for argument in "$@"; do
    case $argument in
      g++) presets+=("$sanitizer") ;;
      clang++) presets+=("$sanitizer-clang") ;;
      --slice)
        target=${sanitizer}_slice only=(--label-regex '^sanitizer_slice$')
        # The few tests take less time than the compiler would to optimize what the address sanitizer adds.
        if [[ $sanitizer == asan ]]; then flags=('-DCMAKE_CXX_FLAGS_DEBUG=-O0 -g'); fi
        ;;
      -h | --help) usage && exit ;;
      *) wrong_usage "$argument" ;;
    esac
  done
  ((${#presets[@]})) || presets=("$sanitizer" "$sanitizer-clang")
  "$root/ci/setup" test || exit 2
  # ThreadSanitizer of these compilers has no room for as random addresses as newer kernels give.
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

# The files of the tree, each ended by a NUL; what git ignores is left out where git can tell.
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
