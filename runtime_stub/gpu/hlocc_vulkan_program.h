/* hlocc_vulkan_program.h: runs a launch table (hlocc_launch_table.h) on a Vulkan device. open makes
 * the memories, uploads the weights, has the driver compile the shaders and records all commands;
 * run submits what was recorded, segment by segment, and decides between them.
 *
 *   hlocc_vk_program program;
 *   error = hlocc_vk_open_program(&program, &device, table, cache, cache_bytes);
 *   memcpy(hlocc_vk_bytes(&program, HLOCC_TABLE_HEAD_ARGUMENTS, 0), input, ...);
 *   error = hlocc_vk_run_program(&program);
 *   memcpy(output, hlocc_vk_bytes(&program, HLOCC_TABLE_HEAD_RESULTS, 0), ...);
 *   hlocc_vk_close_program(&program);
 *
 * The table must stay where it is as long as the program is open. Arguments are put anew before
 * each run.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_VULKAN_PROGRAM_H_
#define HLOCC_VULKAN_PROGRAM_H_

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
  if (d->vk.CreateBuffer(d->device, &info, NULL, &m->buffer) != 0) return HLOCC_VULKAN_MEMORY;
  d->vk.GetBufferMemoryRequirements(d->device, m->buffer, &need);
  allocate.size = need.size;
  allocate.memory_type = d->memory_type;
  if ((need.types >> d->memory_type & 1) == 0 ||
      d->vk.AllocateMemory(d->device, &allocate, NULL, &m->memory) != 0 ||
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

/* One set of descriptors, which all shaders share: the three memories. */
static inline int32_t hlocc_vk_make_layout(hlocc_vk_program* p) {
  const hlocc_vk_device* d = p->device;
  hlocc_vk_set_binding bindings[HLOCC_TABLE_MEMORIES];
  hlocc_vk_buffer_info buffers[HLOCC_TABLE_MEMORIES];
  hlocc_vk_set_layout_create_info set_info = {HLOCC_VK_SET_LAYOUT_CREATE_INFO, NULL, 0,
                                              HLOCC_TABLE_MEMORIES, bindings};
  hlocc_vk_push_range range = {HLOCC_VK_STAGE_COMPUTE, 0, 0};
  hlocc_vk_layout_create_info info = {
      HLOCC_VK_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &p->set_layout, 1, &range};
  hlocc_vk_pool_size size = {HLOCC_VK_DESCRIPTOR_STORAGE_BUFFER, HLOCC_TABLE_MEMORIES};
  hlocc_vk_pool_create_info pool = {HLOCC_VK_DESCRIPTOR_POOL_CREATE_INFO, NULL, 0, 1, 1, &size};
  hlocc_vk_set_allocate_info set = {HLOCC_VK_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, 0, 1,
                                    &p->set_layout};
  hlocc_vk_write_set write = {
      HLOCC_VK_WRITE_DESCRIPTOR_SET,      NULL, 0,       0,   0, HLOCC_TABLE_MEMORIES,
      HLOCC_VK_DESCRIPTOR_STORAGE_BUFFER, NULL, buffers, NULL};
  uint32_t i;
  for (i = 0; i < HLOCC_TABLE_MEMORIES; ++i) {
    bindings[i].binding = i;
    bindings[i].descriptor_type = HLOCC_VK_DESCRIPTOR_STORAGE_BUFFER;
    bindings[i].count = 1;
    bindings[i].stages = HLOCC_VK_STAGE_COMPUTE;
    bindings[i].samplers = NULL;
    buffers[i].buffer = p->memories[i].buffer;
    buffers[i].offset = 0;
    buffers[i].range = ~(uint64_t)0;
  }
  for (i = 0; i < p->table[HLOCC_TABLE_HEAD_SHADERS]; ++i) {
    const uint32_t* row =
        hlocc_vk_row(p->table, HLOCC_TABLE_HEAD_SHADERS, i, HLOCC_TABLE_SHADER_SIZE);
    if (row[HLOCC_TABLE_SHADER_PUSHED] * 4 > range.size)
      range.size = row[HLOCC_TABLE_SHADER_PUSHED] * 4;
  }
  if (range.size > d->properties.limits.push_constants_size) return HLOCC_VULKAN_LACKS;
  if (range.size == 0) info.range_count = 0;
  if (d->vk.CreateDescriptorSetLayout(d->device, &set_info, NULL, &p->set_layout) != 0 ||
      d->vk.CreatePipelineLayout(d->device, &info, NULL, &p->layout) != 0 ||
      d->vk.CreateDescriptorPool(d->device, &pool, NULL, &p->pool) != 0)
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
  if (d->vk.CreatePipelineCache(d->device, &cache_info, NULL, &p->cache) != 0) p->cache = 0;
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

/* All commands before have left their bytes where those behind, or the host, find them. */
static inline void hlocc_vk_wait_command(hlocc_vk_program* p, hlocc_vk_object commands, int host) {
  const uint32_t device_stages = HLOCC_VK_PIPELINE_COMPUTE | HLOCC_VK_PIPELINE_TRANSFER;
  hlocc_vk_barrier barrier = {HLOCC_VK_MEMORY_BARRIER, NULL,
                              HLOCC_VK_ACCESS_SHADER | HLOCC_VK_ACCESS_TRANSFER,
                              HLOCC_VK_ACCESS_SHADER | HLOCC_VK_ACCESS_TRANSFER};
  if (host) barrier.to = HLOCC_VK_ACCESS_HOST_READ;
  p->device->vk.CmdPipelineBarrier(commands, device_stages,
                                   host ? (uint32_t)HLOCC_VK_PIPELINE_HOST : device_stages, 0, 1,
                                   &barrier, 0, NULL, 0, NULL);
}

/* Records one command; its words' number. */
static inline uint32_t hlocc_vk_record_command(hlocc_vk_program* p, hlocc_vk_object commands,
                                               const uint32_t* at) {
  const hlocc_vk_functions* vk = &p->device->vk;
  if (at[1] != 0) hlocc_vk_wait_command(p, commands, 0);
  if (at[0] == HLOCC_COMMAND_COPY) {
    hlocc_vk_buffer_copy copy = {at[5], at[3], at[6]};
    vk->CmdCopyBuffer(commands, p->memories[at[4]].buffer, p->memories[at[2]].buffer, 1, &copy);
    return 7;
  }
  vk->CmdBindPipeline(commands, HLOCC_VK_BIND_COMPUTE, p->pipelines[at[2]]);
  if (at[4] > 0)
    vk->CmdPushConstants(commands, p->layout, HLOCC_VK_STAGE_COMPUTE, 0, at[4] * 4, at + 5);
  vk->CmdDispatch(commands, at[3], 1, 1);
  return 5 + at[4];
}

static inline int32_t hlocc_vk_record_segment(hlocc_vk_program* p, const uint32_t* at) {
  const hlocc_vk_functions* vk = &p->device->vk;
  const hlocc_vk_object commands = p->segments[at[1]];
  hlocc_vk_begin_info begin = {HLOCC_VK_COMMAND_BUFFER_BEGIN_INFO, NULL, 0, NULL};
  const uint32_t *next = at + 4, *end = at + 4 + at[3];
  if (vk->BeginCommandBuffer(commands, &begin) != 0) return HLOCC_VULKAN_MEMORY;
  vk->CmdBindDescriptorSets(commands, HLOCC_VK_BIND_COMPUTE, p->layout, 0, 1, &p->set, 0, NULL);
  while (next < end) next += hlocc_vk_record_command(p, commands, next);
  hlocc_vk_wait_command(p, commands, 1);
  return vk->EndCommandBuffer(commands) == 0 ? 0 : HLOCC_VULKAN_MEMORY;
}

/* Words of a step, of which a segment's commands are a part. */
static inline uint32_t hlocc_vk_step_words(const uint32_t* at) {
  switch (at[0]) {
    case HLOCC_STEP_SEGMENT: return 4 + at[3];
    case HLOCC_STEP_JUMP: return 2;
    case HLOCC_STEP_UNLESS: return 4;
    case HLOCC_STEP_CHOOSE: return 5 + at[4];
    default: return 1;
  }
}

static inline int32_t hlocc_vk_record(hlocc_vk_program* p) {
  const hlocc_vk_device* d = p->device;
  const uint32_t count = p->table[HLOCC_TABLE_HEAD_SEGMENTS];
  const uint32_t* at = p->table + p->table[HLOCC_TABLE_HEAD_STEPS_AT];
  const uint32_t* end = at + p->table[HLOCC_TABLE_HEAD_STEPS];
  hlocc_vk_command_pool_create_info pool = {HLOCC_VK_COMMAND_POOL_CREATE_INFO, NULL, 0, d->family};
  hlocc_vk_command_allocate_info info = {HLOCC_VK_COMMAND_BUFFER_ALLOCATE_INFO, NULL, 0, 0, count};
  hlocc_vk_fence_create_info fence = {HLOCC_VK_FENCE_CREATE_INFO, NULL, 0};
  int32_t error = 0;
  if (d->vk.CreateCommandPool(d->device, &pool, NULL, &p->command_pool) != 0 ||
      d->vk.CreateFence(d->device, &fence, NULL, &p->fence) != 0)
    return HLOCC_VULKAN_MEMORY;
  info.pool = p->command_pool;
  p->segments = (hlocc_vk_object*)calloc(count + 1, sizeof *p->segments);
  if (p->segments == NULL) return HLOCC_VULKAN_MEMORY;
  if (count > 0 && d->vk.AllocateCommandBuffers(d->device, &info, p->segments) != 0)
    return HLOCC_VULKAN_MEMORY;
  for (; at < end && error == 0; at += hlocc_vk_step_words(at))
    if (at[0] == HLOCC_STEP_SEGMENT) error = hlocc_vk_record_segment(p, at);
  return error;
}

static inline void hlocc_vk_close_program(hlocc_vk_program* p) {
  const hlocc_vk_device* d = p->device;
  uint32_t i;
  if (d == NULL) return;
  if (p->fence != 0) d->vk.DestroyFence(d->device, p->fence, NULL);
  if (p->command_pool != 0) d->vk.DestroyCommandPool(d->device, p->command_pool, NULL);
  for (i = 0; p->pipelines != NULL && i < p->table[HLOCC_TABLE_HEAD_SHADERS]; ++i)
    if (p->pipelines[i] != 0) d->vk.DestroyPipeline(d->device, p->pipelines[i], NULL);
  if (p->cache != 0) d->vk.DestroyPipelineCache(d->device, p->cache, NULL);
  if (p->pool != 0) d->vk.DestroyDescriptorPool(d->device, p->pool, NULL);
  if (p->layout != 0) d->vk.DestroyPipelineLayout(d->device, p->layout, NULL);
  if (p->set_layout != 0) d->vk.DestroyDescriptorSetLayout(d->device, p->set_layout, NULL);
  for (i = 0; i < HLOCC_TABLE_MEMORIES; ++i) {
    if (p->memories[i].buffer != 0) d->vk.DestroyBuffer(d->device, p->memories[i].buffer, NULL);
    if (p->memories[i].memory != 0) d->vk.FreeMemory(d->device, p->memories[i].memory, NULL);
  }
  free(p->pipelines);
  free(p->segments);
  memset(p, 0, sizeof *p);
}

/* cache: what hlocc_vk_get_cache gave an earlier time, or NULL; drivers take no other's. */
static inline int32_t hlocc_vk_open_program(hlocc_vk_program* p, hlocc_vk_device* device,
                                            const uint32_t* table, const void* cache,
                                            size_t cache_bytes) {
  int32_t error = 0;
  memset(p, 0, sizeof *p);
  if (table[HLOCC_TABLE_HEAD_MAGIC] != HLOCC_TABLE_MAGIC ||
      table[HLOCC_TABLE_HEAD_VERSION] != HLOCC_TABLE_VERSION)
    return HLOCC_VULKAN_TABLE;
  if ((table[HLOCC_TABLE_HEAD_NEEDS] & ~device->offers) != 0) return HLOCC_VULKAN_LACKS;
  p->device = device;
  p->table = table;
  error = hlocc_vk_fill_memories(p);
  if (error == 0) error = hlocc_vk_make_layout(p);
  if (error == 0) error = hlocc_vk_make_pipelines(p, cache, cache_bytes);
  if (error == 0) error = hlocc_vk_record(p);
  if (error != 0) hlocc_vk_close_program(p);
  return error;
}

static inline int32_t hlocc_vk_submit(hlocc_vk_program* p, uint32_t segment) {
  const hlocc_vk_device* d = p->device;
  hlocc_vk_submit_info info = {HLOCC_VK_SUBMIT_INFO,  NULL, 0,   NULL, NULL, 1,
                               &p->segments[segment], 0,    NULL};
  ++p->submissions;
  if (d->vk.ResetFences(d->device, 1, &p->fence) != 0 ||
      d->vk.QueueSubmit(d->queue, 1, &info, p->fence) != 0 ||
      d->vk.WaitForFences(d->device, 1, &p->fence, 1, ~(uint64_t)0) != 0)
    return HLOCC_VULKAN_LOST;
  return 0;
}

/* Of the places behind a step that chooses, the one that the selector says. */
static inline uint32_t hlocc_vk_chosen(const hlocc_vk_program* p, const uint32_t* at) {
  const unsigned char* selector = p->memories[at[1]].host + at[2];
  int32_t which = selector[0] == 0;
  if (at[3] == 4) memcpy(&which, selector, 4);
  if (which < 0 || which >= (int32_t)at[4]) which = (int32_t)at[4] - 1;
  return at[5 + which];
}

static inline int32_t hlocc_vk_run_program(hlocc_vk_program* p) {
  const uint32_t* at = p->table + p->table[HLOCC_TABLE_HEAD_STEPS_AT];
  for (;;) {
    const uint32_t* next = at + hlocc_vk_step_words(at);
    uint32_t times;
    int32_t error = 0;
    switch (at[0]) {
      case HLOCC_STEP_SEGMENT:
        for (times = 0; times < at[2] && error == 0; ++times) error = hlocc_vk_submit(p, at[1]);
        if (error != 0) return error;
        break;
      case HLOCC_STEP_JUMP: next = p->table + at[1]; break;
      case HLOCC_STEP_UNLESS:
        if (p->memories[at[1]].host[at[2]] == 0) next = p->table + at[3];
        break;
      case HLOCC_STEP_CHOOSE: next = p->table + hlocc_vk_chosen(p, at); break;
      default: return 0;
    }
    at = next;
  }
}

#ifdef __cplusplus
}
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* HLOCC_VULKAN_PROGRAM_H_ */
