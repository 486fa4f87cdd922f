# What `cmake --install` puts in place. Component `tool`: hlocc, its man page and completions, hlocc_add_model and
# find_package(hlocc), toolchains and boards. Component `headers`: the public headers, and under hlocc/internal/ those that
# plug-ins compile against. Component `libraries`: the compiler as static libraries, for programs that embed it. Component
# `shared`: libhlocc.so, which is not in packages.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Nothing here depends on the machine that the firmware is for, and find_package looks into share/ when it cross-compiles.
set(HLOCC_INSTALL_CMAKE ${CMAKE_INSTALL_DATADIR}/cmake/hlocc)
set(HLOCC_INSTALL_TOOLCHAINS ${CMAKE_INSTALL_DATADIR}/hlocc/toolchains)
set(HLOCC_INSTALL_RUNTIME_STUB ${CMAKE_INSTALL_DATADIR}/hlocc/runtime_stub)

# LLVM may stand where the loader does not look by itself.
set_target_properties(hlocc PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS hlocc EXPORT hloccTool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
if(TARGET hlocc_shared)
  install(TARGETS hlocc_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT shared)
endif()
install(EXPORT hloccTool NAMESPACE hlocc:: DESTINATION ${HLOCC_INSTALL_CMAKE} COMPONENT tool)
configure_package_config_file(cmake/hloccConfig.cmake.in ${CMAKE_BINARY_DIR}/install/hloccConfig.cmake
  INSTALL_DESTINATION ${HLOCC_INSTALL_CMAKE} PATH_VARS HLOCC_INSTALL_TOOLCHAINS HLOCC_INSTALL_RUNTIME_STUB CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/hloccConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_BINARY_DIR}/install/hloccConfig.cmake ${CMAKE_BINARY_DIR}/install/hloccConfigVersion.cmake
              cmake/hlocc_add_model.cmake cmake/hlocc_model_program.cmake
  DESTINATION ${HLOCC_INSTALL_CMAKE} COMPONENT tool)
install(DIRECTORY toolchains/ DESTINATION ${HLOCC_INSTALL_TOOLCHAINS} COMPONENT tool USE_SOURCE_PERMISSIONS)

# Man page and completions are made from the command line itself.
set(pages ${CMAKE_BINARY_DIR}/install)
add_executable(command_pages src/driver/cli/command_pages_main.cc)
target_link_libraries(command_pages PRIVATE hlocc_driver)
foreach(page man:hlocc.1 bash:hlocc.bash zsh:_hlocc fish:hlocc.fish)
  string(REPLACE ":" ";" page ${page})
  list(GET page 0 kind)
  list(GET page 1 file)
  add_custom_command(OUTPUT ${pages}/${file} COMMAND command_pages ${kind} > ${pages}/${file} VERBATIM)
  list(APPEND page_files ${pages}/${file})
endforeach()
add_custom_target(pages ALL DEPENDS ${page_files})
install(FILES ${pages}/hlocc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)
install(FILES ${pages}/hlocc.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME hlocc COMPONENT tool)
install(FILES ${pages}/_hlocc DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tool)
install(FILES ${pages}/hlocc.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tool)
# README's links lead to docs/, beside it here as there.
install(FILES LICENSE README.md CHANGELOG.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
install(DIRECTORY docs/schemas bazel DESTINATION ${CMAKE_INSTALL_DATADIR}/hlocc COMPONENT tool)

install(DIRECTORY examples/plugin_minimal examples/plugin_full DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT headers)
install(DIRECTORY runtime_stub DESTINATION ${CMAKE_INSTALL_DATADIR}/hlocc COMPONENT tool)
install(DIRECTORY include/hlocc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headers)
install(FILES ${CMAKE_BINARY_DIR}/include/hlocc/device/abi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hlocc/device COMPONENT headers)
install(FILES cmake/hlocc_add_plugin.cmake DESTINATION ${HLOCC_INSTALL_CMAKE} COMPONENT tool)
foreach(room kernel planning costs target hlo support)
  if(EXISTS ${PROJECT_SOURCE_DIR}/src/${room})
    install(DIRECTORY src/${room} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/hlocc/internal COMPONENT headers
      FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
  endif()
endforeach()

get_property(libraries GLOBAL PROPERTY HLOCC_LIBRARIES)
install(TARGETS ${libraries} EXPORT hloccLibraries ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/hlocc COMPONENT libraries)
install(EXPORT hloccLibraries NAMESPACE hlocc:: DESTINATION ${HLOCC_INSTALL_CMAKE} COMPONENT libraries)
