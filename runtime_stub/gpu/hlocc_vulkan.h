/* hlocc_vulkan.h: the driver for a model compiled with `hlocc compile --backend vulkan`: the hooks
 * of hlocc_device.h on a Vulkan device. One file of the program has
 *
 *   #include "hlocc_vulkan.h"
 *   #include "kws.h"
 *   extern const uint32_t kws_part_0[];
 *   static hlocc_vulkan_part parts[] = {{"kws_part_0", kws_part_0}};
 *   HLOCC_VULKAN_DRIVER(parts, 1, KWS_DEVICE_BYTES)
 *
 * and compiles kws_part_0.c, which has the part's shaders, commands and weights. Link with -ldl
 * where dlopen is in a library of its own. Then, before the first run,
 *
 *   const int32_t error = hlocc_vulkan_open("kws.cache");
 *   if (error != 0) puts(hlocc_vk_error_name(error));
 *
 * finds the device, uploads the weights and has the driver compile the shaders, of which it keeps
 * what it made in that file (hlocc_vulkan_cache.h; NULL: in none); without it the first run does,
 * and returns the error. After HLOCC_VULKAN_LOST, close and open anew. hlocc_vulkan_close gives all
 * of it back. One thread at a time may run, open or close.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_VULKAN_H_
#define HLOCC_VULKAN_H_

#include "hlocc_vulkan_cache.h"

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef struct hlocc_vulkan_part {
  const char* name;      /* kws_part_0 */
  const uint32_t* table; /* of kws_part_0.c */
  hlocc_vk_program program;
} hlocc_vulkan_part;

typedef struct hlocc_vulkan_driver {
  hlocc_vulkan_part* parts;
  int32_t count;
  unsigned char* memory; /* what put writes, get reads and parts hand one another */
  size_t bytes;
  hlocc_vk_device device;
  int is_open;
} hlocc_vulkan_driver;

static inline void hlocc_vulkan_close_driver(hlocc_vulkan_driver* d) {
  int32_t i;
  for (i = 0; i < d->count; ++i) hlocc_vk_close_program(&d->parts[i].program);
  if (d->is_open) hlocc_vk_close_device(&d->device);
  d->is_open = 0;
}

/* Of all shaders, and of the driver that is to take them. */
static inline uint32_t hlocc_vulkan_shaders(const hlocc_vulkan_driver* d) {
  uint32_t hash = hlocc_vk_hash(d->device.properties.cache_uuid, 16, HLOCC_VULKAN_HASH_BEGIN);
  int32_t i;
  for (i = 0; i < d->count; ++i)
    hash = hlocc_vk_hash(d->parts[i].table, d->parts[i].table[HLOCC_TABLE_HEAD_WORDS] * (size_t)4,
                         hash);
  return hash;
}

/* A file that can't be written is no failure: the next time takes longer. */
static inline void hlocc_vulkan_write_cache(const hlocc_vulkan_driver* d, const char* name,
                                            uint32_t shaders) {
  uint32_t head[4] = {HLOCC_VULKAN_CACHE_MAGIC, 0, 0, 0}, hash = HLOCC_VULKAN_HASH_BEGIN;
  FILE* to = name == NULL ? NULL : fopen(name, "wb");
  int32_t i;
  int done;
  if (to == NULL) return;
  head[1] = shaders;
  head[2] = (uint32_t)d->count;
  done = hlocc_vk_write_bytes(to, head, sizeof head, &hash);
  for (i = 0; i < d->count && done; ++i)
    done = hlocc_vk_write_part(to, &d->parts[i].program, &hash);
  if (done) done = fwrite(&hash, 1, 4, to) == 4;
  if (fclose(to) != 0 || !done) remove(name);
}

/* cache: a file for what the driver makes of the shaders, or NULL. */
static inline int32_t hlocc_vulkan_open_driver(hlocc_vulkan_driver* d, const char* cache) {
  hlocc_vk_cache_file kept;
  uint32_t shaders;
  int32_t error, i;
  if (d->is_open) return 0;
  error = hlocc_vk_open_device(&d->device);
  if (error != 0) return error;
  d->is_open = 1;
  shaders = hlocc_vulkan_shaders(d);
  hlocc_vk_read_cache(&kept, cache, shaders, (uint32_t)d->count);
  for (i = 0; i < d->count && error == 0; ++i) {
    size_t bytes;
    const void* data = hlocc_vk_next_cache(&kept, &bytes);
    error = hlocc_vk_open_program(&d->parts[i].program, &d->device, d->parts[i].table, data, bytes);
  }
  if (error != 0)
    hlocc_vulkan_close_driver(d);
  else if (kept.data == NULL)
    hlocc_vulkan_write_cache(d, cache, shaders);
  hlocc_vk_close_cache(&kept);
  return error;
}

/* Whether bytes from `offset` on lie in the driver's memory. */
static inline int hlocc_vulkan_has(const hlocc_vulkan_driver* d, size_t offset, size_t bytes) {
  return offset <= d->bytes && bytes <= d->bytes - offset;
}

static inline int32_t hlocc_vulkan_put(hlocc_vulkan_driver* d, size_t offset, const void* from,
                                       size_t bytes) {
  if (!hlocc_vulkan_has(d, offset, bytes)) return HLOCC_VULKAN_TABLE;
  memcpy(d->memory + offset, from, bytes);
  return 0;
}

static inline int32_t hlocc_vulkan_get(const hlocc_vulkan_driver* d, size_t offset, void* to,
                                       size_t bytes) {
  if (!hlocc_vulkan_has(d, offset, bytes)) return HLOCC_VULKAN_TABLE;
  memcpy(to, d->memory + offset, bytes);
  return 0;
}

static inline size_t hlocc_vulkan_leaf_bytes(const uint32_t* table, int list, int32_t leaf) {
  return hlocc_vk_row(table, list, (uint32_t)leaf, HLOCC_TABLE_LEAF_SIZE)[HLOCC_TABLE_LEAF_BYTES];
}

static inline int32_t hlocc_vulkan_run_part(hlocc_vulkan_driver* d, hlocc_vulkan_part* part,
                                            const size_t* offsets, int32_t operands,
                                            int32_t results) {
  const int in = HLOCC_TABLE_HEAD_ARGUMENTS, out = HLOCC_TABLE_HEAD_RESULTS;
  int32_t error, i;
  if (part->table[in] != (uint32_t)operands || part->table[out] != (uint32_t)results)
    return HLOCC_VULKAN_TABLE;
  for (i = 0; i < operands; ++i) {
    const size_t bytes = hlocc_vulkan_leaf_bytes(part->table, in, i);
    error = hlocc_vulkan_get(d, offsets[i], hlocc_vk_bytes(&part->program, in, (uint32_t)i), bytes);
    if (error != 0) return error;
  }
  error = hlocc_vk_run_program(&part->program);
  if (error != 0) return error;
  for (i = 0; i < results; ++i) {
    const size_t bytes = hlocc_vulkan_leaf_bytes(part->table, out, i);
    error = hlocc_vulkan_put(d, offsets[operands + i],
                             hlocc_vk_bytes(&part->program, out, (uint32_t)i), bytes);
    if (error != 0) return error;
  }
  return 0;
}

static inline int32_t hlocc_vulkan_submit(hlocc_vulkan_driver* d, const char* name,
                                          const size_t* offsets, int32_t operands,
                                          int32_t results) {
  const int32_t error = hlocc_vulkan_open_driver(d, NULL);
  int32_t i;
  if (error != 0) return error;
  for (i = 0; i < d->count; ++i)
    if (strcmp(d->parts[i].name, name) == 0)
      return hlocc_vulkan_run_part(d, &d->parts[i], offsets, operands, results);
  return HLOCC_VULKAN_TABLE;
}

/* The hooks, for `part_count` parts and the DEVICE_BYTES of the model's header. */
#define HLOCC_VULKAN_DRIVER(part_list, part_count, device_bytes)                                   \
  static unsigned char hlocc_vulkan_memory[device_bytes];                                          \
  static hlocc_vulkan_driver hlocc_vulkan_one = {part_list, part_count, hlocc_vulkan_memory,       \
                                                 sizeof hlocc_vulkan_memory};                      \
  int32_t hlocc_vulkan_open(const char* cache);                                                    \
  int32_t hlocc_vulkan_open(const char* cache) {                                                   \
    return hlocc_vulkan_open_driver(&hlocc_vulkan_one, cache);                                     \
  }                                                                                                \
  void hlocc_vulkan_close(void);                                                                   \
  void hlocc_vulkan_close(void) { hlocc_vulkan_close_driver(&hlocc_vulkan_one); }                  \
  int32_t hlocc_device_put(void* instance, int32_t queue, int32_t memory, size_t offset,           \
                           const void* from, size_t bytes) {                                       \
    (void)instance, (void)queue, (void)memory;                                                     \
    return hlocc_vulkan_put(&hlocc_vulkan_one, offset, from, bytes);                               \
  }                                                                                                \
  int32_t hlocc_device_get(void* instance, int32_t queue, int32_t memory, size_t offset, void* to, \
                           size_t bytes) {                                                         \
    (void)instance, (void)queue, (void)memory;                                                     \
    return hlocc_vulkan_get(&hlocc_vulkan_one, offset, to, bytes);                                 \
  }                                                                                                \
  int32_t hlocc_device_submit(void* instance, int32_t queue, int32_t memory, const char* part,     \
                              const size_t* offsets, int32_t operands, int32_t results) {          \
    (void)instance, (void)queue, (void)memory;                                                     \
    return hlocc_vulkan_submit(&hlocc_vulkan_one, part, offsets, operands, results);               \
  }                                                                                                \
  int32_t hlocc_device_wait(void* instance, int32_t queue) {                                       \
    (void)instance, (void)queue;                                                                   \
    return 0;                                                                                      \
  }                                                                                                \
  void hlocc_device_clean(const void* from, size_t bytes) { (void)from, (void)bytes; }             \
  void hlocc_device_invalidate(void* from, size_t bytes) { (void)from, (void)bytes; }

#ifdef __cplusplus
}
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* HLOCC_VULKAN_H_ */
