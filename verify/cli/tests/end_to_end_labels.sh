#!/bin/bash
# fencepost labels as its users see it, on the files of labels/, each with a fault of its own.
# usage: end_to_end_labels.sh PROGRAM, in the source tree
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/expect.sh" "$1" || exit 1
folder=verify/cli/tests/labels

# Wrong usage.
expect 2 "no folder 'no/such/folder'" labels --headers no/such/folder
expect 2 "no file of $folder matches 'wrong_oder'" labels wrong_oder --headers $folder
says '^  wrong_order.hpp$'
expect 2 "no folder ''" labels --headers ''
expect 2 'cannot write' labels --headers $folder --json "$scratch/none/x"

# The table of files without faults.
expect 0 '0 findings$' labels right other_end --headers $folder
says '^  line  label +operation +order +partners$'
says '^ +11  put +word.store +release +get, other_end.hpp/look$'
says '^ +13  get +word.load +acquire +put$'
says '^ +19  twice.low +word.load +relaxed +alone$'
says '^ +20  twice.high +word.load'
says '^ +24  sum.left +word.load +relaxed '
says '^ +24  sum.right +word.load +seq_cst '
says '^ +30  raise +word.compare_exchange_strong +acq_rel, acquire on failure +raise$'
says '^ +35  fence +fence +seq_cst +other_end.hpp/fence$'

# Each file's fault is found, and no other; partners are found in files that are not selected.
for file in "$folder"/*.hpp; do
  name=$(basename "$file" .hpp)
  grep "^$file:" "$folder/findings.txt" >"$scratch/wanted"
  status=1
  [ -s "$scratch/wanted" ] || status=0
  expect $status '' labels "$name" --headers $folder
  grep -E '^[^ ]*\.hpp:[0-9]+:' "$scratch/out" | diff "$scratch/wanted" - || fail "the findings of $name"
done
expect 1 '' labels --headers $folder
says " $(grep -c . "$folder/findings.txt") findings$"

# Several folders: two of them may have the same label.
expect 0 '^6 operations in 2 files, 6 with a label; 0 findings$' labels named --headers $folder verify/cli/tests/parts
says '^verify/cli/tests/parts/named.hpp$'

# JSON.
"$program" labels --headers $folder --json - >"$scratch/json" 2>/dev/null
[ $? -eq 1 ] || fail 'the status with --json'
for text in '"command": "labels"' '"exit_status": 1' '"label": "twice.high"' '"other_end.hpp/look"' \
  '"reason": "as in the other file."' '"message": "word.store has no label'; do
  grep -qF -- "$text" "$scratch/json" || fail "JSON without $text"
done
if command -v python3 >/dev/null; then
  python3 -m json.tool "$scratch/json" >/dev/null || fail 'it is not JSON'
fi

[ $failures -eq 0 ] && echo "all as expected"
exit $((failures != 0))
