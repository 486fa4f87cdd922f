# hlocc_add_plugin(NAME source...): a module NAME.so for `hlocc --plugin`. It is built against the installed headers and takes
# its symbols from the program that loads it.
function(hlocc_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
  target_include_directories(${name} PRIVATE ${hlocc_INCLUDE_DIR} ${hlocc_INCLUDE_DIR}/hlocc/internal)
endfunction()
