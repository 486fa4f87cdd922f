/* fake_objects.h: what the files of the fake driver (fake_vulkan.h) share: every function of
 * Vulkan's that the headers look up, and the objects that they make. */
#ifndef HLOCC_TESTS_FAKE_OBJECTS_H_
#define HLOCC_TESTS_FAKE_OBJECTS_H_

#define HLOCC_TESTS_REAL_SYSTEM
#include "fake_vulkan.h"

#define FAKE_RESULT(name, arguments) int32_t fake_##name arguments;
#define FAKE_VOID(name, arguments) void fake_##name arguments;
HLOCC_VK_FUNCTIONS(FAKE_RESULT, FAKE_VOID)
#undef FAKE_RESULT
#undef FAKE_VOID

/* Physical devices, the queue and command buffers are numbers from here on. */
enum { kFakeGpu = 0x1000, kFakeQueue = 0x2000, kFakeCommands = 0x3000 };

typedef struct fake_object {
  const char* kind; /* NULL: it was destroyed */
  uint64_t number;  /* bytes of a buffer or a memory, a shader's word, a fence that is signalled */
  hlocc_vk_handle bound; /* a buffer's memory */
  unsigned char* bytes;  /* a memory's */
} fake_object;

/* The result of this call of the function. */
int32_t fake_called(const char* name);
/* Makes an object, or fails; `made` is undefined then. */
int32_t fake_make(const char* name, const char* kind, hlocc_vk_handle* made);
/* The object; complains if there is none of this kind. */
fake_object* fake_get(const char* kind, hlocc_vk_handle handle);
void fake_destroy(const char* kind, hlocc_vk_handle handle);
void fake_log(const char* format, ...);
/* Nothing is there any more. */
void fake_forget_objects(void);
void fake_forget_commands(void);

/* Objects that are pointers are their numbers. */
static inline uint64_t number_of(hlocc_vk_object one) { return (uint64_t)(uintptr_t)one; }
static inline hlocc_vk_object object_of(uint64_t number) {
  return (hlocc_vk_object)(uintptr_t)number;
}
static inline void is_device(hlocc_vk_object device) { fake_get("device", number_of(device)); }

#endif /* HLOCC_TESTS_FAKE_OBJECTS_H_ */
