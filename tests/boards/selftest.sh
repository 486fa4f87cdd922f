#!/usr/bin/env bash
# selftest.sh PRESET: links selftest.c for the preset, runs it on its board and checks exit status,
# output and the file that it writes. Status 77 (skipped) where the preset's compiler or emulator is
# not installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
boards=$here/../../toolchains/boards
. "$boards/presets.sh"

preset_open "$1"
emulator=$(preset_get run)
for tool in "$(preset_get compiler)" ${emulator%% *}; do
  command -v "$tool" > /dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -c 'import sys; sys.stdout.buffer.write(bytes(i * 7 % 256 for i in range(1000)))' \
  > "$work/in.bin"
"$boards/link_firmware.sh" "$1" "$work/selftest.elf" "$here/selftest.c" -Werror
status=0
output=$("$boards/run_board.sh" "$1" "$work/selftest.elf" "$work/in.bin" "$work/out.bin") ||
  status=$?
echo "$1: status $status, $output"
[ $status -eq 42 ]
[ "$output" = "4000000000 -17 deadbeef -3.1416" ]
cmp "$work/in.bin" "$work/out.bin"
