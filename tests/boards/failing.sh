#!/usr/bin/env bash
# failing.sh PRESET: a core exception ends with 99 and a word about it, a hang with 124, and a
# program's own status comes through. Status 77 (skipped) where the preset's compiler is not
# installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
boards=$here/../../toolchains/boards
. "$boards/presets.sh"
preset_open "$1"
command -v "$(preset_get compiler)" > /dev/null || exit 77

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$boards/link_firmware.sh" "$1" "$work/failing.elf" "$here/failing.c" -Werror

# expect PRESET STATUS ARGUMENT: runs the program that way and compares its exit status.
expect() {
  local status=0
  output=$(BOARD_TIMEOUT=2 "$boards/run_board.sh" "$1" "$work/failing.elf" "$3" 2>&1) || status=$?
  echo "$1 $3: status $status $output"
  [ $status -eq "$2" ]
}
expect "$1" 3 nothing
expect "$1" 99 fault
case $output in *"board: fault"*) ;; *) exit 1 ;; esac
expect "$1" 124 hang
