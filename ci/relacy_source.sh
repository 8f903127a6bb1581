# Finds Relacy's headers for ci/relacy, which sources this after lib.sh; bash.
# shellcheck shell=bash disable=SC2154

# The commit that docs/second-opinion.md was written with. Another one will do, except for --table.
commit=9f2543898aee45b6b49c9f93206a8e04ace886dc
repository=${RELACY_REPOSITORY-https://github.com/dvyukov/relacy}
fetched=$root/build/fetched/relacy
places=("$fetched" "$root/build/relacy" "$root/../relacy" /usr/include /usr/local/include
  /usr/local/src/relacy /usr/src/relacy /opt/relacy)

# Fetches the commit into $fetched, by its full name: git refuses an object that does not match its
# name, and the contents of the folder must be those of the commit.
get_relacy() {
  command -v git >/dev/null || die 2 "--fetch needs git"
  mkdir -p "$fetched"
  git -C "$fetched" init --quiet
  if ! git -C "$fetched" cat-file -e "$commit^{commit}" 2>/dev/null; then
    say "gets Relacy $commit from $repository"
    git -C "$fetched" fetch --quiet --depth 1 "$repository" "$commit" ||
      die 2 "Relacy could not be fetched from $repository: no network, or it has no such commit"
  fi
  if ! { git -C "$fetched" checkout --quiet --force --detach "$commit" &&
    git -C "$fetched" clean --quiet -ffdx; }; then
    die 2 "$fetched: the commit could not be checked out; remove the folder and try again"
  fi
  [[ $(git -C "$fetched" rev-parse HEAD) == "$commit" ]] ||
    die 2 "$fetched is not at commit $commit; remove the folder and try again"
  has_relacy "$fetched" || die 2 "$repository: commit $commit has no relacy/relacy.hpp"
}

has_relacy() { [[ -f $1/relacy/relacy.hpp ]]; } # folder

# Prints the folder that has relacy/relacy.hpp: what RELACY_ROOT names, or the first of the places.
find_relacy() {
  local folder
  if [[ -n ${RELACY_ROOT-} ]]; then
    has_relacy "$RELACY_ROOT" ||
      die 2 "Relacy was not found: $RELACY_ROOT has no relacy/relacy.hpp. RELACY_ROOT names the folder" \
        "of a copy of https://github.com/dvyukov/relacy, headers only; $me --fetch gets one"
    (cd "$RELACY_ROOT" && pwd)
    return
  fi
  for folder in "${places[@]}"; do
    if has_relacy "$folder"; then
      (cd "$folder" && pwd)
      return
    fi
  done
  die 2 "Relacy was not found in any of: ${places[*]}. It is a library of headers," \
    "https://github.com/dvyukov/relacy: $me --fetch gets it; where there is a copy elsewhere," \
    "RELACY_ROOT=<folder> $me"
}

# Prints the commit of a folder that is the top of a repository, or nothing if it is not known.
commit_of() { # folder
  if [[ -e $1/.git ]]; then
    git -c safe.directory='*' -C "$1" rev-parse --verify --quiet HEAD 2>/dev/null || true
  fi
}
