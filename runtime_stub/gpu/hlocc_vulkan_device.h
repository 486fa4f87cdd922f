/* hlocc_vulkan_device.h: a Vulkan device of this machine. The driver is loaded when it is asked
 * for (dlopen: link with -ldl where that is a library of its own); a machine without one is told
 * apart from one whose device lacks something. C99 and C++11, for systems with dlopen and malloc.
 *
 *   hlocc_vk_device device;
 *   int32_t error = hlocc_vk_open_device(&device);
 *   if (error != 0) puts(hlocc_vk_error_name(error));
 *   ...
 *   hlocc_vk_close_device(&device);
 *
 * One thread at a time may use a device and what was made with it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_VULKAN_DEVICE_H_
#define HLOCC_VULKAN_DEVICE_H_

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "hlocc_launch_table.h"
#include "hlocc_vulkan_types.h"

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* What open and run return: 0, or one of these. They are codes of hlocc_device.h's kind. */
enum {
  HLOCC_VULKAN_NO_DRIVER = 101, /* libvulkan.so.1 is not here, or too old */
  HLOCC_VULKAN_NO_DEVICE = 102, /* no device, or none that computes */
  HLOCC_VULKAN_LACKS = 103,     /* the device lacks what the model's shaders need */
  HLOCC_VULKAN_MEMORY = 104,    /* too little memory */
  HLOCC_VULKAN_REFUSED = 105,   /* the driver does not take a shader */
  HLOCC_VULKAN_LOST = 106,      /* the device is lost: init opens another */
  HLOCC_VULKAN_TABLE = 107,     /* no launch table, or of another version */
  HLOCC_VULKAN_CLOSED = 108     /* nothing is open: init has not run, or close has */
};

static inline const char* hlocc_vk_error_name(int32_t error) {
  static const char* const names[] = {"no Vulkan driver",
                                      "no Vulkan device",
                                      "the Vulkan device lacks what the model's shaders need",
                                      "the Vulkan device has too little memory",
                                      "the Vulkan driver refuses a shader",
                                      "the Vulkan device is lost",
                                      "no launch table, or one of another version",
                                      "the model is not open: init opens it"};
  if (error == 0) return "done";
  if (error < HLOCC_VULKAN_NO_DRIVER || error > HLOCC_VULKAN_CLOSED) return "an unknown error";
  return names[error - HLOCC_VULKAN_NO_DRIVER];
}

/* The functions: X(name without vk, arguments); each returns a VkResult, or nothing. */
#define HLOCC_VK_FUNCTIONS(X, V)                                                                   \
  V(DestroyInstance, (hlocc_vk_object, const void*))                                               \
  X(EnumeratePhysicalDevices, (hlocc_vk_object, uint32_t*, hlocc_vk_object*))                      \
  V(GetPhysicalDeviceProperties, (hlocc_vk_object, hlocc_vk_properties*))                          \
  V(GetPhysicalDeviceFeatures2, (hlocc_vk_object, hlocc_vk_features2*))                            \
  V(GetPhysicalDeviceMemoryProperties, (hlocc_vk_object, hlocc_vk_memory_properties*))             \
  V(GetPhysicalDeviceQueueFamilyProperties, (hlocc_vk_object, uint32_t*, hlocc_vk_queue_family*))  \
  X(EnumerateDeviceExtensionProperties,                                                            \
    (hlocc_vk_object, const char*, uint32_t*, hlocc_vk_extension*))                                \
  X(CreateDevice,                                                                                  \
    (hlocc_vk_object, const hlocc_vk_device_create_info*, const void*, hlocc_vk_object*))          \
  V(DestroyDevice, (hlocc_vk_object, const void*))                                                 \
  V(GetDeviceQueue, (hlocc_vk_object, uint32_t, uint32_t, hlocc_vk_object*))                       \
  X(CreateBuffer,                                                                                  \
    (hlocc_vk_object, const hlocc_vk_buffer_create_info*, const void*, hlocc_vk_handle*))          \
  V(DestroyBuffer, (hlocc_vk_object, hlocc_vk_handle, const void*))                                \
  V(GetBufferMemoryRequirements,                                                                   \
    (hlocc_vk_object, hlocc_vk_handle, hlocc_vk_memory_requirements*))                             \
  X(AllocateMemory,                                                                                \
    (hlocc_vk_object, const hlocc_vk_memory_allocate_info*, const void*, hlocc_vk_handle*))        \
  V(FreeMemory, (hlocc_vk_object, hlocc_vk_handle, const void*))                                   \
  X(BindBufferMemory, (hlocc_vk_object, hlocc_vk_handle, hlocc_vk_handle, uint64_t))               \
  X(MapMemory, (hlocc_vk_object, hlocc_vk_handle, uint64_t, uint64_t, uint32_t, void**))           \
  X(CreateShaderModule,                                                                            \
    (hlocc_vk_object, const hlocc_vk_shader_create_info*, const void*, hlocc_vk_handle*))          \
  V(DestroyShaderModule, (hlocc_vk_object, hlocc_vk_handle, const void*))                          \
  X(CreatePipelineCache,                                                                           \
    (hlocc_vk_object, const hlocc_vk_cache_create_info*, const void*, hlocc_vk_handle*))           \
  V(DestroyPipelineCache, (hlocc_vk_object, hlocc_vk_handle, const void*))                         \
  X(GetPipelineCacheData, (hlocc_vk_object, hlocc_vk_handle, size_t*, void*))                      \
  X(CreateComputePipelines, (hlocc_vk_object, hlocc_vk_handle, uint32_t,                           \
                             const hlocc_vk_pipeline_create_info*, const void*, hlocc_vk_handle*)) \
  V(DestroyPipeline, (hlocc_vk_object, hlocc_vk_handle, const void*))                              \
  X(CreateDescriptorSetLayout,                                                                     \
    (hlocc_vk_object, const hlocc_vk_set_layout_create_info*, const void*, hlocc_vk_handle*))      \
  V(DestroyDescriptorSetLayout, (hlocc_vk_object, hlocc_vk_handle, const void*))                   \
  X(CreatePipelineLayout,                                                                          \
    (hlocc_vk_object, const hlocc_vk_layout_create_info*, const void*, hlocc_vk_handle*))          \
  V(DestroyPipelineLayout, (hlocc_vk_object, hlocc_vk_handle, const void*))                        \
  X(CreateDescriptorPool,                                                                          \
    (hlocc_vk_object, const hlocc_vk_pool_create_info*, const void*, hlocc_vk_handle*))            \
  V(DestroyDescriptorPool, (hlocc_vk_object, hlocc_vk_handle, const void*))                        \
  X(AllocateDescriptorSets,                                                                        \
    (hlocc_vk_object, const hlocc_vk_set_allocate_info*, hlocc_vk_handle*))                        \
  V(UpdateDescriptorSets,                                                                          \
    (hlocc_vk_object, uint32_t, const hlocc_vk_write_set*, uint32_t, const void*))                 \
  X(CreateCommandPool,                                                                             \
    (hlocc_vk_object, const hlocc_vk_command_pool_create_info*, const void*, hlocc_vk_handle*))    \
  V(DestroyCommandPool, (hlocc_vk_object, hlocc_vk_handle, const void*))                           \
  X(AllocateCommandBuffers,                                                                        \
    (hlocc_vk_object, const hlocc_vk_command_allocate_info*, hlocc_vk_object*))                    \
  X(BeginCommandBuffer, (hlocc_vk_object, const hlocc_vk_begin_info*))                             \
  X(EndCommandBuffer, (hlocc_vk_object))                                                           \
  V(CmdBindPipeline, (hlocc_vk_object, uint32_t, hlocc_vk_handle))                                 \
  V(CmdBindDescriptorSets, (hlocc_vk_object, uint32_t, hlocc_vk_handle, uint32_t, uint32_t,        \
                            const hlocc_vk_handle*, uint32_t, const uint32_t*))                    \
  V(CmdPushConstants,                                                                              \
    (hlocc_vk_object, hlocc_vk_handle, uint32_t, uint32_t, uint32_t, const void*))                 \
  V(CmdDispatch, (hlocc_vk_object, uint32_t, uint32_t, uint32_t))                                  \
  V(CmdCopyBuffer,                                                                                 \
    (hlocc_vk_object, hlocc_vk_handle, hlocc_vk_handle, uint32_t, const hlocc_vk_buffer_copy*))    \
  V(CmdPipelineBarrier, (hlocc_vk_object, uint32_t, uint32_t, uint32_t, uint32_t,                  \
                         const hlocc_vk_barrier*, uint32_t, const void*, uint32_t, const void*))   \
  X(CreateFence,                                                                                   \
    (hlocc_vk_object, const hlocc_vk_fence_create_info*, const void*, hlocc_vk_handle*))           \
  V(DestroyFence, (hlocc_vk_object, hlocc_vk_handle, const void*))                                 \
  X(ResetFences, (hlocc_vk_object, uint32_t, const hlocc_vk_handle*))                              \
  X(WaitForFences, (hlocc_vk_object, uint32_t, const hlocc_vk_handle*, uint32_t, uint64_t))        \
  X(QueueSubmit, (hlocc_vk_object, uint32_t, const hlocc_vk_submit_info*, hlocc_vk_handle))

typedef struct hlocc_vk_functions {
#define HLOCC_VK_RESULT(name, arguments) int32_t(*name) arguments;
#define HLOCC_VK_VOID(name, arguments) void(*name) arguments;
  HLOCC_VK_FUNCTIONS(HLOCC_VK_RESULT, HLOCC_VK_VOID)
#undef HLOCC_VK_RESULT
#undef HLOCC_VK_VOID
} hlocc_vk_functions;

typedef struct hlocc_vk_device {
  void* library;
  hlocc_vk_object instance, physical, device, queue;
  hlocc_vk_functions vk;
  hlocc_vk_properties properties;
  uint32_t family, memory_type;
  uint32_t offers; /* bits of hlocc_table_needs */
} hlocc_vk_device;

/* Whether an object was made. A call that fails may leave anything in the handle: there is nothing
 * to be destroyed. */
static inline int hlocc_vk_made(int32_t result, hlocc_vk_handle* handle) {
  if (result != 0) *handle = 0;
  return result == 0;
}

/* A function's address as whatever type its pointer has: C knows no cast for that. */
static inline int hlocc_vk_find(void* to, size_t bytes, void* address) {
  if (address == NULL) return 0;
  memcpy(to, &address, bytes);
  return 1;
}

static inline int32_t hlocc_vk_load(hlocc_vk_device* d) {
  static const hlocc_vk_application_info application = {
      HLOCC_VK_APPLICATION_INFO, NULL, "hlocc", 0, "hlocc", 0, HLOCC_VK_VERSION_1_1};
  static const hlocc_vk_instance_create_info info = {
      HLOCC_VK_INSTANCE_CREATE_INFO, NULL, 0, &application, 0, NULL, 0, NULL};
  void* (*address_of)(hlocc_vk_object, const char*);
  int32_t (*create)(const hlocc_vk_instance_create_info*, const void*, hlocc_vk_object*);
  int all = 1;
  d->library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (d->library == NULL) return HLOCC_VULKAN_NO_DRIVER;
  if (!hlocc_vk_find(&address_of, sizeof address_of, dlsym(d->library, "vkGetInstanceProcAddr")) ||
      !hlocc_vk_find(&create, sizeof create, address_of(NULL, "vkCreateInstance")))
    return HLOCC_VULKAN_NO_DRIVER;
  if (create(&info, NULL, &d->instance) != 0) return HLOCC_VULKAN_NO_DRIVER;
#define HLOCC_VK_FIND(name, arguments) \
  all &= hlocc_vk_find(&d->vk.name, sizeof d->vk.name, address_of(d->instance, "vk" #name));
  HLOCC_VK_FUNCTIONS(HLOCC_VK_FIND, HLOCC_VK_FIND)
#undef HLOCC_VK_FIND
  return all ? 0 : HLOCC_VULKAN_NO_DRIVER;
}

/* The first of the best kind that computes: a GPU of its own, one beside the processor, a virtual
 * one, another, and at last the processor itself. */
static inline int32_t hlocc_vk_choose(hlocc_vk_device* d) {
  static const uint32_t rank[HLOCC_VK_DEVICE_TYPES] = {1, 3, 4, 2, 0};
  hlocc_vk_object found[16];
  uint32_t count = 16, best = 0, i, f;
  const int32_t result = d->vk.EnumeratePhysicalDevices(d->instance, &count, found);
  if (result != 0 && result != HLOCC_VK_INCOMPLETE) return HLOCC_VULKAN_NO_DEVICE;
  for (i = 0; i < count; ++i) {
    hlocc_vk_properties properties;
    hlocc_vk_queue_family families[16];
    uint32_t family_count = 16, its;
    d->vk.GetPhysicalDeviceProperties(found[i], &properties);
    if (properties.api_version < HLOCC_VK_VERSION_1_1) continue;
    d->vk.GetPhysicalDeviceQueueFamilyProperties(found[i], &family_count, families);
    for (f = 0; f < family_count && (families[f].flags & HLOCC_VK_QUEUE_COMPUTE) == 0; ++f) {
    }
    its = 1 + (properties.device_type < HLOCC_VK_DEVICE_TYPES ? rank[properties.device_type] : 0);
    if (f == family_count || its <= best) continue;
    best = its;
    d->physical = found[i];
    d->properties = properties;
    d->family = f;
  }
  return best > 0 ? 0 : HLOCC_VULKAN_NO_DEVICE;
}

/* Memory that host and device both see, where the device is nearest to it. */
static inline int32_t hlocc_vk_choose_memory(hlocc_vk_device* d) {
  const uint32_t seen = HLOCC_VK_MEMORY_HOST_VISIBLE | HLOCC_VK_MEMORY_HOST_COHERENT;
  hlocc_vk_memory_properties all;
  uint32_t want, i;
  int near;
  d->vk.GetPhysicalDeviceMemoryProperties(d->physical, &all);
  for (near = 1; near >= 0; --near) {
    want = seen | (near ? HLOCC_VK_MEMORY_DEVICE_LOCAL : 0);
    for (i = 0; i < all.type_count; ++i)
      if ((all.types[i].flags & want) == want) {
        d->memory_type = i;
        return 0;
      }
  }
  return HLOCC_VULKAN_MEMORY;
}

/* Which of the extensions that shaders may need the device has; `names` gets them. */
static inline uint32_t hlocc_vk_find_extensions(const hlocc_vk_device* d, const char** names,
                                                uint32_t* found) {
  static const struct {
    const char* name;
    uint32_t offers;
  } wanted[] = {{"VK_KHR_8bit_storage", HLOCC_TABLE_NEEDS_STORAGE8},
                {"VK_KHR_shader_float_controls", HLOCC_TABLE_NEEDS_CONTROLS}};
  uint32_t count = 0, offers = 0, i, w;
  hlocc_vk_extension* all;
  *found = 0;
  if (d->vk.EnumerateDeviceExtensionProperties(d->physical, NULL, &count, NULL) != 0) return 0;
  all = (hlocc_vk_extension*)calloc(count + 1, sizeof *all);
  if (all == NULL) return 0;
  if (d->vk.EnumerateDeviceExtensionProperties(d->physical, NULL, &count, all) == 0)
    for (w = 0; w < 2; ++w)
      for (i = 0; i < count; ++i)
        if (strcmp(all[i].name, wanted[w].name) == 0) {
          names[(*found)++] = wanted[w].name;
          offers |= wanted[w].offers;
          break;
        }
  free(all);
  return offers;
}

/* With all that shaders may need and the device has. */
static inline int32_t hlocc_vk_start(hlocc_vk_device* d) {
  static const float priority = 1;
  const char* names[2];
  hlocc_vk_storage16 storage16 = {HLOCC_VK_STORAGE16_FEATURES, NULL, 0, 0, 0, 0};
  hlocc_vk_storage8 storage8 = {HLOCC_VK_STORAGE8_FEATURES, NULL, 0, 0, 0};
  hlocc_vk_features2 features, wanted;
  hlocc_vk_queue_create_info queue = {
      HLOCC_VK_DEVICE_QUEUE_CREATE_INFO, NULL, 0, d->family, 1, &priority};
  hlocc_vk_device_create_info info = {
      HLOCC_VK_DEVICE_CREATE_INFO, NULL, 0, 1, &queue, 0, NULL, 0, names, NULL};
  memset(&features, 0, sizeof features);
  memset(&wanted, 0, sizeof wanted);
  features.type = wanted.type = HLOCC_VK_FEATURES_2;
  d->offers = hlocc_vk_find_extensions(d, names, &info.extension_count);
  if ((d->offers & HLOCC_TABLE_NEEDS_STORAGE8) != 0) storage16.next = &storage8;
  features.next = &storage16;
  d->vk.GetPhysicalDeviceFeatures2(d->physical, &features);
  wanted.next = &storage16;
  storage8.uniform_buffer = storage8.push_constant = 0;
  storage16.uniform_buffer = storage16.push_constant = storage16.input_output = 0;
  wanted.on[HLOCC_VK_SHADER_FLOAT64] = features.on[HLOCC_VK_SHADER_FLOAT64];
  wanted.on[HLOCC_VK_SHADER_INT64] = features.on[HLOCC_VK_SHADER_INT64];
  if (wanted.on[HLOCC_VK_SHADER_FLOAT64]) d->offers |= HLOCC_TABLE_NEEDS_F64;
  if (wanted.on[HLOCC_VK_SHADER_INT64]) d->offers |= HLOCC_TABLE_NEEDS_I64;
  if (storage16.storage_buffer) d->offers |= HLOCC_TABLE_NEEDS_STORAGE16;
  if (!storage8.storage_buffer) d->offers &= ~(uint32_t)HLOCC_TABLE_NEEDS_STORAGE8;
  info.next = &wanted;
  if (d->vk.CreateDevice(d->physical, &info, NULL, &d->device) != 0) {
    d->device = NULL;
    return HLOCC_VULKAN_NO_DEVICE;
  }
  d->vk.GetDeviceQueue(d->device, d->family, 0, &d->queue);
  return 0;
}

static inline void hlocc_vk_close_device(hlocc_vk_device* d) {
  if (d->device != NULL) d->vk.DestroyDevice(d->device, NULL);
  /* Found only where there is an instance. */
  if (d->vk.DestroyInstance != NULL) d->vk.DestroyInstance(d->instance, NULL);
  if (d->library != NULL) dlclose(d->library);
  memset(d, 0, sizeof *d);
}

static inline int32_t hlocc_vk_open_device(hlocc_vk_device* d) {
  int32_t error;
  memset(d, 0, sizeof *d);
  error = hlocc_vk_load(d);
  if (error == 0) error = hlocc_vk_choose(d);
  if (error == 0) error = hlocc_vk_choose_memory(d);
  if (error == 0) error = hlocc_vk_start(d);
  if (error != 0) hlocc_vk_close_device(d);
  return error;
}

#ifdef __cplusplus
}
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* HLOCC_VULKAN_DEVICE_H_ */
