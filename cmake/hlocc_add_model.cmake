# hlocc_add_model(NAME MODEL file [CLASS acme::Kws] [TARGET preset-or-triple] [OPTIONS flag...])
#
# Compiles an HLO module with hlocc when the project is built, and defines the library NAME: link
# it, and include the header that is called after the class (acme::Kws: kws.h). The same four in a
# row without keywords do as well: hlocc_add_model(kws kws.pb acme::Kws cortex-m4f). TARGET is by
# default what a toolchain file of hlocc's sets, else this machine. HLOCC names the compiler;
# without it the target hlocc of the same build, or the PATH's, is taken.
include_guard()

# "TinyGpt" -> tiny_gpt, as hlocc names its files.
function(_hlocc_stem class result)
  string(REGEX REPLACE ".*::" "" stem "${class}")
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" stem "${stem}")
  string(REGEX REPLACE "([A-Z])([A-Z][a-z])" "\\1_\\2" stem "${stem}")
  string(TOLOWER "${stem}" stem)
  set(${result} ${stem} PARENT_SCOPE)
endfunction()

# "kws_dscnn.pb" -> KwsDscnn: a class of our own, so that the file's name never decides about
# symbols unseen.
function(_hlocc_class model result)
  get_filename_component(stem "${model}" NAME)
  string(REGEX REPLACE "\\..*" "" stem "${stem}")
  string(REGEX REPLACE "[^A-Za-z0-9]+" ";" parts "${stem}")
  set(class)
  foreach(part ${parts})
    string(SUBSTRING "${part}" 0 1 first)
    string(SUBSTRING "${part}" 1 -1 rest)
    string(TOUPPER "${first}" first)
    string(APPEND class "${first}${rest}")
  endforeach()
  set(${result} ${class} PARENT_SCOPE)
endfunction()

function(hlocc_add_model name)
  cmake_parse_arguments(ARG "" "MODEL;CLASS;TARGET" "OPTIONS" ${ARGN})
  foreach(keyword MODEL CLASS TARGET)
    if(NOT ARG_${keyword} AND ARG_UNPARSED_ARGUMENTS)
      list(POP_FRONT ARG_UNPARSED_ARGUMENTS ARG_${keyword})
    endif()
  endforeach()
  if(NOT ARG_MODEL OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "hlocc_add_model(NAME MODEL file [CLASS c] [TARGET t] [OPTIONS ...])")
  endif()
  if(NOT ARG_CLASS)
    _hlocc_class("${ARG_MODEL}" ARG_CLASS)
  endif()
  if(NOT ARG_TARGET)
    set(ARG_TARGET host)
    if(HLOCC_PRESET)
      set(ARG_TARGET ${HLOCC_PRESET})
    endif()
  endif()

  if(NOT HLOCC AND TARGET hlocc)
    set(HLOCC $<TARGET_FILE:hlocc>)
  elseif(NOT HLOCC)
    find_program(HLOCC hlocc REQUIRED NO_CMAKE_FIND_ROOT_PATH)
  endif()

  get_filename_component(model "${ARG_MODEL}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  _hlocc_stem("${ARG_CLASS}" stem)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.hlocc)
  set(archive ${folder}/lib${stem}.a)
  add_custom_command(
    OUTPUT ${archive} ${folder}/${stem}.h ${folder}/${stem}.json
    COMMAND ${HLOCC} compile ${model} -o ${folder} --name ${ARG_CLASS} --target ${ARG_TARGET} ${ARG_OPTIONS}
    DEPENDS ${model} ${HLOCC}
    COMMENT "hlocc ${ARG_CLASS} for ${ARG_TARGET}"
    VERBATIM)
  add_custom_target(${name}_generated DEPENDS ${archive})

  add_library(${name} INTERFACE)
  add_dependencies(${name} ${name}_generated)
  target_include_directories(${name} INTERFACE ${folder})
  target_link_libraries(${name} INTERFACE ${archive})
endfunction()
