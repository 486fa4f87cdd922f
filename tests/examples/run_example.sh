#!/usr/bin/env bash
# run_example.sh NAME PRESET HLOCC FOLDER: builds examples/NAME as its own CMake project, as a user
# would, with the preset's toolchain file, and runs its test on the preset's board.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$4/$1
rm -rf "$build"
cmake -S "$root/examples/$1" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  "-DCMAKE_TOOLCHAIN_FILE=$root/toolchains/$2.cmake" "-DHLOCC=$3"
cmake --build "$build"
cd "$build"
exec ctest --verbose
