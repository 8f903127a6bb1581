#!/usr/bin/env bash
# on_one_processor.sh PROGRAM [ARGUMENT...]
#
# Runs a program with all its threads on one processor, chosen at random. This is for an emulator:
# qemu 7.2 does not keep an AArch64 load-acquire (LDAR) after the store-release (STLR) before it if
# the host processor does not, and x86 does not. Sequentially consistent accesses compile to these
# two instructions, so that correct code breaks. Threads that take turns on one processor observe
# each other's accesses in one order.
set -euo pipefail
allowed=$(taskset -cp $$)
processors=()
for range in $(tr , ' ' <<<"${allowed##*: }"); do
  mapfile -t -O ${#processors[@]} processors < <(seq "${range%-*}" "${range#*-}")
done
exec taskset -c "${processors[$((RANDOM % ${#processors[@]}))]}" "$@"
