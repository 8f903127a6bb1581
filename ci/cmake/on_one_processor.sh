#!/usr/bin/env bash
# on_one_processor.sh PROGRAM [ARGUMENT...]
#
# Runs a program with all its threads on one processor, which one by chance. For an emulator: qemu
# 7.2 does not keep a load-acquire (LDAR) of AArch64 behind the store-release (STLR) before it when
# the processor under it does not, as x86 does not. Sequentially consistent accesses are these two
# instructions, so that right code breaks. Threads that take turns on one processor see each other's
# accesses in one order.
set -euo pipefail
allowed=$(taskset -cp $$)
processors=()
for range in $(tr , ' ' <<<"${allowed##*: }"); do
  mapfile -t -O ${#processors[@]} processors < <(seq "${range%-*}" "${range#*-}")
done
exec taskset -c "${processors[$((RANDOM % ${#processors[@]}))]}" "$@"
