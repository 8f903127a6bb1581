#!/bin/bash
# The manual page and the completions have every command and option that help names, and the shells
# accept them.
# usage: pages.sh PROGRAM FOLDER
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/expect.sh" "$1" || exit 1
folder=$2

# shellcheck source=/dev/null
source "$folder/fencepost.bash" || fail 'bash does not take its completion'
# shellcheck disable=SC2317
compopt() { :; } # is for a completion that goes on

# Prints what bash offers after these words, the last of which is being typed, one per line.
offers() { # words...
  COMP_WORDS=("$program" "$@") COMP_CWORD=$# COMPREPLY=()
  _fencepost
  printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"}
}

manual() { sed -e 's/\\-/-/g' -e 's/\\f[BIR]//g' "$folder/fencepost.1"; }

# Prints the manual page's section on a command; "" means the program's own options.
manual_of() { # command
  if [[ -z $1 ]]; then
    manual | sed -n '/^\.SH OPTIONS/,/^\.SS/p'
  else
    manual | awk -v begin=".SS fencepost $1" '$0 == begin { on = 1; next } /^\.S[SH]/ { on = 0 } on'
  fi
}

check_options() { # command or ''
  local options option offered shown
  # shellcheck disable=SC2086
  options=$("$program" $1 --help | sed -nE 's/^ +(-[a-zA-Z-]+(,-[a-zA-Z-]+)*).*/\1/p' | tr , '\n')
  [[ $(wc -l <<<"$options") -ge 2 ]] || fail "help of '$1' has no options"
  if [[ -n $1 ]]; then offered=$(offers "$1" -); else offered=$(offers -); fi
  shown=$(manual_of "$1")
  for option in $options; do
    [[ $option == -h || $option == -j || $option == --* ]] || fail "what is $option?"
    grep -qxF -- "$option" <<<"$offered" || fail "bash does not offer $option after '$1'"
    grep -qE -- "^.*$option( |,|\$)" <<<"$shown" || fail "the manual page lacks $option of '$1'"
    if [[ -n $1 ]]; then
      sed -n "/^    $1)/,/;;/p" "$folder/_fencepost" | grep -qF -- "'${option}[" ||
        fail "zsh does not offer $option after '$1'"
      case $option in
        --*) grep -E "from $1'" "$folder/fencepost.fish" | grep -qE -- " -l ${option#--}( |\$)" ||
          fail "fish does not offer $option after '$1'" ;;
      esac
    fi
  done
}

commands=$("$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[[ $(wc -w <<<"$commands") -ge 9 ]] || fail "there are only these commands: $commands"
check_options ''
for command in $commands; do
  check_options "$command"
  grep -qx "$command" <<<"$(offers '')" || fail "bash does not offer $command"
  grep -q "^ *'$command:" "$folder/_fencepost" || fail "zsh does not offer $command"
  grep -qE "use_subcommand -a $command " "$folder/fencepost.fish" || fail "fish lacks $command"
done

# Values: words, scenarios, files; nothing if there is nothing to offer.
[[ $(offers verify --model '') == $'rc20\nrc11\nc++20\nxc20' ]] || fail 'bash does not offer the models'
[[ $(offers verify --color n) == never ]] || fail 'bash does not offer the colours'
grep -qx sample/message_arrives <<<"$(offers explain sample/)" || fail 'bash offers no scenarios'
[[ -z $(offers verify --jobs '') ]] || fail "bash offers values of --jobs: $(offers verify --jobs '')"
[[ $(offers help la) == labels ]] || fail 'bash does not offer the commands after help'
touch "$scratch/a.litmus"
[[ $(offers litmus "$scratch/a") == "$scratch/a.litmus" ]] || fail 'bash offers no files'
[[ $(offers list --json "$scratch/a") == "$scratch/a.litmus" ]] || fail 'bash offers no files'
[[ $(offers ver) == $'verify\nversion' || $(offers ver) == $'version\nverify' ]] ||
  fail "bash offers after ver: $(offers ver)"

# The tools that read them, if they are installed.
if command -v groff >/dev/null; then
  said=$(groff -man -Tutf8 -ww -z "$folder/fencepost.1" 2>&1)
  [[ -z $said ]] || fail "groff: $said"
fi
if command -v zsh >/dev/null; then zsh -n "$folder/_fencepost" || fail 'zsh does not take it'; fi
if command -v fish >/dev/null; then
  fish -n "$folder/fencepost.fish" || fail 'fish does not take it'
fi

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
