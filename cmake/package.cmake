# `cpack` in the build folder of -DHLOCC_STATIC=ON: a Debian package and a tarball that may be unpacked anywhere. What they
# hold is install.cmake's components tool and headers. tests/install/package_test.sh makes and tries them.
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME hlocc)
set(CPACK_PACKAGE_VENDOR "the hlocc project")
set(CPACK_PACKAGE_CONTACT "the hlocc project <hlocc@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "ahead-of-time cross-compiler for XLA HLO tensor programs")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_COMPONENTS_ALL tool headers)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
# A tarball unpacks into one folder, a Debian package into /usr.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/package_generator.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_HLOCC_STATIC ${HLOCC_STATIC})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
# Nothing but libc is linked; the newest symbols that it uses of it are glibc 2.35's at most, which the test checks.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= 2.35)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "cmake (>= 3.20)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc-arm-none-eabi, qemu-system-arm")
include(CPack)
