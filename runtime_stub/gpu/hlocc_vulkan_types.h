/* hlocc_vulkan_types.h: what hlocc_vulkan.h uses of Vulkan 1.1, declared here under names of our
 * own, so that neither a build nor a firmware needs Vulkan's headers, and so that they may be
 * included beside this one. Members keep the order and the types of the specification; every enum
 * is a uint32_t. C99 and C++11.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_VULKAN_TYPES_H_
#define HLOCC_VULKAN_TYPES_H_

#include <stddef.h>
#include <stdint.h>

/* VkInstance, VkPhysicalDevice, VkDevice, VkQueue, VkCommandBuffer; and all other handles, which
 * are 64 bits wherever Vulkan runs. */
typedef struct hlocc_vk_any_object* hlocc_vk_object;
typedef uint64_t hlocc_vk_handle;

/* VkStructureType. */
enum {
  HLOCC_VK_APPLICATION_INFO = 0,
  HLOCC_VK_INSTANCE_CREATE_INFO = 1,
  HLOCC_VK_DEVICE_QUEUE_CREATE_INFO = 2,
  HLOCC_VK_DEVICE_CREATE_INFO = 3,
  HLOCC_VK_SUBMIT_INFO = 4,
  HLOCC_VK_MEMORY_ALLOCATE_INFO = 5,
  HLOCC_VK_FENCE_CREATE_INFO = 8,
  HLOCC_VK_BUFFER_CREATE_INFO = 12,
  HLOCC_VK_SHADER_MODULE_CREATE_INFO = 16,
  HLOCC_VK_PIPELINE_CACHE_CREATE_INFO = 17,
  HLOCC_VK_SHADER_STAGE_CREATE_INFO = 18,
  HLOCC_VK_COMPUTE_PIPELINE_CREATE_INFO = 29,
  HLOCC_VK_PIPELINE_LAYOUT_CREATE_INFO = 30,
  HLOCC_VK_SET_LAYOUT_CREATE_INFO = 32,
  HLOCC_VK_DESCRIPTOR_POOL_CREATE_INFO = 33,
  HLOCC_VK_DESCRIPTOR_SET_ALLOCATE_INFO = 34,
  HLOCC_VK_WRITE_DESCRIPTOR_SET = 35,
  HLOCC_VK_COMMAND_POOL_CREATE_INFO = 39,
  HLOCC_VK_COMMAND_BUFFER_ALLOCATE_INFO = 40,
  HLOCC_VK_COMMAND_BUFFER_BEGIN_INFO = 42,
  HLOCC_VK_MEMORY_BARRIER = 46,
  HLOCC_VK_FEATURES_2 = 1000059000,
  HLOCC_VK_STORAGE16_FEATURES = 1000083000,
  HLOCC_VK_STORAGE8_FEATURES = 1000177000
};

/* VkResult, and bits of several VkFlags. */
enum {
  HLOCC_VK_INCOMPLETE = 5,
  HLOCC_VK_PROCESSOR = 4, /* of the device types: no GPU */
  HLOCC_VK_DEVICE_TYPES = 5,
  HLOCC_VK_QUEUE_COMPUTE = 2,
  HLOCC_VK_MEMORY_DEVICE_LOCAL = 1,
  HLOCC_VK_MEMORY_HOST_VISIBLE = 2,
  HLOCC_VK_MEMORY_HOST_COHERENT = 4,
  HLOCC_VK_BUFFER_USAGE = 0x23, /* storage, and transfers both ways */
  HLOCC_VK_DESCRIPTOR_STORAGE_BUFFER = 7,
  HLOCC_VK_STAGE_COMPUTE = 0x20,
  HLOCC_VK_ACCESS_SHADER = 0x60, /* reads and writes */
  HLOCC_VK_ACCESS_TRANSFER = 0x1800,
  HLOCC_VK_ACCESS_HOST_READ = 0x2000,
  HLOCC_VK_PIPELINE_COMPUTE = 0x800,
  HLOCC_VK_PIPELINE_TRANSFER = 0x1000,
  HLOCC_VK_PIPELINE_HOST = 0x4000,
  HLOCC_VK_BIND_COMPUTE = 1
};
#define HLOCC_VK_VERSION_1_1 ((1u << 22) | (1u << 12))

typedef struct hlocc_vk_application_info {
  uint32_t type;
  const void* next;
  const char* application;
  uint32_t application_version;
  const char* engine;
  uint32_t engine_version, api_version;
} hlocc_vk_application_info;

typedef struct hlocc_vk_instance_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags;
  const hlocc_vk_application_info* application;
  uint32_t layer_count;
  const char* const* layers;
  uint32_t extension_count;
  const char* const* extensions;
} hlocc_vk_instance_create_info;

/* Of VkPhysicalDeviceProperties what stands before the limits, their begin, and room for the
 * rest. */
typedef struct hlocc_vk_properties {
  uint32_t api_version, driver_version, vendor, device, device_type;
  char name[256];
  uint8_t cache_uuid[16];
  struct {
    uint32_t images[7], storage_buffer_range, push_constants_size, allocations[2];
    uint64_t granularities[2];
    uint32_t descriptors_to_fragments[38], shared_memory_size, group_count[3], group_invocations;
  } limits;
  uint64_t rest[64];
} hlocc_vk_properties;

typedef struct hlocc_vk_queue_family {
  uint32_t flags, count, timestamp_bits, granularity[3];
} hlocc_vk_queue_family;

typedef struct hlocc_vk_memory_properties {
  uint32_t type_count;
  struct {
    uint32_t flags, heap;
  } types[32];
  uint32_t heap_count;
  struct {
    uint64_t size;
    uint32_t flags;
  } heaps[16];
} hlocc_vk_memory_properties;

typedef struct hlocc_vk_storage8 {
  uint32_t type;
  void* next;
  uint32_t storage_buffer, uniform_buffer, push_constant;
} hlocc_vk_storage8;

typedef struct hlocc_vk_storage16 {
  uint32_t type;
  void* next;
  uint32_t storage_buffer, uniform_buffer, push_constant, input_output;
} hlocc_vk_storage16;

/* VkPhysicalDeviceFeatures2, its 55 features by number. */
enum { HLOCC_VK_SHADER_FLOAT64 = 39, HLOCC_VK_SHADER_INT64 = 40, HLOCC_VK_FEATURES = 55 };
typedef struct hlocc_vk_features2 {
  uint32_t type;
  void* next;
  uint32_t on[HLOCC_VK_FEATURES];
} hlocc_vk_features2;

typedef struct hlocc_vk_extension {
  char name[256];
  uint32_t version;
} hlocc_vk_extension;

typedef struct hlocc_vk_queue_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags, family, count;
  const float* priorities;
} hlocc_vk_queue_create_info;

typedef struct hlocc_vk_device_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags, queue_count;
  const hlocc_vk_queue_create_info* queues;
  uint32_t layer_count;
  const char* const* layers;
  uint32_t extension_count;
  const char* const* extensions;
  const void* features;
} hlocc_vk_device_create_info;

typedef struct hlocc_vk_buffer_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags;
  uint64_t size;
  uint32_t usage, sharing, family_count;
  const uint32_t* families;
} hlocc_vk_buffer_create_info;

typedef struct hlocc_vk_memory_requirements {
  uint64_t size, alignment;
  uint32_t types;
} hlocc_vk_memory_requirements;

typedef struct hlocc_vk_memory_allocate_info {
  uint32_t type;
  const void* next;
  uint64_t size;
  uint32_t memory_type;
} hlocc_vk_memory_allocate_info;

typedef struct hlocc_vk_shader_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags;
  size_t bytes;
  const uint32_t* words;
} hlocc_vk_shader_create_info;

typedef struct hlocc_vk_cache_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags;
  size_t bytes;
  const void* data;
} hlocc_vk_cache_create_info;

typedef struct hlocc_vk_set_binding {
  uint32_t binding, descriptor_type, count, stages;
  const void* samplers;
} hlocc_vk_set_binding;

typedef struct hlocc_vk_set_layout_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags, count;
  const hlocc_vk_set_binding* bindings;
} hlocc_vk_set_layout_create_info;

typedef struct hlocc_vk_push_range {
  uint32_t stages, offset, size;
} hlocc_vk_push_range;

typedef struct hlocc_vk_layout_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags, set_count;
  const hlocc_vk_handle* sets;
  uint32_t range_count;
  const hlocc_vk_push_range* ranges;
} hlocc_vk_layout_create_info;

typedef struct hlocc_vk_pipeline_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags;
  struct {
    uint32_t type;
    const void* next;
    uint32_t flags, stage;
    hlocc_vk_handle module;
    const char* name;
    const void* specialization;
  } stage;
  hlocc_vk_handle layout, base;
  int32_t base_index;
} hlocc_vk_pipeline_create_info;

typedef struct hlocc_vk_pool_size {
  uint32_t descriptor_type, count;
} hlocc_vk_pool_size;

typedef struct hlocc_vk_pool_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags, most_sets, size_count;
  const hlocc_vk_pool_size* sizes;
} hlocc_vk_pool_create_info;

typedef struct hlocc_vk_set_allocate_info {
  uint32_t type;
  const void* next;
  hlocc_vk_handle pool;
  uint32_t count;
  const hlocc_vk_handle* layouts;
} hlocc_vk_set_allocate_info;

typedef struct hlocc_vk_buffer_info {
  hlocc_vk_handle buffer;
  uint64_t offset, range;
} hlocc_vk_buffer_info;

typedef struct hlocc_vk_write_set {
  uint32_t type;
  const void* next;
  hlocc_vk_handle set;
  uint32_t binding, element, count, descriptor_type;
  const void* images;
  const hlocc_vk_buffer_info* buffers;
  const void* views;
} hlocc_vk_write_set;

typedef struct hlocc_vk_command_pool_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags, family;
} hlocc_vk_command_pool_create_info;

typedef struct hlocc_vk_command_allocate_info {
  uint32_t type;
  const void* next;
  hlocc_vk_handle pool;
  uint32_t level, count;
} hlocc_vk_command_allocate_info;

typedef struct hlocc_vk_begin_info {
  uint32_t type;
  const void* next;
  uint32_t flags;
  const void* inheritance;
} hlocc_vk_begin_info;

typedef struct hlocc_vk_barrier {
  uint32_t type;
  const void* next;
  uint32_t from, to;
} hlocc_vk_barrier;

typedef struct hlocc_vk_buffer_copy {
  uint64_t from, to, size;
} hlocc_vk_buffer_copy;

typedef struct hlocc_vk_fence_create_info {
  uint32_t type;
  const void* next;
  uint32_t flags;
} hlocc_vk_fence_create_info;

typedef struct hlocc_vk_submit_info {
  uint32_t type;
  const void* next;
  uint32_t wait_count;
  const void* waits;
  const void* wait_stages;
  uint32_t command_count;
  const hlocc_vk_object* commands;
  uint32_t signal_count;
  const void* signals;
} hlocc_vk_submit_info;

#endif /* HLOCC_VULKAN_TYPES_H_ */
