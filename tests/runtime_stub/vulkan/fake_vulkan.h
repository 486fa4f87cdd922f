/* fake_vulkan.h: a Vulkan driver for tests, which needs neither Vulkan nor a GPU. It has what devices,
 * families, memory types, extensions and limits a test says, counts and logs its calls, fails where
 * it is told to, complains of what the specification forbids, and runs what is submitted: a shader
 * is one word, and a launch of it in G groups adds word * G to the byte of the arena that the first
 * pushed word names. */
#ifndef HLOCC_TESTS_FAKE_VULKAN_H_
#define HLOCC_TESTS_FAKE_VULKAN_H_

#include "fake_system.h"
#include "gpu/hlocc_vulkan.h"

enum { kFakeDevices = 18, kFakeLogBytes = 1 << 16, kFakeUndefined = 0xbad };

typedef struct fake_gpu {
  uint32_t api_version, type, families;
  uint32_t family_flags[17];
} fake_gpu;

typedef struct fake_driver {
  /* What is asked for. */
  const char* missing; /* a function that is not found, without its vk; NULL: none */
  const char* fails;   /* one that fails; NULL: none */
  int32_t with;        /* its result */
  int fails_at;        /* which of its calls, counted from 1; 0: all */
  fake_gpu gpus[kFakeDevices];
  uint32_t gpu_count, memory_count, memory_flags[3];
  uint32_t buffer_types; /* in which buffers may lie */
  uint32_t storage_range, push_bytes;
  const char* extensions[4];
  uint32_t extension_count;
  uint32_t float64, int64, storage16, storage8;
  size_t cache_bytes; /* what the driver keeps of shaders: bytes 1, 2, ... */
  uint8_t cache_uuid;
  /* What came of it. */
  int calls; /* of the one that fails */
  int alive; /* objects that were made and not destroyed */
  int instances, submissions;
  uint32_t chosen, family, memory_type; /* the device, and of it */
  char log[kFakeLogBytes];
} fake_driver;

extern fake_driver fake;

/* All as in a machine with one good GPU, no file, nothing logged; nothing may be left over. */
void fake_begin(void);
void fake_forget(void);
/* That all that was made is given back. */
void fake_end(const char* what);
int fake_logged(const char* text);
void* fake_address(hlocc_vk_object instance, const char* name);

/* Names of the functions that return a result, without their vk; NULL behind the last. */
extern const char* const fake_results[];
/* Of all that are looked up. */
extern const char* const fake_functions[];

/* Counts and prints what is not right. */
void expect(int right, const char* what);
void expect_same(int got, int wanted, const char* what, const char* of);

#endif /* HLOCC_TESTS_FAKE_VULKAN_H_ */
