#!/usr/bin/env bash
# install_packages.sh [--for build|quickstart|package|wheel|test|rtl|nightly]: installs what is
# missing of the Debian 12 packages that a purpose needs, and does nothing, quietly, where nothing
# is missing (the default is test).
set -euo pipefail

purpose=test
if [ "${1:-}" = --for ]; then purpose=${2:-}; fi

# What builds the compiler.
build="g++ cmake ninja-build ccache git llvm-19-dev zlib1g-dev libprotobuf-dev protobuf-compiler
  libcli11-dev nlohmann-json3-dev"
# One board: start-up code is compiled for it, and its machine is emulated.
quickstart="$build gcc-arm-none-eabi qemu-system-arm"
# Packages: archives of what LLVM uses, and a plain Debian to try them on.
package="$build libzstd-dev debootstrap"
# Python's wheel: the same, and environments to make and try it in.
wheel="$build libzstd-dev python3-venv debootstrap"
# The tests: every board and every Linux row, and a Vulkan device that is the processor.
tests="$quickstart catch2 python3 python3-yaml python3-numpy gcc-riscv64-unknown-elf
  qemu-system-misc qemu-user
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross
  gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross
  clang-19 libclang-rt-19-dev clang-format
  gcc-avr avr-libc simavr libsimavr-dev libelf-dev gcc-mips-linux-gnu libc6-dev-mips-cross
  gcc-mipsel-linux-gnu libc6-dev-mipsel-cross
  gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross gcc-i686-linux-gnu libc6-dev-i386-cross
  lld-19 nodejs
  gcc-xtensa-lx106 libnewlib-arm-none-eabi gdb-multiarch fish
  mesa-vulkan-drivers libvulkan1 spirv-tools make meson pkgconf"
# Cores that bench/rtl simulates.
rtl="$tests verilator make python3-pip"
# What nightly.sh does besides.
nightly="$tests $package $wheel vulkan-validationlayers
  clang-tidy chromium nginx-light libcurl4 openssl
  bazel-bootstrap bazel-rules-java bazel-rules-proto
  lintian fakeroot rustc cargo rust-src zip unzip libxml2-utils arduino-builder arduino-core-avr"

case $purpose in
  build) wanted=$build ;;
  quickstart) wanted=$quickstart ;;
  package) wanted=$package ;;
  wheel) wanted=$wheel ;;
  test) wanted=$tests ;;
  rtl) wanted=$rtl ;;
  nightly) wanted=$nightly ;;
  *)
    echo "usage: install_packages.sh [--for build|quickstart|package|wheel|test|rtl|nightly]" >&2
    exit 2 ;;
esac

missing=()
for package in $wanted; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2> /dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

echo "installing: ${missing[*]}"
if [ "$(id -u)" -ne 0 ]; then
  echo "install_packages.sh: run it as root, or install these yourself" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt=(apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
"${apt[@]}" update
log=$(mktemp)
if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" > "$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
rm -f "$log"
