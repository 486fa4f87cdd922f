/* See fake_vulkan.h: objects, memory and shaders. */
#include <stdarg.h>

#include "fake_objects.h"

static fake_object objects[400];
static uint32_t object_count;

/* ---- what all calls do ---- */

void fake_log(const char* format, ...) {
  const size_t at = strlen(fake.log);
  va_list values;
  va_start(values, format);
  vsnprintf(fake.log + at, kFakeLogBytes - at, format, values);
  va_end(values);
}

int32_t fake_called(const char* name) {
  if (fake.fails == NULL || strcmp(fake.fails, name) != 0) return 0;
  ++fake.calls;
  return fake.fails_at == 0 || fake.calls == fake.fails_at ? fake.with : 0;
}

/* What a call that fails leaves behind is undefined, and no object. */
int32_t fake_make(const char* name, const char* kind, hlocc_vk_handle* made) {
  const int32_t result = fake_called(name);
  *made = kFakeUndefined;
  if (result != 0) return result;
  expect(object_count < sizeof objects / sizeof *objects, "room for objects");
  memset(&objects[object_count], 0, sizeof *objects);
  objects[object_count].kind = kind;
  ++fake.alive;
  *made = ++object_count;
  return 0;
}

fake_object* fake_get(const char* kind, hlocc_vk_handle handle) {
  static fake_object none;
  fake_object* one = handle > 0 && handle <= object_count ? &objects[handle - 1] : &none;
  expect(one->kind != NULL && strcmp(one->kind, kind) == 0, kind);
  return one;
}

void fake_destroy(const char* kind, hlocc_vk_handle handle) {
  fake_object* one = fake_get(kind, handle);
  free(one->bytes);
  memset(one, 0, sizeof *one);
  --fake.alive;
}

void fake_forget_objects(void) { object_count = 0; }

/* ---- what destroys and what makes nothing but itself ---- */

#define FAKE_DESTROY(name, kind)                                                       \
  void fake_##name(hlocc_vk_object device, hlocc_vk_handle handle, const void* none) { \
    is_device(device);                                                                 \
    expect(none == NULL, #name);                                                       \
    fake_destroy(kind, handle);                                                        \
  }
FAKE_DESTROY(DestroyBuffer, "buffer")
FAKE_DESTROY(FreeMemory, "memory")
FAKE_DESTROY(DestroyShaderModule, "module")
FAKE_DESTROY(DestroyPipelineCache, "cache")
FAKE_DESTROY(DestroyPipeline, "pipeline")
FAKE_DESTROY(DestroyDescriptorSetLayout, "set layout")
FAKE_DESTROY(DestroyPipelineLayout, "layout")
FAKE_DESTROY(DestroyDescriptorPool, "pool")
FAKE_DESTROY(DestroyCommandPool, "command pool")
FAKE_DESTROY(DestroyFence, "fence")

#define FAKE_MAKE(name, kind, info_type, structure_type)                               \
  int32_t fake_##name(hlocc_vk_object device, const info_type* info, const void* none, \
                      hlocc_vk_handle* made) {                                         \
    is_device(device);                                                                 \
    expect(none == NULL && info->type == structure_type, #name);                       \
    return fake_make(#name, kind, made);                                               \
  }
FAKE_MAKE(CreateDescriptorSetLayout, "set layout", hlocc_vk_set_layout_create_info,
          HLOCC_VK_SET_LAYOUT_CREATE_INFO)
FAKE_MAKE(CreateDescriptorPool, "pool", hlocc_vk_pool_create_info,
          HLOCC_VK_DESCRIPTOR_POOL_CREATE_INFO)
FAKE_MAKE(CreateFence, "fence", hlocc_vk_fence_create_info, HLOCC_VK_FENCE_CREATE_INFO)

/* ---- memory ---- */

int32_t fake_CreateBuffer(hlocc_vk_object device, const hlocc_vk_buffer_create_info* info,
                          const void* none, hlocc_vk_handle* made) {
  const int32_t result = fake_make("CreateBuffer", "buffer", made);
  is_device(device);
  expect(none == NULL && info->type == HLOCC_VK_BUFFER_CREATE_INFO && info->size > 0, "buffer");
  fake_log("buffer %u\n", (unsigned)info->size);
  if (result == 0) fake_get("buffer", *made)->number = info->size;
  return result;
}

/* A driver may need more than was asked for. */
void fake_GetBufferMemoryRequirements(hlocc_vk_object device, hlocc_vk_handle buffer,
                                      hlocc_vk_memory_requirements* to) {
  is_device(device);
  to->size = fake_get("buffer", buffer)->number + 64;
  to->alignment = 64;
  to->types = fake.buffer_types;
}

int32_t fake_AllocateMemory(hlocc_vk_object device, const hlocc_vk_memory_allocate_info* info,
                            const void* none, hlocc_vk_handle* made) {
  const int32_t result = fake_make("AllocateMemory", "memory", made);
  is_device(device);
  expect(none == NULL && info->type == HLOCC_VK_MEMORY_ALLOCATE_INFO, "memory");
  fake.memory_type = info->memory_type;
  if (result != 0) return result;
  fake_get("memory", *made)->number = info->size;
  fake_get("memory", *made)->bytes = (unsigned char*)calloc(1, (size_t)info->size);
  return 0;
}

int32_t fake_BindBufferMemory(hlocc_vk_object device, hlocc_vk_handle buffer,
                              hlocc_vk_handle memory, uint64_t offset) {
  fake_object* one = fake_get("buffer", buffer);
  is_device(device);
  expect(offset == 0 && one->number + 64 == fake_get("memory", memory)->number, "what it needs");
  one->bound = memory;
  return fake_called("BindBufferMemory");
}

int32_t fake_MapMemory(hlocc_vk_object device, hlocc_vk_handle memory, uint64_t offset,
                       uint64_t bytes, uint32_t flags, void** to) {
  is_device(device);
  expect(offset == 0 && bytes == ~(uint64_t)0 && flags == 0, "all is mapped");
  *to = fake_get("memory", memory)->bytes;
  return fake_called("MapMemory");
}

/* ---- shaders ---- */

int32_t fake_CreateShaderModule(hlocc_vk_object device, const hlocc_vk_shader_create_info* info,
                                const void* none, hlocc_vk_handle* made) {
  const int32_t result = fake_make("CreateShaderModule", "module", made);
  is_device(device);
  expect(none == NULL && info->type == HLOCC_VK_SHADER_MODULE_CREATE_INFO, "module");
  expect(info->bytes == 4, "the shader's words");
  if (result == 0) fake_get("module", *made)->number = info->words[0];
  return result;
}

int32_t fake_CreatePipelineCache(hlocc_vk_object device, const hlocc_vk_cache_create_info* info,
                                 const void* none, hlocc_vk_handle* made) {
  const unsigned char* data = (const unsigned char*)info->data;
  size_t i;
  is_device(device);
  expect(none == NULL && info->type == HLOCC_VK_PIPELINE_CACHE_CREATE_INFO, "cache");
  fake_log("cache of");
  for (i = 0; i < info->bytes; ++i) fake_log(" %u", data[i]);
  fake_log("\n");
  return fake_make("CreatePipelineCache", "cache", made);
}

/* One that fails says how much it would have given. */
int32_t fake_GetPipelineCacheData(hlocc_vk_object device, hlocc_vk_handle cache, size_t* bytes,
                                  void* to) {
  unsigned char* data = (unsigned char*)to;
  size_t i;
  is_device(device);
  fake_get("cache", cache);
  expect(to == NULL || *bytes > 0, "bytes of the cache");
  *bytes = fake.cache_bytes;
  for (i = 0; to != NULL && i < *bytes; ++i) data[i] = (unsigned char)(i + 1);
  return fake_called("GetPipelineCacheData");
}

int32_t fake_CreateComputePipelines(hlocc_vk_object device, hlocc_vk_handle cache, uint32_t count,
                                    const hlocc_vk_pipeline_create_info* info, const void* none,
                                    hlocc_vk_handle* made) {
  const int32_t result = fake_make("CreateComputePipelines", "pipeline", made);
  is_device(device);
  if (cache != 0) fake_get("cache", cache);
  fake_get("layout", info->layout);
  expect(none == NULL && count == 1 && strcmp(info->stage.name, "main") == 0, "pipeline");
  if (result != 0) *made = 0; /* the specification says so */
  if (result == 0)
    fake_get("pipeline", *made)->number = fake_get("module", info->stage.module)->number;
  return result;
}

int32_t fake_CreatePipelineLayout(hlocc_vk_object device, const hlocc_vk_layout_create_info* info,
                                  const void* none, hlocc_vk_handle* made) {
  is_device(device);
  expect(none == NULL && info->set_count == 1, "layout");
  fake_get("set layout", info->sets[0]);
  if (info->range_count > 0)
    fake_log("pushes %u\n", info->ranges->size);
  else
    fake_log("pushes nothing\n");
  return fake_make("CreatePipelineLayout", "layout", made);
}
