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

#include "hlocc_vulkan_pipelines.h"

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

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

static inline uint32_t hlocc_vk_command_words(const uint32_t* at) {
  return at[0] == HLOCC_COMMAND_COPY ? 7 : 5 + at[4];
}

static inline void hlocc_vk_record_command(hlocc_vk_program* p, hlocc_vk_object commands,
                                           const uint32_t* at) {
  const hlocc_vk_functions* vk = &p->device->vk;
  if (at[1] != 0) hlocc_vk_wait_command(p, commands, 0);
  if (at[0] == HLOCC_COMMAND_COPY) {
    hlocc_vk_buffer_copy copy = {at[5], at[3], at[6]};
    vk->CmdCopyBuffer(commands, p->memories[at[4]].buffer, p->memories[at[2]].buffer, 1, &copy);
    return;
  }
  vk->CmdBindPipeline(commands, HLOCC_VK_BIND_COMPUTE, p->pipelines[at[2]]);
  if (at[4] > 0)
    vk->CmdPushConstants(commands, p->layout, HLOCC_VK_STAGE_COMPUTE, 0, at[4] * 4, at + 5);
  vk->CmdDispatch(commands, at[3], 1, 1);
}

static inline int32_t hlocc_vk_record_segment(hlocc_vk_program* p, const uint32_t* at) {
  const hlocc_vk_functions* vk = &p->device->vk;
  const hlocc_vk_object commands = p->segments[at[1]];
  hlocc_vk_begin_info begin = {HLOCC_VK_COMMAND_BUFFER_BEGIN_INFO, NULL, 0, NULL};
  const uint32_t *next = at + 4, *end = at + 4 + at[3];
  if (vk->BeginCommandBuffer(commands, &begin) != 0) return HLOCC_VULKAN_MEMORY;
  vk->CmdBindDescriptorSets(commands, HLOCC_VK_BIND_COMPUTE, p->layout, 0, 1, &p->set, 0, NULL);
  for (; next < end; next += hlocc_vk_command_words(next))
    hlocc_vk_record_command(p, commands, next);
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
  if (!hlocc_vk_made(d->vk.CreateCommandPool(d->device, &pool, NULL, &p->command_pool),
                     &p->command_pool) ||
      !hlocc_vk_made(d->vk.CreateFence(d->device, &fence, NULL, &p->fence), &p->fence))
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
  if (error == 0) error = hlocc_vk_make_set(p);
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
