# hlocc.cdx.json: a bill of materials (CycloneDX 1.5) of what is inside of hlocc, or is loaded by it: name, version as this
# build found it, licence, and whether it is linked statically, loaded, or headers alone. Installed with the package, whose
# reader may ask whether a flaw of LLVM's or protobuf's is theirs, too. It holds no date and no path: equal builds have equal
# files. tests/install/sbom_test.py compares it with the headers and with what the program loads.

# hlocc_header_version(OUT HEADER MACRO...): the numbers that a header defines, with dots between them.
function(hlocc_header_version out header)
  set(version "")
  if(EXISTS ${header})
    foreach(macro ${ARGN})
      file(STRINGS ${header} line REGEX "^#[ \t]*define[ \t]+${macro}[ \t]")
      string(REGEX REPLACE "^.*${macro}[ \t]+\"?([0-9.]+).*$" "\\1" number "${line}")
      list(APPEND version ${number})
    endforeach()
  endif()
  list(JOIN version "." version)
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# hlocc_sbom_part(NAME VERSION LICENCE PURL LINKAGE): LINKAGE is static, shared or headers.
function(hlocc_sbom_part name version licence purl linkage)
  if(NOT version)
    message(FATAL_ERROR "sbom: no version of ${name} was found")
  endif()
  set_property(GLOBAL APPEND PROPERTY HLOCC_SBOM_NAMES "\"${purl}@${version}\"")
  set_property(GLOBAL APPEND PROPERTY HLOCC_SBOM_PARTS "    {
      \"type\": \"library\",
      \"bom-ref\": \"${purl}@${version}\",
      \"name\": \"${name}\",
      \"version\": \"${version}\",
      \"licenses\": [{\"expression\": \"${licence}\"}],
      \"purl\": \"${purl}@${version}\",
      \"properties\": [{\"name\": \"hlocc:linkage\", \"value\": \"${linkage}\"}]
    }")
endfunction()

set(linkage shared)
if(HLOCC_STATIC)
  set(linkage static)
  find_path(HLOCC_ZSTD_HEADERS zstd.h REQUIRED)
  hlocc_header_version(zstd ${HLOCC_ZSTD_HEADERS}/zstd.h ZSTD_VERSION_MAJOR ZSTD_VERSION_MINOR ZSTD_VERSION_RELEASE)
  if(HLOCC_LLVM)
    hlocc_sbom_part(zstd "${zstd}" BSD-3-Clause pkg:github/facebook/zstd static)
  endif()
endif()
if(HLOCC_LLVM)
  hlocc_sbom_part(LLVM "${LLVM_PACKAGE_VERSION}" "Apache-2.0 WITH LLVM-exception" pkg:github/llvm/llvm-project ${linkage})
endif()
find_path(HLOCC_ZLIB_HEADERS zlib.h REQUIRED)
hlocc_header_version(zlib ${HLOCC_ZLIB_HEADERS}/zlib.h ZLIB_VERSION)
hlocc_sbom_part(zlib "${zlib}" Zlib pkg:github/madler/zlib ${linkage})
hlocc_sbom_part(protobuf "${Protobuf_VERSION}" BSD-3-Clause pkg:github/protocolbuffers/protobuf ${linkage})
hlocc_sbom_part(CLI11 "${CLI11_VERSION}" BSD-3-Clause pkg:github/CLIUtils/CLI11 headers)
hlocc_sbom_part(nlohmann_json "${nlohmann_json_VERSION}" MIT pkg:github/nlohmann/json headers)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  hlocc_sbom_part(libstdc++ "${CMAKE_CXX_COMPILER_VERSION}" "GPL-3.0-or-later WITH GCC-exception-3.1"
    pkg:generic/gcc ${linkage})
endif()

get_property(parts GLOBAL PROPERTY HLOCC_SBOM_PARTS)
get_property(names GLOBAL PROPERTY HLOCC_SBOM_NAMES)
list(JOIN parts ",\n" parts)
list(JOIN names ", " names)
set(own pkg:generic/hlocc@${PROJECT_VERSION})
set(sbom ${CMAKE_BINARY_DIR}/install/hlocc.cdx.json)
file(CONFIGURE OUTPUT ${sbom} @ONLY CONTENT "{
  \"bomFormat\": \"CycloneDX\",
  \"specVersion\": \"1.5\",
  \"version\": 1,
  \"metadata\": {
    \"component\": {
      \"type\": \"application\",
      \"bom-ref\": \"@own@\",
      \"name\": \"hlocc\",
      \"version\": \"@PROJECT_VERSION@\",
      \"licenses\": [{\"expression\": \"Apache-2.0\"}],
      \"purl\": \"@own@\"
    }
  },
  \"components\": [
@parts@
  ],
  \"dependencies\": [
    {\"ref\": \"@own@\", \"dependsOn\": [@names@]}
  ]
}
")
install(FILES ${sbom} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
