# cmake -DROOT=... -DOUT=... -P: writes the header with the number that plug-ins and hlocc must agree on: a hash of all
# headers that are installed.
file(GLOB_RECURSE headers RELATIVE ${ROOT} ${ROOT}/include/*.h ${ROOT}/src/kernel/*.h ${ROOT}/src/kernel/*.def
  ${ROOT}/src/planning/*.h ${ROOT}/src/costs/*.h ${ROOT}/src/target/*.h ${ROOT}/src/target/*.def ${ROOT}/src/hlo/*.h
  ${ROOT}/src/hlo/*.def ${ROOT}/src/support/*.h ${ROOT}/src/support/*.def)
list(SORT headers)
set(all "")
foreach(header ${headers})
  file(SHA256 ${ROOT}/${header} hash)
  string(APPEND all "${header} ${hash}\n")
endforeach()
string(SHA256 all "${all}")
string(SUBSTRING ${all} 0 16 all)
set(text "// The headers that a plug-in was built against. Generated.
#ifndef HLOCC_DEVICE_ABI_H_
#define HLOCC_DEVICE_ABI_H_
#define HLOCC_PLUGIN_ABI \"${all}\"
#endif  // HLOCC_DEVICE_ABI_H_
")
file(CONFIGURE OUTPUT ${OUT} CONTENT "${text}" @ONLY)
