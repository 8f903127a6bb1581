#!/bin/bash
# One exploration in several sittings, and in parts, with whatever may happen to its files.
# usage: end_to_end_sittings.sh PROGRAM
# shellcheck source=verify/cli/tests/expect.sh
source "$(dirname "$0")/expect.sh" "$1" || exit 1
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch" || exit 1

scenario=slab_queue/tail_comes_back # one to two seconds
large=barrier/phases_follow_each_other_larger        # minutes

counts() { # of the last program
  grep -oE '[0-9,]+ executions, [0-9,]+ blocked' "$scratch/out" | head -1
}
expect_counts() {
  [ "$(counts)" = "$whole" ] || fail "$1: $(counts), not $whole"
}

expect 0 'verified' verify $scenario
whole=$(counts)

# ---- sittings ----

expect 2 'take one scenario; [0-9]+ match' verify rundown --checkpoint kept
expect 2 'take one scenario' verify rundown --resume kept
expect 2 "cannot read 'kept'" verify $scenario --resume kept
expect 2 'random' verify $scenario --random 10 --checkpoint kept
expect 2 "cannot write 'none/kept'" verify $scenario --checkpoint none/kept
expect 2 '--json and --checkpoint would both write to' verify $scenario --checkpoint kept --json kept
[ ! -e kept ] || fail 'a checkpoint was written by a command that was not run'

# On a busy machine an interrupt may come before the program has begun.
for after in 0.3 0.6 1.2 2.4; do
  timeout -s INT $after "$program" verify $scenario --jobs 1 --checkpoint kept >out 2>&1
  status=$?
  grep -q interrupted out && break
done
[ $status -eq 124 ] || fail 'it was not interrupted'
grep -q interrupted out || fail 'it does not say that it was interrupted'
cp kept first
expect 3 'timeout' verify $scenario --resume kept --checkpoint kept --timeout 0.1
cmp -s kept first && fail 'the checkpoint is the same after a second sitting'
expect 0 'verified' verify $scenario --resume kept --checkpoint kept
grep -oE '[0-9,]+ executions, [0-9,]+ blocked' out | head -1 | grep -q "$whole" || expect_counts resumed
expect 0 'verified' verify $scenario --resume kept
expect_counts 'resumed when complete'

expect 2 'with model "rc20", not "rc11"' verify $scenario --resume first --model rc11
expect 2 'with bound null, not 2' verify $scenario --resume first --bound 2
expect 2 'another scenario' verify $large --nightly --resume first
head -c 700 first >half
expect 2 "'half' is not a saved exploration" verify $scenario --resume half
sed 's/open /closed /' first >changed
expect 2 'it was modified after it was written' verify $scenario --resume changed
sed 's/"digest": "[0-9a-f]/"digest": "x/' first >other
expect 2 'it was modified after it was written' verify $scenario --resume other

# Limits apply to each sitting, counts add up over all of them.
expect 3 '^100 executions' verify $scenario --max-executions 100 --jobs 1 --checkpoint few
expect 3 '^200 executions' verify $scenario --max-executions 100 --jobs 1 --checkpoint few --resume few

# ---- parts ----

expect 2 'name one scenario to divide; [0-9]+ match' shard rundown --into 4 --output parts
expect 2 '--into' shard $scenario --output parts
expect 2 '--first' shard $scenario --into 4 --first 0 --output parts
expect 2 'no manifest.json' run-shard parts 0
expect 2 'no manifest.json' merge parts
[ ! -e parts ] || fail 'a folder was made for nothing'

expect 0 'Next: fencepost run-shard parts N' shard $scenario --into 6 --first 0.3 --output parts --jobs 1
expect 2 'is not empty' shard $scenario --into 6 --output parts
last=$(grep -o '"parts": [0-9]*' parts/manifest.json | grep -o '[0-9]*')
last=$((last - 1))
[ "$last" -ge 5 ] || fail "there are only $last parts"
expect 3 "Not explored: shard 0, 1, 2" merge parts
expect 0 'incomplete' merge parts --accept-incomplete
for ((i = 0; i <= last; ++i)); do expect 0 "shard $i of $scenario" run-shard parts $i; done
expect 0 'has already been explored' run-shard parts 2
expect 2 "no shard $((last + 1))" run-shard parts $((last + 1))
expect 0 'verified' merge parts --json merged.json
expect_counts merged
grep -q '"complete": true' merged.json || fail 'merged.json does not say that it is complete'

# A file that is lost, truncated, from another part, or from another exploration.
mv parts/shard-1.json lost
expect 3 'Not explored: shard 1$' merge parts
head -c 900 lost >parts/shard-1.json
expect 3 "shard-1.json' is not a saved exploration" merge parts
expect 0 'explored again' run-shard parts 1
expect 0 'verified' merge parts
cp parts/shard-2.json parts/shard-1.json
expect 2 "parts/shard-1.json' does not match shard 1" merge parts
expect 2 "parts/shard-1.json' does not match shard 1" run-shard parts 1
cp lost parts/shard-1.json
expect 0 '' shard $scenario --into 6 --first 0.3 --output others --bound 3
cp others/manifest.json parts/shard-1.json
expect 2 'is of an exploration with bound 3, not null' merge parts
cp lost parts/shard-1.json
expect 0 'verified' merge parts
expect_counts 'merged again'

# Separate unexplored pieces can be divided again, and the total is the same.
rm parts/shard-{0,2,4}.json
expect 3 'The unexplored rest is in more' merge parts --next more --into 3
last=$(grep -o '"parts": [0-9]*' more/manifest.json | grep -o '[0-9]*')
for ((i = 0; i < last; ++i)); do expect 0 '' run-shard more $i; done
expect 0 'verified' merge more
expect_counts 'merged from what was left'
rm more/shard-1.json
expect 0 'So little was left' merge more --next rest --into 500
expect_counts 'merged while it was divided'

expect 0 '' shard $scenario --into 4 --output limited --first 0.1
expect 3 ' 20 executions' run-shard limited 0 --max-executions 20
expect 3 ' 40 executions' run-shard limited 0 --max-executions 20

# A process that is killed leaves the existing files unchanged.
expect 0 'Next' shard $large --into 4 --output much
expect 3 'timeout' run-shard much 0 --timeout 0.1
cp much/shard-0.json before
"$program" run-shard much 0 >/dev/null 2>&1 &
sleep 0.5
kill -9 $!
wait $! 2>/dev/null
cmp -s before much/shard-0.json || fail 'a process that was killed has changed what was there'
expect 3 'Incomplete: shard 0$' merge much
expect 3 'timeout' run-shard much 0 --timeout 0.1

# A violated scenario is violated after merging, too.
expect 0 'was completely explored before it could be divided into 4 parts' \
  shard tail_split_lace/no_shrink_fence --into 4 --output wrong
expect 0 'violated, as expected' merge wrong
quick="it's quick"
expect 0 'was completely explored before' shard tail_split_lace/no_push_fence --into 4 --output "$quick"
# The suggested command can be pasted into a shell.
suggested=$(sed -n 's/^To judge it: fencepost //p' "$scratch/out")
eval "expect 0 'violated, as expected' $suggested" || fail "no command of a shell: $suggested"
expect 2 'nothing is left to explore' run-shard "$quick" 0
grep -Fq "; to judge it: fencepost $suggested" "$scratch/out" || fail "it does not say: fencepost $suggested"

# ---- the script for clusters, without one ----

cluster=$here/../cluster/fencepost-cluster
refused() { # message, arguments...
  local message=$1 status=0
  shift
  "$cluster" "$@" >out 2>&1 || status=$?
  [ $status -eq 2 ] || fail "fencepost-cluster $*: exit status $status, not 2"
  grep -q -e "$message" out || fail "fencepost-cluster $* does not say '$message': $(cat out)"
}
refused 'neither slurm nor parallel' pbs $scenario --into 4 --output x
refused 'the name of a scenario is missing' slurm --into 4 --output x
refused 'into: "few" is not' slurm $scenario --into few --output x
refused 'into: "" is not' slurm $scenario --output x
refused 'needs a value' slurm $scenario --into
refused 'output is missing' slurm $scenario --into 4
refused 'no program' slurm $scenario --into 4 --output x --fencepost "$scratch/none"
[ ! -e x ] || fail 'a folder was made for nothing'

# With fakes of both engines, in a folder whose name needs quoting.
mkdir fakes
cat >fakes/parallel <<'FAKE'
#!/bin/sh
while read -r n; do sh -c "$(printf '%s' "$4" | sed "s/{}/$n/")" </dev/null; done
FAKE
cat >fakes/sbatch <<'FAKE'
#!/bin/sh
cat >"$0.job"
for option; do case $option in --array=*) last=${option#--array=0-} ;; esac; done
[ -e "$0.cancelled" ] || last=$((last - 1)) # the first job: its last task is held
for n in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$n sh "$0.job" >&2; done
echo '7;cluster'
FAKE
cat >fakes/squeue <<'FAKE'
#!/bin/sh
fakes=$(dirname "$0")
fails() { echo "slurm_load_jobs error: $1" >&2; exit 1; }
[ -e "$fakes/asked" ] || { touch "$fakes/asked"; fails 'Unable to contact slurm controller'; }
[ ! -e "$fakes/sbatch.cancelled" ] || fails 'Invalid job id specified'
case $* in *PENDING*) echo '7_2 launch failed requeued held' ;; *) echo '7_2 all PD' ;; esac
FAKE
cat >fakes/scancel <<'FAKE'
#!/bin/sh
[ "$*" = 7_2 ] && touch "$(dirname "$0")/sbatch.cancelled"
FAKE
chmod +x fakes/*
for engine in parallel slurm; do
  output="its name isn't plain: $engine"
  PATH=$PWD/fakes:$PATH "$cluster" $engine $scenario --into 3 --output "$output" \
    --fencepost "$program" >"$scratch/out" 2>&1 || fail "fencepost-cluster $engine: exit status $?"
  says "^$scenario: verified"
done
says '^Not explored: shard 2$' # its task was held, and cancelled; merge has explored it

exit $((failures != 0))
