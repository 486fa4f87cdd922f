# Sourced by the scripts beside it: reads one preset's row, a file of KEY=value lines that CMake and
# hlocc read too.
boards_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# preset_open NAME: names the row that preset_get reads; 2 is the exit status of wrong usage.
preset_open() {
  preset_row=$boards_dir/presets/$1.conf
  if [ ! -f "$preset_row" ]; then
    echo "boards: no preset '$1'; there are: $(cd "$boards_dir/presets" && echo *.conf | sed 's/\.conf//g')" >&2
    exit 2
  fi
}

preset_get() { sed -n "s/^$1=//p" "$preset_row"; }
