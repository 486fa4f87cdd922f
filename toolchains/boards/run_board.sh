#!/usr/bin/env bash
# run_board.sh PRESET PROGRAM [ARGUMENT...]: runs a program on the preset's board or emulator and
# passes its exit status on. BOARD_TIMEOUT (seconds, default 120) ends a program that hangs, with
# status 124; what counts are seconds of the processor, so that a busy machine ends nothing, and
# only a program that waits for ever is ended by the clock, after ten times as many.
# BOARD_QEMU_FLAGS adds flags to the emulator's (a plug-in, say). BOARD_TIME=counted lets the time
# of bare-metal boards pass with their instructions, 32 ns each, and not with this machine's clock:
# a timer then answers the same in every run. Bare-metal programs get their arguments through
# semihosting: none may hold a blank.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/presets.sh"

if [ $# -lt 2 ]; then
  echo "usage: run_board.sh PRESET PROGRAM [ARGUMENT...]" >&2
  exit 2
fi
preset_open "$1"
program=$2
shift 2

read -ra run <<< "$(preset_get run)"
read -ra extra <<< "${BOARD_QEMU_FLAGS:-}"
runner=$(preset_get runner)
if [[ $runner == *.mjs ]]; then
  command=("${run[@]}" "${extra[@]}" "$boards_dir/$runner" "$program" "$@")
elif [ -n "$runner" ]; then
  # An emulator that is a library: what drives it is compiled once a user, and again when it
  # changes.
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/hlocc
  emulator=$cache/${runner%.c}-$(cat "$boards_dir/$runner" "$boards_dir"/*.h | cksum | tr ' ' -)
  if [ ! -f "$emulator" ]; then
    mkdir -p "$cache"
    read -ra libraries <<< "$(preset_get libraries)"
    made=$(mktemp "$cache/runner.XXXXXX")
    cc -O2 -w -I "$boards_dir" "$boards_dir/$runner" "${libraries[@]}" -o "$made"
    mv "$made" "$emulator"
  fi
  command=("$emulator" "${extra[@]}" "$program" "$@")
elif [ -z "$(preset_get script)" ]; then
  # The host has no emulator, and an empty command name would not be one.
  if [ ${#run[@]} -eq 0 ]; then extra=(); fi
  case $program in */*) ;; *) program=./$program ;; esac
  command=("${run[@]}" "${extra[@]}" "$program" "$@")
else
  # A comma inside a value of this option is written twice.
  semihosting="enable=on,target=native,arg=${program//,/,,}"
  for argument in "$@"; do semihosting+=",arg=${argument//,/,,}"; done
  # Else QEMU's timers tick in a thread of their own, which a busy machine may not run for long.
  if [ "${BOARD_TIME:-}" = counted ]; then extra+=(-icount shift=5); fi
  command=("${run[@]}" -display none -monitor none -serial none "${extra[@]}"
    -semihosting-config "$semihosting" -kernel "$program")
fi
seconds=${BOARD_TIMEOUT:-120}
ulimit -S -t "$seconds"
status=0
timeout $((10 * seconds)) "${command[@]}" < /dev/null || status=$?
# 128 and the number of SIGXCPU: out of seconds, too.
[ $status -ne 152 ] || status=124
exit $status
