#!/usr/bin/env bash
# quickstart.sh: from a fresh Debian 12 (git and root) to a neural network answering on a Cortex-M4.
# Installs what is missing, builds hlocc, compiles the keyword-spotting model for the chip, links a
# firmware out of start-up code, the generated library and quickstart/main.c, runs it in QEMU, and
# shows the answer, what the model costs, the memory map and the time that each step took.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
target=cortex-m4f
build=$root/build
out=$build/quickstart

seconds() { date +%s.%N; }
# since START: seconds gone by, with one decimal.
since() { echo "$1 $(seconds)" | awk '{ printf "%.1f", $2 - $1 }'; }
begin=$(seconds)

"$root/tests/install_packages.sh" --for quickstart
installed=$(since "$begin")

# progress: of ninja's lines, read from stdin, one for each tenth of the work.
progress() {
  local line shown=-1
  while IFS= read -r line; do
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    [ $((10 * BASH_REMATCH[1] / BASH_REMATCH[2])) -gt $shown ] || continue
    shown=$((10 * BASH_REMATCH[1] / BASH_REMATCH[2]))
    echo "  [${BASH_REMATCH[1]}/${BASH_REMATCH[2]}] after $(since "$at") s"
  done
}

# Five minutes of one core where nothing is built yet and no ccache has it.
cores=$(nproc)
echo "== building hlocc (at most about $(((5 + cores - 1) / cores)) minutes on $cores cores)"
at=$(seconds)
mkdir -p "$out"
# A folder that is there already keeps what it was configured for.
unity=ON
[ -f "$build/CMakeCache.txt" ] && unity=
if ! { cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
         ${unity:+-DHLOCC_UNITY=$unity} &&
  cmake --build "$build" --target hlocc; } 2>&1 | tee "$out/build.log" | progress; then
  tail -n 40 "$out/build.log" >&2
  exit 1
fi
built=$(since "$at")

echo "== compiling kws_dscnn for $target"
at=$(seconds)
"$build/hlocc" compile "$root/tests/data/models/kws_dscnn.snapshot.pb" -o "$out" \
  --name acme::Kws --target $target --arg 0=mfcc --result 0=probs
compiled=$(since "$at")

echo "== linking the firmware"
firmware=$out/firmware.elf
"$root/toolchains/boards/link_firmware.sh" $target "$firmware" \
  "$root/examples/quickstart/main.c" -I "$out" "$out/libkws.a"

echo "== running it in QEMU (insns: the instructions of one run)"
at=$(seconds)
"$root/bench/count/count.sh" $target "$firmware" | tee "$out/run.log"
ran=$(since "$at")

# number KEY: one figure of the manifest.
number() { sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p" "$out/kws.json"; }
cat << EOF
== what the model costs (kws.json)
  arena    $(number arena_bytes) bytes, arguments and results included
  weights  $(number weights_bytes) bytes of flash
  code     $(number code_bytes) bytes of flash
  stack    $(number stack_bytes) bytes at worst
== memory map of the firmware
EOF
arm-none-eabi-size -A "$firmware" |
  awk 'BEGIN { what[".vectors"] = "interrupt vectors"; what[".text"] = "code"
         what[".weights"] = "weights of the model"; what[".rodata"] = "other constants"
         what[".data"] = "initialised data"; what[".bss"] = "arena and other data"
         what[".stack"] = "stack, as reserved" }
       $1 in what && $2 > 0 { printf "  0x%08x %8d bytes  %-9s %s\n", $3, $2, $1, what[$1] }'
echo "== time"
echo "  install $installed s, build $built s, compile the model $compiled s, run in QEMU $ran s"
echo "  all in all $(since "$begin") s"
echo "== next: README.md, 'From the library to a firmware of your own'"
