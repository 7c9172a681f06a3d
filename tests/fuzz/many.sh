#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A fuzzer in several processes, each begun again after a finding, and how many inputs that were in all.
#   many.sh PROGRAM SECONDS PROCESSES FOLDER [SEEDS...]
# What is new goes to FOLDER/corpus/TARGET, what ended badly to FOLDER/found, what the processes say to FOLDER/logs.
# MOST: the longest input, in bytes (4096). FIRST: the core of the first process (0); each has one of its own. LONGEST: what an
# input may take, in seconds by the clock (20): more where other work goes before.
set -uo pipefail
program=$1 seconds=$2 processes=$3 folder=$4
seeds=("${@:5}")
target=${program##*/fuzz_}
end=$((SECONDS + seconds))
cores=$(nproc)
mkdir -p "$folder/corpus/$target" "$folder/found" "$folder/logs"
rm -f "$folder/logs/$target-"*

# No stacks of allocations, no pattern in fresh memory and a short quarantine: each took a tenth of the time. A finding is
# run again with all of them.
export ASAN_OPTIONS=malloc_context_size=1:quarantine_size_mb=4:max_malloc_fill_size=0:allocator_release_to_os_interval_ms=-1
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export WARPGLASS_FUZZ_COUNT=1 # launches, of targets that launch a kernel more than once an input

one() { # number
    local turn=0 left pin=() core=$(((${FIRST:-0} + $1) % cores))
    taskset -c "$core" true 2>/dev/null && pin=(taskset -c "$core")
    mkdir -p "$folder/corpus/$target/$1"
    while left=$((end - SECONDS)) && [ "$left" -gt 3 ]; do
        # What the programs themselves print is closed; ours and libFuzzer's own words are not. Which input is changed
        # next is drawn plainly: to weigh them by rare features took half of the time.
        ${pin[@]+"${pin[@]}"} "$program" "$folder/corpus/$target/$1" "$folder/corpus/$target" ${seeds[@]+"${seeds[@]}"} \
            -max_total_time="$left" -seed=$((1 + $1 + 1000 * turn + $$ % 1000 * 100000)) -timeout="${LONGEST:-20}" -rss_limit_mb=2048 \
            -max_len="${MOST:-4096}" -close_fd_mask=1 -entropic=0 -print_funcs=0 -reload=0 \
            -artifact_prefix="$folder/found/$target-" -print_final_stats=1 >"$folder/logs/$target-$1-$turn" 2>&1 && break
        turn=$((turn + 1))
        [ "$turn" -lt 200 ] || break
    done
}

for ((n = 0; n < processes; ++n)); do one "$n" & done
wait
cd "$folder/logs" || exit 1
grep -hE '^SUMMARY|^==[0-9]+==.*ERROR|^fuzz:|runtime error|Test unit written' "$target-"* | sort | uniq -c | sort -rn | head -n 40
awk -v target="$target" -v seconds="$seconds" '
    FNR == 1 { all += last; last = 0 }
    /^#[0-9]+/ { last = substr($1, 2) + 0 }
    /^#[0-9]+.*INITED/ { begun += last }
    /stat::number_of_executed_units/ { last = $2 }
    /^launches: / { launches += $2; turns += $4 }
    END { all += last
          printf "%s: %d inputs, %d of them new, %.0f a second", target, all, all - begun, all / seconds
          if (launches) printf "; %d launches, %d turns of warps through a body, without those of processes that a finding ended", launches, turns
          printf "\n" }' "$target-"*
