/* hlocc_vulkan.h: the driver for models compiled with `hlocc compile --backend vulkan`: the hooks
 * of hlocc_device.h on a Vulkan device. One file of the program has
 *
 *   #include "hlocc_vulkan.h"
 *   HLOCC_VULKAN_DRIVER()
 *
 * and is linked with -ldl where dlopen is in a library of its own. The model's init then finds the
 * device, uploads the weights that lie in the library, has the driver compile the shaders and
 * records the commands; run submits them. init and run return 0, or a code of
 * hlocc_vulkan_device.h, whose meaning the model's error_msg has. After HLOCC_VULKAN_LOST the next
 * init opens a device anew. close gives back what the instance holds.
 *
 *   hlocc_vulkan_cache("kws.cache");
 *
 * before init names a file, one a model, in which is kept what the driver made of the shaders
 * (hlocc_vulkan_cache.h); without one nothing is kept. One thread at a time may init, run or close.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_VULKAN_H_
#define HLOCC_VULKAN_H_

#include "../hlocc_device.h"
#include "hlocc_vulkan_cache.h"

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

typedef struct hlocc_vulkan_part {
  const char* name; /* kws_part_0 */
  hlocc_vk_program program;
} hlocc_vulkan_part;

/* A device that is open, and how many instances use it. */
typedef struct hlocc_vulkan_device {
  hlocc_vk_device device;
  int32_t users;
} hlocc_vulkan_device;

/* What is open for an instance. */
typedef struct hlocc_vulkan_model {
  struct hlocc_vulkan_model* next;
  const void* instance;
  hlocc_vulkan_device* on;
  unsigned char* memory; /* what put writes, get reads and parts hand one another */
  size_t bytes;
  hlocc_vulkan_part* parts;
  int32_t count;
} hlocc_vulkan_model;

typedef struct hlocc_vulkan_driver {
  hlocc_vulkan_model* models;
  hlocc_vulkan_device* device; /* which the next instance takes; NULL: it opens one */
  const char* cache;
} hlocc_vulkan_driver;

static inline hlocc_vulkan_model* hlocc_vulkan_find(const hlocc_vulkan_driver* d,
                                                    const void* instance) {
  hlocc_vulkan_model* m = d->models;
  while (m != NULL && m->instance != instance) m = m->next;
  return m;
}

static inline int32_t hlocc_vulkan_take_device(hlocc_vulkan_driver* d, hlocc_vulkan_model* m) {
  if (d->device == NULL) {
    int32_t error;
    hlocc_vulkan_device* made = (hlocc_vulkan_device*)calloc(1, sizeof *made);
    if (made == NULL) return HLOCC_VULKAN_MEMORY;
    error = hlocc_vk_open_device(&made->device);
    if (error != 0) {
      free(made);
      return error;
    }
    d->device = made;
  }
  m->on = d->device;
  ++m->on->users;
  return 0;
}

static inline void hlocc_vulkan_leave_device(hlocc_vulkan_driver* d, hlocc_vulkan_device* on) {
  if (on == NULL || --on->users > 0) return;
  if (d->device == on) d->device = NULL;
  hlocc_vk_close_device(&on->device);
  free(on);
}

static inline void hlocc_vulkan_close(hlocc_vulkan_driver* d, const void* instance) {
  hlocc_vulkan_model *m = hlocc_vulkan_find(d, instance), **link = &d->models;
  int32_t i;
  if (m == NULL) return;
  while (*link != m) link = &(*link)->next;
  *link = m->next;
  for (i = 0; m->parts != NULL && i < m->count; ++i) hlocc_vk_close_program(&m->parts[i].program);
  hlocc_vulkan_leave_device(d, m->on);
  free(m->parts);
  free(m->memory);
  free(m);
}

/* Of all shaders, and of the driver that is to take them. */
static inline uint32_t hlocc_vulkan_shaders(const hlocc_vulkan_model* m, const void* const* data,
                                            const size_t* bytes) {
  uint32_t hash = hlocc_vk_hash(m->on->device.properties.cache_uuid, 16, HLOCC_VULKAN_HASH_BEGIN);
  int32_t i;
  for (i = 0; i < m->count; ++i) hash = hlocc_vk_hash(data[i], bytes[i], hash);
  return hash;
}

/* A file that can't be written is no failure: the next time takes longer. */
static inline void hlocc_vulkan_write_cache(const hlocc_vulkan_model* m, const char* name,
                                            uint32_t shaders) {
  uint32_t head[4] = {HLOCC_VULKAN_CACHE_MAGIC, 0, 0, 0}, hash = HLOCC_VULKAN_HASH_BEGIN;
  FILE* to = name == NULL ? NULL : fopen(name, "wb");
  int32_t i;
  int done;
  if (to == NULL) return;
  head[1] = shaders;
  head[2] = (uint32_t)m->count;
  done = hlocc_vk_write_bytes(to, head, sizeof head, &hash);
  for (i = 0; i < m->count && done; ++i)
    done = hlocc_vk_write_part(to, &m->parts[i].program, &hash);
  if (done) done = fwrite(&hash, 1, 4, to) == 4;
  if (fclose(to) != 0 || !done) remove(name);
}

static inline int32_t hlocc_vulkan_open_parts(const hlocc_vulkan_driver* d, hlocc_vulkan_model* m,
                                              const char* const* names, const void* const* data,
                                              const size_t* bytes) {
  hlocc_vk_cache_file kept;
  const uint32_t shaders = hlocc_vulkan_shaders(m, data, bytes);
  int32_t error = 0, i;
  hlocc_vk_read_cache(&kept, d->cache, shaders, (uint32_t)m->count);
  for (i = 0; i < m->count && error == 0; ++i) {
    size_t cached;
    const void* cache = hlocc_vk_next_cache(&kept, &cached);
    const uint32_t* table = (const uint32_t*)data[i];
    m->parts[i].name = names[i];
    if (bytes[i] < HLOCC_TABLE_HEAD_SIZE * 4 || table[HLOCC_TABLE_HEAD_WORDS] > bytes[i] / 4)
      error = HLOCC_VULKAN_TABLE;
    else
      error = hlocc_vk_open_program(&m->parts[i].program, &m->on->device, table, cache, cached);
  }
  if (error == 0 && kept.data == NULL) hlocc_vulkan_write_cache(m, d->cache, shaders);
  hlocc_vk_close_cache(&kept);
  return error;
}

static inline int32_t hlocc_vulkan_open(hlocc_vulkan_driver* d, const void* instance,
                                        const char* const* names, const void* const* data,
                                        const size_t* bytes, int32_t count, size_t device_bytes) {
  hlocc_vulkan_model* m;
  int32_t error;
  hlocc_vulkan_close(d, instance);
  m = (hlocc_vulkan_model*)calloc(1, sizeof *m);
  if (m == NULL) return HLOCC_VULKAN_MEMORY;
  m->next = d->models;
  d->models = m;
  m->instance = instance;
  m->bytes = device_bytes;
  m->count = count;
  m->memory = (unsigned char*)malloc(device_bytes + 1);
  m->parts = (hlocc_vulkan_part*)calloc((size_t)count + 1, sizeof *m->parts);
  error = m->memory == NULL || m->parts == NULL ? (int32_t)HLOCC_VULKAN_MEMORY
                                                : hlocc_vulkan_take_device(d, m);
  if (error == 0) error = hlocc_vulkan_open_parts(d, m, names, data, bytes);
  if (error == 0) return 0;
  /* Others may go on with the device; the next instance tries another. */
  hlocc_vulkan_close(d, instance);
  d->device = NULL;
  return error;
}

/* Where bytes from `offset` on lie in the model's memory; NULL: they do not. */
static inline unsigned char* hlocc_vulkan_at(const hlocc_vulkan_model* m, size_t offset,
                                             size_t bytes) {
  return offset <= m->bytes && bytes <= m->bytes - offset ? m->memory + offset : NULL;
}

static inline int32_t hlocc_vulkan_copy(void* to, const void* from, size_t bytes) {
  if (to == NULL || from == NULL) return HLOCC_VULKAN_TABLE;
  memcpy(to, from, bytes);
  return 0;
}

static inline int32_t hlocc_vulkan_put(const hlocc_vulkan_driver* d, const void* instance,
                                       size_t offset, const void* from, size_t bytes) {
  const hlocc_vulkan_model* m = hlocc_vulkan_find(d, instance);
  if (m == NULL) return HLOCC_VULKAN_CLOSED;
  return hlocc_vulkan_copy(hlocc_vulkan_at(m, offset, bytes), from, bytes);
}

static inline int32_t hlocc_vulkan_get(const hlocc_vulkan_driver* d, const void* instance,
                                       size_t offset, void* to, size_t bytes) {
  const hlocc_vulkan_model* m = hlocc_vulkan_find(d, instance);
  if (m == NULL) return HLOCC_VULKAN_CLOSED;
  return hlocc_vulkan_copy(to, hlocc_vulkan_at(m, offset, bytes), bytes);
}

static inline size_t hlocc_vulkan_leaf_bytes(const uint32_t* table, int list, int32_t leaf) {
  return hlocc_vk_row(table, list, (uint32_t)leaf, HLOCC_TABLE_LEAF_SIZE)[HLOCC_TABLE_LEAF_BYTES];
}

static inline int32_t hlocc_vulkan_run_part(const hlocc_vulkan_model* m, hlocc_vk_program* program,
                                            const size_t* offsets, int32_t operands,
                                            int32_t results) {
  const int in = HLOCC_TABLE_HEAD_ARGUMENTS, out = HLOCC_TABLE_HEAD_RESULTS;
  const uint32_t* table = program->table;
  int32_t error = 0, i;
  if (table[in] != (uint32_t)operands || table[out] != (uint32_t)results) return HLOCC_VULKAN_TABLE;
  for (i = 0; i < operands && error == 0; ++i) {
    const size_t bytes = hlocc_vulkan_leaf_bytes(table, in, i);
    error = hlocc_vulkan_copy(hlocc_vk_bytes(program, in, (uint32_t)i),
                              hlocc_vulkan_at(m, offsets[i], bytes), bytes);
  }
  if (error == 0) error = hlocc_vk_run_program(program);
  for (i = 0; i < results && error == 0; ++i) {
    const size_t bytes = hlocc_vulkan_leaf_bytes(table, out, i);
    error = hlocc_vulkan_copy(hlocc_vulkan_at(m, offsets[operands + i], bytes),
                              hlocc_vk_bytes(program, out, (uint32_t)i), bytes);
  }
  return error;
}

static inline int32_t hlocc_vulkan_submit(hlocc_vulkan_driver* d, const void* instance,
                                          const char* name, const size_t* offsets, int32_t operands,
                                          int32_t results) {
  const hlocc_vulkan_model* m = hlocc_vulkan_find(d, instance);
  int32_t i, error;
  if (m == NULL) return HLOCC_VULKAN_CLOSED;
  for (i = 0; i < m->count; ++i) {
    if (strcmp(m->parts[i].name, name) != 0) continue;
    error = hlocc_vulkan_run_part(m, &m->parts[i].program, offsets, operands, results);
    /* The next init opens another; who used this one closes it. */
    if (error == HLOCC_VULKAN_LOST && d->device == m->on) d->device = NULL;
    return error;
  }
  return HLOCC_VULKAN_TABLE;
}

/* The hooks, and what names the file: of strings that stay. */
#define HLOCC_VULKAN_DRIVER()                                                                      \
  static hlocc_vulkan_driver hlocc_vulkan_one;                                                     \
  void hlocc_vulkan_cache(const char* file);                                                       \
  void hlocc_vulkan_cache(const char* file) { hlocc_vulkan_one.cache = file; }                     \
  int32_t hlocc_device_open(void* instance, const char* const* parts, const void* const* data,     \
                            const size_t* bytes, int32_t count, size_t device_bytes) {             \
    return hlocc_vulkan_open(&hlocc_vulkan_one, instance, parts, data, bytes, count,               \
                             device_bytes);                                                        \
  }                                                                                                \
  void hlocc_device_close(void* instance) { hlocc_vulkan_close(&hlocc_vulkan_one, instance); }     \
  const char* hlocc_device_error_msg(int32_t code) { return hlocc_vk_error_name(code); }           \
  int32_t hlocc_device_put(void* instance, int32_t queue, int32_t memory, size_t offset,           \
                           const void* from, size_t bytes) {                                       \
    (void)queue, (void)memory;                                                                     \
    return hlocc_vulkan_put(&hlocc_vulkan_one, instance, offset, from, bytes);                     \
  }                                                                                                \
  int32_t hlocc_device_get(void* instance, int32_t queue, int32_t memory, size_t offset, void* to, \
                           size_t bytes) {                                                         \
    (void)queue, (void)memory;                                                                     \
    return hlocc_vulkan_get(&hlocc_vulkan_one, instance, offset, to, bytes);                       \
  }                                                                                                \
  int32_t hlocc_device_submit(void* instance, int32_t queue, int32_t memory, const char* part,     \
                              const size_t* offsets, int32_t operands, int32_t results) {          \
    (void)queue, (void)memory;                                                                     \
    return hlocc_vulkan_submit(&hlocc_vulkan_one, instance, part, offsets, operands, results);     \
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
