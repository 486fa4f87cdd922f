#!/usr/bin/env bash
# long.sh HOURS [TARGET...]: builds the targets of libFuzzer (the preset fuzz) and runs them in
# turn, ten minutes each, until the hours are over; what reaches new code is kept in
# build/fuzz/corpus and goes on next time. Findings do not end it: they are listed at the end
# (build/fuzz/findings), and then it exits with 1.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
hours=$1
shift
cd "$root"
cmake --preset fuzz
cmake --build --preset fuzz
mapfile -t targets < <(
  sed -n 's/^HLOCC_FUZZ_TARGET("\([a-z]*\)".*/\1/p' tests/fuzz/libfuzzer/targets.def)
[ $# -gt 0 ] && targets=("$@")
end=$(($(date +%s) + $(awk "BEGIN {print int($hours * 3600)}")))
failed=0
while [ "$(date +%s)" -lt "$end" ]; do
  for target in "${targets[@]}"; do
    left=$((end - $(date +%s)))
    [ "$left" -gt 0 ] || break
    tests/fuzz/libfuzz.sh build/fuzz $((left < 600 ? left : 600)) "$target" || failed=1
  done
done
find build/fuzz/findings -type f ! -name '*.log'
exit $failed
