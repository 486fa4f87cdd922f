#!/usr/bin/env bash
# coverage.sh [SECONDS]: which lines of the readers the targets of libFuzzer reach, from the seeds,
# the regressions and the corpus that grew in build/fuzz (or after SECONDS more for each target).
# Prints a line a file and the sum; lines that are not reached stand in
# build/fuzz-coverage/missed.txt. Exits with 1 below 95 %.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-0}
build=build/fuzz-coverage
cmake --preset fuzz -B $build -DHLOCC_FUZZ_COVERAGE=ON
cmake --build $build --target fuzz_targets
mkdir -p build/fuzz/corpus
ln -sfn ../fuzz/corpus $build/corpus
rm -f $build/*.profraw
LLVM_PROFILE_FILE="$PWD/$build/%p.profraw" tests/fuzz/libfuzz.sh $build "$seconds"
llvm-profdata-19 merge -o $build/all.profdata $build/*.profraw
mapfile -t files < <(sed '/^#/d;/^$/d' tests/fuzz/libfuzzer/readers.txt)
llvm-cov-19 export -format=lcov -instr-profile=$build/all.profdata $build/hlocc_fuzz "${files[@]}" \
  >$build/readers.lcov
python3 tests/fuzz/libfuzzer/report_coverage.py $build/readers.lcov $build/missed.txt --least 95
