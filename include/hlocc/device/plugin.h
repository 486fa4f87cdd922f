// A plug-in: a shared library that hlocc loads with --plugin FILE. It takes hlocc's symbols from
// the program that loads it, is built against the headers of that very hlocc, and stays loaded.
#ifndef HLOCC_DEVICE_PLUGIN_H_
#define HLOCC_DEVICE_PLUGIN_H_

#include <cstring>

#include "hlocc/device/abi.h"
#include "hlocc/device/platform.h"

// The one symbol. Returns the HLOCC_PLUGIN_ABI that the plug-in was built with, and registers
// nothing if that is not `abi`.
extern "C" const char* hlocc_plugin_register(const char* abi,
                                             hlocc::device::PlatformManager* manager);

// HLOCC_PLUGIN(add_platforms): defines it; add_platforms takes a PlatformManager&.
#define HLOCC_PLUGIN(add_platforms)                                                       \
  extern "C" const char* hlocc_plugin_register(const char* abi,                           \
                                               hlocc::device::PlatformManager* manager) { \
    if (std::strcmp(abi, HLOCC_PLUGIN_ABI) == 0) add_platforms(*manager);                 \
    return HLOCC_PLUGIN_ABI;                                                              \
  }

#endif  // HLOCC_DEVICE_PLUGIN_H_
