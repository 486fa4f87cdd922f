# Sourced by the scripts beside it: reads one preset's row, a file of KEY=value lines that CMake and
# hlocc read too. What a row with like=OTHER does not say is what the row OTHER says.
boards_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# preset_open NAME: names the row that preset_get reads; 2 is the exit status of wrong usage.
preset_open() {
  preset_row=$boards_dir/presets/$1.conf
  if [ ! -f "$preset_row" ]; then
    echo "boards: no preset '$1'; there are:" \
      "$(cd "$boards_dir/presets" && echo *.conf | sed 's/\.conf//g')" >&2
    exit 2
  fi
}

preset_get() {
  local row=$preset_row like
  while ! grep -q "^$1=" "$row"; do
    like=$(sed -n "s/^like=//p" "$row")
    [ -n "$like" ] || return 0
    row=$boards_dir/presets/$like.conf
  done
  sed -n "s/^$1=//p" "$row"
}
