#!/usr/bin/env bash
# run.sh: everything from a fresh Debian 12 to passed tests: installs what is missing, builds
# (Release) into build/, a fresh one with files compiled together (HLOCC_UNITY), runs all tests.
# Ends in ctest's summary.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)

"$root/tests/install_packages.sh" --for test
# A folder that is there already keeps what it was configured for.
unity=ON
[ -f "$root/build/CMakeCache.txt" ] && unity=
cmake -S "$root" -B "$root/build" -G Ninja -DCMAKE_BUILD_TYPE=Release ${unity:+-DHLOCC_UNITY=$unity}
cmake --build "$root/build"
cd "$root/build"
# Ends what hangs; no test has a limit of its own, and a busy machine is not that slow.
exec ctest --output-on-failure -j2 --timeout 3600
