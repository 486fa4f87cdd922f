#!/usr/bin/env bash
# sanitizer.sh PRESET: builds the preset of a sanitizer, runs its tests, and adds a line of what was
# found to tests/nightly/sanitizers.tsv: date, preset, tests that passed, tests that failed, their
# names. `page.py` makes a table of it.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"
cmake --preset "$1"
cmake --build --preset "$1"
status=0
ctest --preset "$1" -j2 | tee "build/$1/suite.txt" || status=$?
passed=$(grep -c ' Passed ' "build/$1/suite.txt" || true)
ended='\*\*\*\(Failed\|Exception\|Timeout\)'
failed=$(sed -n "s/^.*Test *#[0-9]*: \([^ ]*\) .*$ended.*/\1/p" "build/$1/suite.txt" |
  sort -u | tr '\n' ' ')
printf '%s\t%s\t%s\t%s\t%s\n' "$(date +%F)" "$1" "$passed" "$(wc -w <<< "$failed")" \
  "${failed:-none}" >> tests/nightly/sanitizers.tsv
echo "$1: $passed passed, $(wc -w <<< "$failed") failed"
exit $status
