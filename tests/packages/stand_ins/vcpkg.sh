# Sourced: `vcpkg install PORT --overlay-ports=FOLDER` as far as a port without sources wants it.
# The portfile runs by cmake -P for $VCPKG_TRIPLET_ARCH (x64) with functions that stand for vcpkg's;
# what it installs lies in $PWD/installed, and $VCPKG is a toolchain file that finds it there.
vcpkg() {
  local ports=${3#--overlay-ports=}
  local port
  port=$(grep -l "\"name\": \"$2\"" "$ports"/*/vcpkg.json) || return 1
  cat > run_port.cmake <<END
function(vcpkg_install_copyright)
  cmake_parse_arguments(ARG "" "" FILE_LIST \${ARGN})
  file(INSTALL \${ARG_FILE_LIST} DESTINATION "\${CURRENT_PACKAGES_DIR}/share/$2")
endfunction()
set(CURRENT_PACKAGES_DIR "$PWD/installed")
set(VCPKG_TARGET_ARCHITECTURE "${VCPKG_TRIPLET_ARCH:-x64}")
include("$PWD/$(dirname "$port")/portfile.cmake")
END
  cmake -P run_port.cmake
}
cat > "$PWD/vcpkg.cmake" <<END
list(APPEND CMAKE_PREFIX_PATH "$PWD/installed")
END
