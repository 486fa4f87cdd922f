/* A libvulkan.so.1 in front of the real one (REAL_VULKAN has its path) with one fault, named by
 * FAULT: `driver` has no instance, `device` no devices, `lacks` no extensions, `memory` gives none,
 * `shader` takes none, `lost` loses the device at the second submission. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OUT_OF_DEVICE_MEMORY = -2, DEVICE_LOST = -4, INCOMPATIBLE_DRIVER = -9 };

typedef void* (*find_function)(void* instance, const char* name);
typedef int32_t (*submit_function)(void* queue, uint32_t count, const void* infos, uint64_t fence);

static find_function real;
static submit_function real_submit;

static int32_t no_instance(const void* info, const void* allocator, void* instance) {
  (void)info, (void)allocator, (void)instance;
  return INCOMPATIBLE_DRIVER;
}

/* Of devices and of extensions. */
static int32_t no_devices(void* instance, uint32_t* count, void* devices) {
  (void)instance, (void)devices;
  *count = 0;
  return 0;
}

static int32_t no_extensions(void* device, const char* layer, uint32_t* count, void* found) {
  (void)device, (void)layer, (void)found;
  *count = 0;
  return 0;
}

static int32_t no_memory(void* device, const void* info, const void* allocator, uint64_t* memory) {
  (void)device, (void)info, (void)allocator, (void)memory;
  return OUT_OF_DEVICE_MEMORY;
}

static int32_t no_shader(void* device, const void* info, const void* allocator, uint64_t* module) {
  (void)device, (void)info, (void)allocator, (void)module;
  return OUT_OF_DEVICE_MEMORY;
}

static int32_t second_is_lost(void* queue, uint32_t count, const void* infos, uint64_t fence) {
  static int submissions;
  return ++submissions == 2 ? DEVICE_LOST : real_submit(queue, count, infos, fence);
}

static const struct {
  const char *fault, *name;
  void* function;
} kFaults[] = {{"driver", "vkCreateInstance", (void*)no_instance},
               {"device", "vkEnumeratePhysicalDevices", (void*)no_devices},
               {"lacks", "vkEnumerateDeviceExtensionProperties", (void*)no_extensions},
               {"memory", "vkAllocateMemory", (void*)no_memory},
               {"shader", "vkCreateShaderModule", (void*)no_shader},
               {"lost", "vkQueueSubmit", (void*)second_is_lost}};

void* vkGetInstanceProcAddr(void* instance, const char* name);
void* vkGetInstanceProcAddr(void* instance, const char* name) {
  size_t i;
  if (real == NULL) {
    void* library = dlopen(getenv("REAL_VULKAN"), RTLD_NOW | RTLD_LOCAL);
    real = (find_function)dlsym(library, "vkGetInstanceProcAddr");
  }
  if (strcmp(name, "vkQueueSubmit") == 0) real_submit = (submit_function)real(instance, name);
  for (i = 0; i < sizeof kFaults / sizeof *kFaults; ++i)
    if (strcmp(kFaults[i].fault, getenv("FAULT")) == 0 && strcmp(kFaults[i].name, name) == 0)
      return kFaults[i].function;
  return real(instance, name);
}
