#!/usr/bin/env bash
# libfuzz.sh BUILD SECONDS [TARGET...]: runs targets of libFuzzer (all of them by default), each so
# many seconds, from the seeds and regressions of libfuzzer/ and from what grew in BUILD/corpus.
# With 0 seconds every input is run once, and nothing is kept; with `gate` in their place each
# target makes the `runs` of its row in targets.def, from the inputs of the tree alone. A finding
# ends it with 1: the input lies in BUILD/findings, its report beside it. HLOCC_FUZZ_SEED: the
# number that changes are drawn from; without it every run draws others.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
seconds=$2
shift 2
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  mapfile -t targets < <(
    sed -n 's/^HLOCC_FUZZ_TARGET("\([a-z]*\)".*/\1/p' "$here/libfuzzer/targets.def")
fi
mkdir -p "$build/findings"
# Nothing is wrong with a loaded machine: an input may take five minutes. Leaks of what a failed
# stage leaves are none of ours.
limits=(-timeout=300 -rss_limit_mb=3000 -malloc_limit_mb=2500 -detect_leaks=0)
failed=0
for target in "${targets[@]}"; do
  folders=()
  grown=$build/corpus/$target
  if [ "$seconds" = gate ]; then
    rm -rf "$build/gate/$target"
    mkdir -p "$build/gate/$target"
    folders+=("$build/gate/$target")
  elif [ "$seconds" -gt 0 ]; then
    mkdir -p "$grown"
    folders+=("$grown")
  elif [ -d "$grown" ]; then
    folders+=("$grown")
  fi
  for folder in "$here/libfuzzer/seeds/$target" "$here/libfuzzer/regressions/$target" \
                "$build/seeds/$target"; do
    [ -d "$folder" ] && folders+=("$folder")
  done
  how=(-runs=0)
  if [ "$seconds" = gate ]; then
    runs=$(sed -n "s/^HLOCC_FUZZ_TARGET(\"$target\".*, \([0-9]*\))\$/\1/p" \
      "$here/libfuzzer/targets.def")
    how=(-runs="$runs" -reload=0)
  elif [ "$seconds" -gt 0 ]; then
    how=(-max_total_time="$seconds" -reload=0)
  fi
  [ -f "$build/seeds/$target.dict" ] && how+=(-dict="$build/seeds/$target.dict")
  [ -n "${HLOCC_FUZZ_SEED:-}" ] && how+=(-seed="$HLOCC_FUZZ_SEED")
  log=$build/findings/$target.log
  if "$build/fuzz_$target" "${how[@]}" "${limits[@]}" -print_final_stats=1 -close_fd_mask=1 \
    -artifact_prefix="$build/findings/$target." "${folders[@]}" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    covered=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1)
    echo "$target: ${runs:-every input} runs, ${covered:-no coverage}, nothing found"
  else
    failed=1
    tail -n 60 "$log"
    echo "$target: FOUND, see $log"
  fi
done
exit $failed
