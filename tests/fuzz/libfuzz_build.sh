#!/usr/bin/env bash
# libfuzz_build.sh: builds the targets of libFuzzer and their seeds in build/fuzz (the preset fuzz).
# Exits with 77 where there is no clang with its libFuzzer.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! echo 'extern "C" int LLVMFuzzerTestOneInput(const char *, unsigned long) { return 0; }' |
  clang++-19 -x c++ -fsanitize=fuzzer,address -o /dev/null -; then
  echo "this needs clang++-19 with libFuzzer: clang-19 and libclang-rt-19-dev"
  exit 77
fi
cmake --preset fuzz
cmake --build --preset fuzz
