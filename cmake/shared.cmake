# libhlocc.so: the functions of include/hlocc/c_api.h, and those that plug-ins call. What else it is made of (LLVM and protobuf
# among it, in static builds) is not seen from outside, so that it lives beside others' copies in one process. Static builds have
# it for the wheel alone (static.cmake says why).
if(HLOCC_STATIC AND NOT HLOCC_WHEEL)
  return()
endif()
add_library(hlocc_shared SHARED cli/c_api.cc)
target_include_directories(hlocc_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_link_libraries(hlocc_shared PRIVATE hlocc_commands hlocc_driver)
set_target_properties(hlocc_shared PROPERTIES OUTPUT_NAME hlocc LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
  LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/libhlocc.map)
target_link_options(hlocc_shared PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/libhlocc.map LINKER:-Bsymbolic)
hlocc_optimized_first(hlocc_shared driver)
# LLVM may stand where the loader does not look by itself.
set_target_properties(hlocc_shared PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
if(HLOCC_STATIC)
  target_sources(hlocc_shared PRIVATE ${PROJECT_SOURCE_DIR}/cmake/arc4random.c)
  target_link_options(hlocc_shared PRIVATE LINKER:--gc-sections)
endif()
