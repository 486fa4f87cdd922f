#!/bin/bash
# run.sh BUILD: the suite of streams under the thread sanitizer. Only what it needs is compiled; a remote device's
# process has no threads, and code of LLVM's is not part of it.
set -e
root=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$1"
flags="-std=c++20 -O1 -g -fsanitize=thread -pthread -I$root/src -I$root/include"
sources="$root/src/devices/queue/memory_book.cpp $root/src/devices/queue/work_queue.cpp
  $root/src/devices/queue/simple_executor.cpp $root/src/devices/conformance/stream_suite.cpp
  $root/src/devices/conformance/random_schedule.cpp $root/src/support/diagnostic.cpp $root/src/support/check.cpp
  $root/src/support/text.cpp $root/src/support/result.cpp $root/tests/devices/tsan/main.cc"
# shellcheck disable=SC2086
${CXX:-c++} $flags $sources -o "$1/tsan_streams"
TSAN_OPTIONS="halt_on_error=1 exitcode=66" "$1/tsan_streams" "${HLOCC_SCHEDULES:-500}"
