#!/usr/bin/env bash
# package_test.sh BUILD: configures BUILD for packages (HLOCC_STATIC), makes the tarball and the
# Debian package, and tries them: nothing but libc is needed, no symbol newer than glibc 2.35's
# (Ubuntu 22.04; Debian 12 has 2.36), plug-ins built against the tarball run in its hlocc, and on a
# plain Debian 12, made by debootstrap where root and the network allow it, the installed package
# compiles a model.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$1
model=$root/tests/data/models/kws_dscnn.snapshot.pb
fail() { echo "package_test: $*" >&2; exit 1; }

"$root/tests/install_packages.sh" --for package || true
cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHLOCC_STATIC=ON \
  -DHLOCC_UNITY=ON -DHLOCC_TESTS=OFF
cmake --build "$build"
rm -f "$build"/hlocc*.tar.gz "$build"/hlocc*.deb
(cd "$build" && cpack)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

echo "== the tarball, unpacked anywhere"
mkdir "$work/anywhere"
tar -xzf "$build"/hlocc-*.tar.gz -C "$work/anywhere" --strip-components=1
hlocc=$work/anywhere/bin/hlocc
needed=$(readelf -d "$hlocc" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
for library in $needed; do
  case $library in
    libc.so.6 | libm.so.6 | ld-linux*) ;;
    *) fail "hlocc needs $library" ;;
  esac
done
newest=$(readelf -V "$hlocc" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
[ "$(printf '%s\n' GLIBC_2.35 "$newest" | sort -V | tail -n 1)" = GLIBC_2.35 ] ||
  fail "hlocc needs $newest"
echo "needs $needed up to $newest, $(du -m "$hlocc" | cut -f 1) MB"
"$hlocc" compile "$model" -o "$work/kws" --name acme::Kws --target cortex-m4f
python3 "$root/tests/install/startup_test.py" "$hlocc"
python3 "$root/tests/install/sbom_test.py" "$build"
[ -f "$work/anywhere/share/doc/hlocc/hlocc.cdx.json" ] ||
  fail "the tarball has no bill of materials"
mkdir "$work/project"
cp "$root"/tests/install/project/* "$work/project"
cp "$model" "$work/project/kws.pb"
cmake -S "$work/project" -B "$work/firmware" -G Ninja -DCMAKE_BUILD_TYPE=MinSizeRel \
  -DCMAKE_PREFIX_PATH="$work/anywhere" \
  -DCMAKE_TOOLCHAIN_FILE="$work/anywhere/share/hlocc/toolchains/cortex-m4f.cmake"
cmake --build "$work/firmware"
ctest --test-dir "$work/firmware"
for plugin in minimal full; do
  cmake -S "$work/anywhere/share/doc/hlocc/examples/plugin_$plugin" -B "$work/$plugin" \
    -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$work/anywhere"
  cmake --build "$work/$plugin"
  said=$("$hlocc" verify --index "$root/tests/data/models/index.json" \
    --plugin "$work/$plugin/plugin_$plugin.so")
  echo "plugin_$plugin: $said"
  [[ $said == *"$plugin "[1-9]*" 0 failed, 0 skipped"* ]] || fail "plugin_$plugin does not run"
  "$hlocc" verify --streams 100 --plugin "$work/$plugin/plugin_$plugin.so"
done

echo "== the Debian package"
package=$(ls "$build"/hlocc_*.deb)
dpkg-deb --info "$package" | grep -E 'Package|Version|Depends'
grep -q ' \./usr/bin/hlocc$' <(dpkg-deb --contents "$package") ||
  fail "the package has no /usr/bin/hlocc"
if [ "$(id -u)" -ne 0 ] || ! command -v debootstrap > /dev/null ||
  ! debootstrap --variant=minbase bookworm "$work/debian" > "$work/debootstrap.log" 2>&1; then
  echo "no plain Debian 12 here (root, debootstrap and a network make one):" \
    "links and symbol versions checked alone"
  exit 0
fi
cp "$package" "$work/debian/hlocc.deb"
cp "$model" "$work/debian/model.pb"
chroot "$work/debian" dpkg -i /hlocc.deb
chroot "$work/debian" hlocc compile /model.pb -o /kws --name acme::Kws --target cortex-m4f
cmp "$work/kws/libkws.a" "$work/debian/kws/libkws.a"
chroot "$work/debian" hlocc run /model.pb
echo "the package compiles and runs a model on a plain Debian 12"
