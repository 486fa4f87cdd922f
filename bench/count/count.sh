#!/usr/bin/env bash
# count.sh [--profile | --addresses FILE] PRESET PROGRAM [ARGUMENT...]: runs a program on its board
# and prints the guest instructions between board_measure_begin and board_measure_end, one line
# "insns N" for each pair, after the program's own output. --profile adds the functions that
# executed, the most first; --addresses writes "address count" lines instead.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
boards=$here/../../toolchains/boards
. "$boards/presets.sh"

profile=
addresses=
if [ "${1:-}" = --profile ]; then
  profile=1
  shift
elif [ "${1:-}" = --addresses ]; then
  profile=1
  addresses=$2
  shift 2
fi
if [ $# -lt 2 ]; then
  echo "usage: count.sh [--profile | --addresses FILE] PRESET PROGRAM [ARGUMENT...]" >&2
  exit 2
fi
preset=$1
program=$2
preset_open "$preset"
compiler=$(preset_get compiler)
nm=${compiler%gcc}nm
case $compiler in clang*) nm=llvm-nm${compiler#clang} ;; cc) nm=nm ;; esac
emulator=$(preset_get run)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
address() { echo "0x$("$nm" "$program" | awk -v name="$1" '$3 == name { print $1 }')"; }

# Without an emulator the program runs here, step by step.
if [ -z "$emulator" ]; then
  if [ "$(uname -m)" != x86_64 ] || [ -n "$profile" ]; then
    echo "count: $preset has no emulator to count in" >&2
    exit 2
  fi
  cc -O2 -o "$work/step" "$here/step.c"
  shift
  status=0
  "$work/step" "$(address board_measure_begin)" "$(address board_measure_end)" "$work/out" "$@" ||
    status=$?
  [ ! -f "$work/out" ] || cat "$work/out"
  exit $status
fi

# The plug-in is built once a user, and again when its source changes.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/hlocc
plugin=$cache/count-$(cksum < "$here/count.c" | tr ' ' -).so
if [ ! -f "$plugin" ]; then
  mkdir -p "$cache"
  cc -O2 -shared -fPIC -fvisibility=hidden -o "$work/count.so" "$here/count.c"
  mv "$work/count.so" "$plugin"
fi

flags="$plugin,begin=$(address board_measure_begin),end=$(address board_measure_end)"
flags+=",out=$work/out"
[ -z "$profile" ] || flags+=",profile=$work/profile"

status=0
shift
BOARD_QEMU_FLAGS="-plugin $flags ${BOARD_QEMU_FLAGS:-}" \
  "$boards/run_board.sh" "$preset" "$@" || status=$?
[ ! -f "$work/out" ] || cat "$work/out"
if [ -n "$addresses" ] && [ -f "$work/profile" ]; then
  mv "$work/profile" "$addresses"
fi
[ ! -f "$work/profile" ] || "$nm" -n "$program" | python3 "$here/profile.py" "$work/profile"
exit $status
