/* hlocc_vulkan_pipelines.h: what a launch table (hlocc_launch_table.h) needs of a device before its
 * commands can be recorded: the memories with the weights in them, and the shaders as the driver
 * compiles them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_VULKAN_PIPELINES_H_
#define HLOCC_VULKAN_PIPELINES_H_

#include "hlocc_vulkan_device.h"

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef struct hlocc_vk_memory {
  hlocc_vk_handle buffer, memory;
  unsigned char* host;
} hlocc_vk_memory;

typedef struct hlocc_vk_program {
  hlocc_vk_device* device;
  const uint32_t* table;
  hlocc_vk_memory memories[HLOCC_TABLE_MEMORIES];
  hlocc_vk_handle set_layout, layout, pool, set, command_pool, fence, cache;
  hlocc_vk_handle* pipelines; /* by shader */
  hlocc_vk_object* segments;
  uint64_t submissions; /* of all runs */
} hlocc_vk_program;

/* Row `i` of a list of the table whose count is the head's word `list`. */
static inline const uint32_t* hlocc_vk_row(const uint32_t* table, int list, uint32_t i,
                                           uint32_t size) {
  return table + table[list + 1] + i * size;
}

/* Where an argument's or a result's bytes are; list: HLOCC_TABLE_HEAD_ARGUMENTS or _RESULTS. */
static inline unsigned char* hlocc_vk_bytes(const hlocc_vk_program* p, int list, uint32_t leaf) {
  const uint32_t* row = hlocc_vk_row(p->table, list, leaf, HLOCC_TABLE_LEAF_SIZE);
  return p->memories[row[HLOCC_TABLE_LEAF_MEMORY]].host + row[HLOCC_TABLE_LEAF_OFFSET];
}

static inline int32_t hlocc_vk_make_memory(hlocc_vk_program* p, uint32_t number) {
  const hlocc_vk_device* d = p->device;
  hlocc_vk_memory* m = &p->memories[number];
  const uint32_t bytes = p->table[HLOCC_TABLE_HEAD_BYTES + number];
  hlocc_vk_buffer_create_info info = {HLOCC_VK_BUFFER_CREATE_INFO, NULL, 0, (bytes + 63u) / 64 * 64,
                                      HLOCC_VK_BUFFER_USAGE,       0,    0, NULL};
  hlocc_vk_memory_requirements need;
  hlocc_vk_memory_allocate_info allocate = {HLOCC_VK_MEMORY_ALLOCATE_INFO, NULL, 0, 0};
  void* host = NULL;
  if (info.size == 0) info.size = 64;
  if (info.size > d->properties.limits.storage_buffer_range) return HLOCC_VULKAN_MEMORY;
  if (!hlocc_vk_made(d->vk.CreateBuffer(d->device, &info, NULL, &m->buffer), &m->buffer))
    return HLOCC_VULKAN_MEMORY;
  d->vk.GetBufferMemoryRequirements(d->device, m->buffer, &need);
  allocate.size = need.size;
  allocate.memory_type = d->memory_type;
  if ((need.types >> d->memory_type & 1) == 0 ||
      !hlocc_vk_made(d->vk.AllocateMemory(d->device, &allocate, NULL, &m->memory), &m->memory) ||
      d->vk.BindBufferMemory(d->device, m->buffer, m->memory, 0) != 0 ||
      d->vk.MapMemory(d->device, m->memory, 0, ~(uint64_t)0, 0, &host) != 0)
    return HLOCC_VULKAN_MEMORY;
  m->host = (unsigned char*)host;
  return 0;
}

static inline int32_t hlocc_vk_fill_memories(hlocc_vk_program* p) {
  uint32_t i;
  int32_t error = 0;
  for (i = 0; i < HLOCC_TABLE_MEMORIES && error == 0; ++i) error = hlocc_vk_make_memory(p, i);
  for (i = 0; error == 0 && i < p->table[HLOCC_TABLE_HEAD_PIECES]; ++i) {
    const uint32_t* row =
        hlocc_vk_row(p->table, HLOCC_TABLE_HEAD_PIECES, i, HLOCC_TABLE_PIECE_SIZE);
    memcpy(p->memories[row[HLOCC_TABLE_PIECE_MEMORY]].host + row[HLOCC_TABLE_PIECE_OFFSET],
           p->table + row[HLOCC_TABLE_PIECE_AT], row[HLOCC_TABLE_PIECE_BYTES]);
  }
  return error;
}

/* What all shaders see: the three memories, and the words that a launch pushes. */
static inline int32_t hlocc_vk_make_layout(hlocc_vk_program* p) {
  const hlocc_vk_device* d = p->device;
  hlocc_vk_set_binding bindings[HLOCC_TABLE_MEMORIES];
  hlocc_vk_set_layout_create_info set_info = {HLOCC_VK_SET_LAYOUT_CREATE_INFO, NULL, 0,
                                              HLOCC_TABLE_MEMORIES, bindings};
  hlocc_vk_push_range range = {HLOCC_VK_STAGE_COMPUTE, 0, 0};
  hlocc_vk_layout_create_info info = {
      HLOCC_VK_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &p->set_layout, 1, &range};
  uint32_t i;
  for (i = 0; i < HLOCC_TABLE_MEMORIES; ++i) {
    bindings[i].binding = i;
    bindings[i].descriptor_type = HLOCC_VK_DESCRIPTOR_STORAGE_BUFFER;
    bindings[i].count = 1;
    bindings[i].stages = HLOCC_VK_STAGE_COMPUTE;
    bindings[i].samplers = NULL;
  }
  for (i = 0; i < p->table[HLOCC_TABLE_HEAD_SHADERS]; ++i) {
    const uint32_t* row =
        hlocc_vk_row(p->table, HLOCC_TABLE_HEAD_SHADERS, i, HLOCC_TABLE_SHADER_SIZE);
    if (row[HLOCC_TABLE_SHADER_PUSHED] * 4 > range.size)
      range.size = row[HLOCC_TABLE_SHADER_PUSHED] * 4;
  }
  if (range.size > d->properties.limits.push_constants_size) return HLOCC_VULKAN_LACKS;
  if (range.size == 0) info.range_count = 0;
  if (!hlocc_vk_made(d->vk.CreateDescriptorSetLayout(d->device, &set_info, NULL, &p->set_layout),
                     &p->set_layout) ||
      !hlocc_vk_made(d->vk.CreatePipelineLayout(d->device, &info, NULL, &p->layout), &p->layout))
    return HLOCC_VULKAN_MEMORY;
  return 0;
}

/* One set of descriptors, which all launches share. */
static inline int32_t hlocc_vk_make_set(hlocc_vk_program* p) {
  const hlocc_vk_device* d = p->device;
  hlocc_vk_buffer_info buffers[HLOCC_TABLE_MEMORIES];
  hlocc_vk_pool_size size = {HLOCC_VK_DESCRIPTOR_STORAGE_BUFFER, HLOCC_TABLE_MEMORIES};
  hlocc_vk_pool_create_info pool = {HLOCC_VK_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 1, &size};
  hlocc_vk_set_allocate_info set = {HLOCC_VK_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, 0, 1,
                                    &p->set_layout};
  hlocc_vk_write_set write = {
      HLOCC_VK_WRITE_DESCRIPTOR_SET,      NULL, 0,       0,   0, HLOCC_TABLE_MEMORIES,
      HLOCC_VK_DESCRIPTOR_STORAGE_BUFFER, NULL, buffers, NULL};
  uint32_t i;
  for (i = 0; i < HLOCC_TABLE_MEMORIES; ++i) {
    buffers[i].buffer = p->memories[i].buffer;
    buffers[i].offset = 0;
    buffers[i].range = ~(uint64_t)0;
  }
  if (!hlocc_vk_made(d->vk.CreateDescriptorPool(d->device, &pool, NULL, &p->pool), &p->pool))
    return HLOCC_VULKAN_MEMORY;
  set.pool = p->pool;
  if (d->vk.AllocateDescriptorSets(d->device, &set, &p->set) != 0) return HLOCC_VULKAN_MEMORY;
  write.set = p->set;
  d->vk.UpdateDescriptorSets(d->device, 1, &write, 0, NULL);
  return 0;
}

static inline int32_t hlocc_vk_make_pipelines(hlocc_vk_program* p, const void* cache,
                                              size_t cache_bytes) {
  const hlocc_vk_device* d = p->device;
  const uint32_t count = p->table[HLOCC_TABLE_HEAD_SHADERS];
  hlocc_vk_cache_create_info cache_info = {HLOCC_VK_PIPELINE_CACHE_CREATE_INFO, NULL, 0,
                                           cache_bytes, cache};
  uint32_t i;
  p->pipelines = (hlocc_vk_handle*)calloc(count + 1, sizeof *p->pipelines);
  if (p->pipelines == NULL) return HLOCC_VULKAN_MEMORY;
  /* Without one the shaders take longer. */
  (void)hlocc_vk_made(d->vk.CreatePipelineCache(d->device, &cache_info, NULL, &p->cache),
                      &p->cache);
  for (i = 0; i < count; ++i) {
    const uint32_t* row =
        hlocc_vk_row(p->table, HLOCC_TABLE_HEAD_SHADERS, i, HLOCC_TABLE_SHADER_SIZE);
    hlocc_vk_shader_create_info shader = {HLOCC_VK_SHADER_MODULE_CREATE_INFO, NULL, 0,
                                          row[HLOCC_TABLE_SHADER_WORDS] * (size_t)4,
                                          p->table + row[HLOCC_TABLE_SHADER_AT]};
    hlocc_vk_pipeline_create_info info;
    hlocc_vk_handle module = 0;
    int32_t result;
    memset(&info, 0, sizeof info);
    if (d->vk.CreateShaderModule(d->device, &shader, NULL, &module) != 0)
      return HLOCC_VULKAN_REFUSED;
    info.type = HLOCC_VK_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.type = HLOCC_VK_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = HLOCC_VK_STAGE_COMPUTE;
    info.stage.module = module;
    info.stage.name = "main";
    info.layout = p->layout;
    info.base_index = -1;
    result = d->vk.CreateComputePipelines(d->device, p->cache, 1, &info, NULL, &p->pipelines[i]);
    d->vk.DestroyShaderModule(d->device, module, NULL);
    if (result != 0) return HLOCC_VULKAN_REFUSED;
  }
  return 0;
}

#ifdef __cplusplus
}
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* HLOCC_VULKAN_PIPELINES_H_ */
