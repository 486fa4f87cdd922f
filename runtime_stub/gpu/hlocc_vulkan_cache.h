/* hlocc_vulkan_cache.h: what the driver made of shaders, kept in a file, so that a program opens
 * faster the next time. A file of other shaders, of another driver or device, or one that was torn
 * is no harm: it is ignored, and written anew.
 *
 * The file: four words (magic, the shaders' hash, parts, 0), then of each part its bytes' number as
 * a word and these bytes, then a word with the hash of all that is before it.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HLOCC_VULKAN_CACHE_H_
#define HLOCC_VULKAN_CACHE_H_

#include <stdio.h>

#include "hlocc_vulkan_program.h"

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
extern "C" {
#endif

#define HLOCC_VULKAN_CACHE_MAGIC 0x434b5648u /* "HVKC" */

typedef struct hlocc_vk_cache_file {
  unsigned char* data; /* NULL: there is none that holds */
  size_t bytes, next;  /* the part that is read next */
} hlocc_vk_cache_file;

/* FNV-1a. */
static inline uint32_t hlocc_vk_hash(const void* data, size_t bytes, uint32_t hash) {
  const unsigned char* at = (const unsigned char*)data;
  size_t i;
  for (i = 0; i < bytes; ++i) hash = (hash ^ at[i]) * 16777619u;
  return hash;
}
#define HLOCC_VULKAN_HASH_BEGIN 2166136261u

static inline uint32_t hlocc_vk_word_at(const hlocc_vk_cache_file* file, size_t at) {
  uint32_t word;
  memcpy(&word, file->data + at, 4);
  return word;
}

static inline void hlocc_vk_close_cache(hlocc_vk_cache_file* file) {
  free(file->data);
  file->data = NULL;
}

static inline int hlocc_vk_cache_holds(const hlocc_vk_cache_file* file, uint32_t shaders,
                                       uint32_t parts) {
  size_t at = 16;
  uint32_t i;
  if (file->bytes < 20 || hlocc_vk_word_at(file, 0) != HLOCC_VULKAN_CACHE_MAGIC ||
      hlocc_vk_word_at(file, 4) != shaders || hlocc_vk_word_at(file, 8) != parts ||
      hlocc_vk_hash(file->data, file->bytes - 4, HLOCC_VULKAN_HASH_BEGIN) !=
          hlocc_vk_word_at(file, file->bytes - 4))
    return 0;
  for (i = 0; i < parts; ++i) {
    if (file->bytes - 4 - at < 4) return 0;
    if (file->bytes - 8 - at < hlocc_vk_word_at(file, at)) return 0;
    at += 4 + hlocc_vk_word_at(file, at);
  }
  return at == file->bytes - 4;
}

/* name may be NULL: no file is read. */
static inline void hlocc_vk_read_cache(hlocc_vk_cache_file* file, const char* name,
                                       uint32_t shaders, uint32_t parts) {
  FILE* opened = name == NULL ? NULL : fopen(name, "rb");
  long bytes;
  memset(file, 0, sizeof *file);
  if (opened == NULL) return;
  /* What fails here shows in what is read. */
  (void)fseek(opened, 0, SEEK_END);
  bytes = ftell(opened);
  rewind(opened);
  if (bytes > 0) file->data = (unsigned char*)malloc((size_t)bytes);
  if (file->data != NULL) {
    file->bytes = fread(file->data, 1, (size_t)bytes, opened);
    if (!hlocc_vk_cache_holds(file, shaders, parts)) hlocc_vk_close_cache(file);
  }
  fclose(opened);
  file->next = 16;
}

/* The next part's bytes; none where there is no file. */
static inline const void* hlocc_vk_next_cache(hlocc_vk_cache_file* file, size_t* bytes) {
  const unsigned char* data;
  *bytes = 0;
  if (file->data == NULL) return NULL;
  *bytes = hlocc_vk_word_at(file, file->next);
  data = file->data + file->next + 4;
  file->next += 4 + *bytes;
  return data;
}

static inline int hlocc_vk_write_bytes(FILE* to, const void* data, size_t bytes, uint32_t* hash) {
  *hash = hlocc_vk_hash(data, bytes, *hash);
  return fwrite(data, 1, bytes, to) == bytes;
}

static inline int hlocc_vk_write_part(FILE* to, const hlocc_vk_program* p, uint32_t* hash) {
  const hlocc_vk_device* d = p->device;
  size_t bytes = 0;
  uint32_t count;
  void* data;
  int done;
  if (p->cache == 0 || d->vk.GetPipelineCacheData(d->device, p->cache, &bytes, NULL) != 0)
    bytes = 0;
  data = malloc(bytes + 1);
  if (data == NULL) return 0;
  if (bytes > 0 && d->vk.GetPipelineCacheData(d->device, p->cache, &bytes, data) != 0) bytes = 0;
  count = (uint32_t)bytes;
  done = hlocc_vk_write_bytes(to, &count, 4, hash) && hlocc_vk_write_bytes(to, data, bytes, hash);
  free(data);
  return done;
}

#ifdef __cplusplus
}
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#endif /* HLOCC_VULKAN_CACHE_H_ */
