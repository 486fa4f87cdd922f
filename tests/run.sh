#!/usr/bin/env bash
# run.sh: everything from a fresh Debian 12 to passed tests: installs what is missing, builds (Release)
# into build/, runs all tests. Ends in ctest's summary.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

"$root/tests/install_packages.sh" --for test
cmake -S "$root" -B "$root/build" -G Ninja -DCMAKE_BUILD_TYPE=Release
cmake --build "$root/build"
cd "$root/build"
exec ctest --output-on-failure -j2
