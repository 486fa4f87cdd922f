# hlocc_add_model(NAME MODEL file [CLASS acme::Kws] [TARGET preset-or-triple...] [OPTIONS flag...]
#                 [CONFIG file.json] [GEN_TEST] [GEN_BENCHMARK])
#
# Compiles an HLO module with hlocc when the project is built, and defines the imported static
# library NAME: link it, and include the header that is called after the class (acme::Kws: kws.h).
# The compiler's helpers that the code may call (libgcc's) come with it, behind it. The same four in
# a row without keywords do as well: hlocc_add_model(kws kws.pb acme::Kws cortex-m4f).
#
# TARGET is by default what a toolchain file of hlocc's sets, else this machine; in a project that is
# cross-compiled otherwise it must be named. With several of them each has a library of its own,
# NAME_TARGET, and NAME is the one of them that this project is built for, if there is one; the
# target NAME_generated makes them all.
#
# MODELS NAME=file... in the place of MODEL makes one library of several models that share an arena
# (`hlocc compile --shared-arena`); CLASS is then the library's, and must be there.
#
# GEN_TEST adds the program NAME_test and the ctest of that name: run answers, and gives the same
# from the same arguments twice. GEN_BENCHMARK adds NAME_benchmark, which prints what a call takes
# (cmake/hlocc_model_program.cmake writes both). On bare metal they are linked with hlocc_board, the
# board of the toolchain file, if it is there.
#
# The model is compiled again when it, a file that it needs or hlocc itself changes. HLOCC names the
# compiler; without it the target hlocc of the same build, that of find_package(hlocc) or the PATH's
# is taken.
include_guard()
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)
set(_hlocc_cmake_dir ${CMAKE_CURRENT_LIST_DIR})

# "TinyGpt" -> tiny_gpt, as hlocc names its files; "acme::Kws" -> acme_kws, its functions.
function(_hlocc_snake class result)
  string(REPLACE "::" "_" text "${class}")
  string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" text "${text}")
  string(REGEX REPLACE "([A-Z])([A-Z][a-z])" "\\1_\\2" text "${text}")
  string(TOLOWER "${text}" text)
  set(${result} ${text} PARENT_SCOPE)
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

# The compiler: what to call, and what to depend on.
function(_hlocc_compiler command dependency)
  if(HLOCC)
    set(found ${HLOCC})
  elseif(TARGET hlocc)
    set(found $<TARGET_FILE:hlocc>)
  elseif(TARGET hlocc::hlocc)
    get_target_property(found hlocc::hlocc LOCATION)
  else()
    find_program(HLOCC hlocc REQUIRED NO_CMAKE_FIND_ROOT_PATH)
    set(found ${HLOCC})
  endif()
  set(${command} ${found} PARENT_SCOPE)
  if(TARGET hlocc AND NOT HLOCC)
    set(found hlocc)
  endif()
  set(${dependency} ${found} PARENT_SCOPE)
endfunction()

# The library of one target: compiled into `folder`.
function(_hlocc_library library folder target)
  set(archive ${folder}/lib${stem}.a)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${archive} ${folder}/${stem}.h ${folder}/${stem}.json
    COMMAND ${compiler} compile ${words} -o ${folder} --name ${ARG_CLASS} --target ${target}
            --depfile ${folder}/${stem}.d ${ARG_OPTIONS}
    DEPENDS ${model} ${dependency} ${ARG_CONFIG}
    DEPFILE ${folder}/${stem}.d
    COMMENT "hlocc ${ARG_CLASS} for ${target}"
    VERBATIM)
  add_custom_target(${library}_files DEPENDS ${archive})
  add_library(${library} STATIC IMPORTED GLOBAL)
  add_dependencies(${library} ${library}_files)
  set_target_properties(${library} PROPERTIES
    IMPORTED_LOCATION ${archive}
    INTERFACE_INCLUDE_DIRECTORIES ${folder}
    # -nostdlib leaves out what the code may call; elsewhere naming it again changes nothing.
    INTERFACE_LINK_LIBRARIES "$<$<OR:$<LINK_LANG_AND_ID:C,GNU>,$<LINK_LANG_AND_ID:CXX,GNU>>:-lgcc>")
endfunction()

# NAME_test or NAME_benchmark: a program of the generated header alone.
function(_hlocc_program name library folder kind)
  _hlocc_snake(${ARG_CLASS} prefix)
  # It is C and C++ at once.
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  set(source ${folder}/${stem}_${kind}.cpp)
  if("C" IN_LIST languages)
    set(source ${folder}/${stem}_${kind}.c)
  endif()
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D MANIFEST=${folder}/${stem}.json -D HEADER=${stem}.h -D PREFIX=${prefix}_ -D KIND=${kind}
            -D OUT=${source} -P ${_hlocc_cmake_dir}/hlocc_model_program.cmake
    DEPENDS ${folder}/${stem}.json ${_hlocc_cmake_dir}/hlocc_model_program.cmake
    COMMENT "The ${kind} of ${ARG_CLASS}"
    VERBATIM)
  add_executable(${name}_${kind} ${source})
  target_link_libraries(${name}_${kind} PRIVATE ${library})
  if(TARGET hlocc_board)
    target_link_libraries(${name}_${kind} PRIVATE hlocc_board)
    target_compile_definitions(${name}_${kind} PRIVATE HLOCC_HAS_BOARD)
  endif()
endfunction()

function(hlocc_add_model name)
  cmake_parse_arguments(ARG "GEN_TEST;GEN_BENCHMARK" "MODEL;CLASS;CONFIG" "TARGET;OPTIONS;MODELS" ${ARGN})
  if(ARG_MODELS AND (ARG_MODEL OR ARG_GEN_TEST OR ARG_GEN_BENCHMARK OR NOT ARG_CLASS))
    message(FATAL_ERROR "hlocc_add_model(${name}): MODELS makes a library of several models: it needs a CLASS for the "
                        "library, and neither MODEL, GEN_TEST nor GEN_BENCHMARK")
  endif()
  set(positional MODEL CLASS TARGET)
  if(ARG_MODELS)
    set(positional CLASS TARGET)
  endif()
  foreach(keyword ${positional})
    if(NOT ARG_${keyword} AND ARG_UNPARSED_ARGUMENTS)
      list(POP_FRONT ARG_UNPARSED_ARGUMENTS ARG_${keyword})
    endif()
  endforeach()
  if(NOT (ARG_MODEL OR ARG_MODELS) OR ARG_UNPARSED_ARGUMENTS)
    if(ARG_UNPARSED_ARGUMENTS)
      set(why ": ${ARG_UNPARSED_ARGUMENTS}?")
    endif()
    message(FATAL_ERROR "hlocc_add_model(NAME MODEL file [CLASS c] [TARGET t...] [OPTIONS ...] [CONFIG f] "
                        "[GEN_TEST] [GEN_BENCHMARK])${why}")
  endif()
  if(NOT ARG_CLASS)
    _hlocc_class("${ARG_MODEL}" ARG_CLASS)
  endif()

  # What this project itself is built for.
  set(own)
  if(HLOCC_PRESET)
    set(own ${HLOCC_PRESET})
  elseif(NOT CMAKE_CROSSCOMPILING)
    set(own host)
  endif()
  if(NOT ARG_TARGET)
    if(NOT own)
      message(FATAL_ERROR "hlocc_add_model(${name}): this project is cross-compiled for ${CMAKE_SYSTEM_NAME} "
                          "${CMAKE_SYSTEM_PROCESSOR}: name the chip with TARGET (`hlocc targets` lists the presets, any LLVM "
                          "triple will do), or use a toolchain file of hlocc's")
    endif()
    set(ARG_TARGET ${own})
  endif()

  # What the compiler is told, and the files that it depends on.
  set(words)
  set(model)
  foreach(word ${ARG_MODEL} ${ARG_MODELS})
    string(REGEX MATCH "^[A-Za-z_][A-Za-z0-9_]*=" called "${word}")
    if(NOT ARG_MODELS)
      set(called)
    endif()
    string(LENGTH "${called}" begin)
    string(SUBSTRING "${word}" ${begin} -1 file)
    get_filename_component(file "${file}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    get_source_file_property(is_generated ${file} GENERATED)
    if(NOT EXISTS ${file} AND NOT is_generated)
      message(FATAL_ERROR "hlocc_add_model(${name}): there is no model ${file}")
    endif()
    list(APPEND words ${called}${file})
    list(APPEND model ${file})
  endforeach()
  if(ARG_MODELS)
    list(APPEND words --shared-arena)
  endif()
  if(ARG_CONFIG)
    get_filename_component(ARG_CONFIG "${ARG_CONFIG}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND ARG_OPTIONS --config ${ARG_CONFIG})
  endif()
  _hlocc_compiler(compiler dependency)
  string(REGEX REPLACE ".*::" "" last "${ARG_CLASS}")
  _hlocc_snake("${last}" stem)

  list(LENGTH ARG_TARGET count)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.hlocc)
  if(count EQUAL 1)
    _hlocc_library(${name} ${folder} ${ARG_TARGET})
    add_custom_target(${name}_generated DEPENDS ${folder}/lib${stem}.a)
  else()
    add_custom_target(${name}_generated)
    foreach(target ${ARG_TARGET})
      _hlocc_library(${name}_${target} ${folder}/${target} ${target})
      add_dependencies(${name}_generated ${name}_${target}_files)
    endforeach()
    if(own IN_LIST ARG_TARGET)
      add_library(${name} ALIAS ${name}_${own})
      set(folder ${folder}/${own})
    endif()
  endif()

  if((ARG_GEN_TEST OR ARG_GEN_BENCHMARK) AND NOT TARGET ${name})
    message(FATAL_ERROR "hlocc_add_model(${name}): GEN_TEST and GEN_BENCHMARK make programs for what this project is built "
                        "for, which is none of ${ARG_TARGET}")
  endif()
  if(ARG_GEN_TEST)
    _hlocc_program(${name} ${name} ${folder} test)
    add_test(NAME ${name}_test COMMAND ${name}_test)
  endif()
  if(ARG_GEN_BENCHMARK)
    _hlocc_program(${name} ${name} ${folder} benchmark)
  endif()
endfunction()

cmake_policy(POP)
