#!/usr/bin/env bash
# link_firmware.sh PRESET OUT.elf INPUT... [FLAG...]: compiles and links sources, objects and
# libraries with the preset's board code into a program for that board, and writes the linker's map
# beside it (OUT.elf.map). Bare-metal programs get no libc, only libgcc's helpers; Linux programs
# are linked statically, so that the emulator needs no sysroot.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/presets.sh"

if [ $# -lt 3 ]; then
  echo "usage: link_firmware.sh PRESET OUT.elf INPUT... [FLAG...]" >&2
  exit 2
fi
preset_open "$1"
out=$2
shift 2

compiler=$(preset_get compiler)
script=$(preset_get script)
support=$(preset_get support)
read -ra flags <<< "$(preset_get cflags)"
flags+=(-O2 -Wall -ffunction-sections -fdata-sections -I "$boards_dir")
flags+=(-Wl,--gc-sections "-Wl,-Map=$out.map")
common=("$boards_dir/board_text.c" "$boards_dir/board_measure.c")

# A compiler with start-up code and libc of its own for a chip without an operating system.
if [ -n "$support" ]; then
  read -ra more <<< "$(preset_get linkflags)"
  read -ra files <<< "$support"
  exec "$compiler" "${flags[@]}" "${more[@]}" -Dmain=board_main "$boards_dir/board_text.c" \
    "${files[@]/#/$boards_dir/}" "$@" -o "$out"
fi

if [ -z "$script" ]; then
  static=-static
  [ "$compiler" = cc ] && static=-pthread
  exec "$compiler" "${flags[@]}" "$static" "${common[@]}" "$boards_dir/board_linux.c" "$@" -o "$out"
fi

# region NAME: "origin size" of a row as the symbols that the linker script asks for.
region() {
  local origin size
  read -r origin size <<< "$(preset_get "$1")"
  flags+=("-Wl,--defsym=__$1_origin=$origin")
  if [ -n "$size" ]; then flags+=("-Wl,--defsym=__$1_size=$size"); fi
}
for name in vectors flash ram bulk; do region $name; done

flags+=(-ffreestanding -DBOARD_BARE_METAL -nostartfiles -nostdlib -Wl,--fatal-warnings)
flags+=(-T "$boards_dir/$script" -Wl,--no-warn-rwx-segments)
common+=("$boards_dir/board_semihost.c" "$boards_dir/board_memory.c")
exec "$compiler" "${flags[@]}" "${common[@]}" "$boards_dir/$(preset_get start)" "$@" -lgcc -o "$out"
