/* See fake_vulkan.h: the instance, its devices, and how functions are found. */
#include "fake_objects.h"

fake_driver fake;

void fake_forget(void) {
  fake_forget_objects();
  fake_forget_commands();
}

static int32_t fake_CreateInstance(const hlocc_vk_instance_create_info* info, const void* none,
                                   hlocc_vk_object* made) {
  hlocc_vk_handle handle;
  const int32_t result = fake_make("CreateInstance", "instance", &handle);
  expect(none == NULL && info->application->api_version == HLOCC_VK_VERSION_1_1, "CreateInstance");
  *made = object_of(handle);
  fake.instances += result == 0;
  return result;
}

void fake_DestroyInstance(hlocc_vk_object instance, const void* none) {
  (void)none;
  fake_destroy("instance", number_of(instance));
}

int32_t fake_EnumeratePhysicalDevices(hlocc_vk_object instance, uint32_t* count,
                                      hlocc_vk_object* found) {
  const int32_t result = fake_called("EnumeratePhysicalDevices");
  const int all = fake.gpu_count <= *count;
  uint32_t i;
  fake_get("instance", number_of(instance));
  if (all) *count = fake.gpu_count;
  for (i = 0; i < *count; ++i) found[i] = object_of(kFakeGpu + i);
  return result != 0 || all ? result : HLOCC_VK_INCOMPLETE;
}

static const fake_gpu* gpu_of(hlocc_vk_object physical) {
  const uint64_t number = number_of(physical) - kFakeGpu;
  expect(number < fake.gpu_count, "a physical device");
  return &fake.gpus[number < fake.gpu_count ? number : 0];
}

void fake_GetPhysicalDeviceProperties(hlocc_vk_object physical, hlocc_vk_properties* to) {
  memset(to, 0, sizeof *to);
  to->api_version = gpu_of(physical)->api_version;
  to->device_type = gpu_of(physical)->type;
  to->limits.storage_buffer_range = fake.storage_range;
  to->limits.push_constants_size = fake.push_bytes;
  memset(to->cache_uuid, fake.cache_uuid, sizeof to->cache_uuid);
}

/* VkPhysicalDeviceFeatures2 and what is chained to it. */
void fake_GetPhysicalDeviceFeatures2(hlocc_vk_object physical, hlocc_vk_features2* to) {
  hlocc_vk_storage16* s16 = (hlocc_vk_storage16*)to->next;
  hlocc_vk_storage8* s8 = (hlocc_vk_storage8*)s16->next;
  (void)gpu_of(physical);
  memset(to->on, 0xff, sizeof to->on);
  to->on[HLOCC_VK_SHADER_FLOAT64] = fake.float64;
  to->on[HLOCC_VK_SHADER_INT64] = fake.int64;
  expect(to->type == HLOCC_VK_FEATURES_2 && s16->type == HLOCC_VK_STORAGE16_FEATURES, "features");
  s16->storage_buffer = fake.storage16;
  s16->uniform_buffer = s16->push_constant = s16->input_output = 1;
  if (s8 == NULL) return;
  s8->storage_buffer = fake.storage8;
  s8->uniform_buffer = s8->push_constant = 1;
}

void fake_GetPhysicalDeviceMemoryProperties(hlocc_vk_object physical,
                                            hlocc_vk_memory_properties* to) {
  uint32_t i;
  (void)gpu_of(physical);
  memset(to, 0xff, sizeof *to);
  to->type_count = fake.memory_count;
  for (i = 0; i < fake.memory_count; ++i) to->types[i].flags = fake.memory_flags[i];
}

void fake_GetPhysicalDeviceQueueFamilyProperties(hlocc_vk_object physical, uint32_t* count,
                                                 hlocc_vk_queue_family* to) {
  const fake_gpu* one = gpu_of(physical);
  uint32_t i;
  if (one->families < *count) *count = one->families;
  for (i = 0; i < *count; ++i) to[i].flags = one->family_flags[i];
}

int32_t fake_EnumerateDeviceExtensionProperties(hlocc_vk_object physical, const char* layer,
                                                uint32_t* count, hlocc_vk_extension* to) {
  uint32_t i;
  (void)gpu_of(physical);
  expect(layer == NULL, "no layer");
  for (i = 0; to != NULL && i < fake.extension_count; ++i)
    snprintf(to[i].name, sizeof to[i].name, "%s", fake.extensions[i]);
  *count = fake.extension_count;
  return fake_called("EnumerateDeviceExtensionProperties");
}

int32_t fake_CreateDevice(hlocc_vk_object physical, const hlocc_vk_device_create_info* info,
                          const void* none, hlocc_vk_object* made) {
  const hlocc_vk_features2* on = (const hlocc_vk_features2*)info->features;
  const hlocc_vk_features2* next = (const hlocc_vk_features2*)info->next;
  const hlocc_vk_storage16* s16 = (const hlocc_vk_storage16*)next->next;
  const hlocc_vk_storage8* s8 = (const hlocc_vk_storage8*)s16->next;
  hlocc_vk_handle handle;
  const int32_t result = fake_make("CreateDevice", "device", &handle);
  uint32_t i, all = 0;
  expect(none == NULL && on == NULL && info->queue_count == 1 && info->queues->count == 1, "queue");
  expect(s16->uniform_buffer + s16->push_constant + s16->input_output == 0, "asks for no more");
  for (i = 0; i < HLOCC_VK_FEATURES; ++i) all += next->on[i] != 0;
  fake.chosen = (uint32_t)(number_of(physical) - kFakeGpu);
  fake.family = info->queues->family;
  fake_log("device of %u features, f64 %u i64 %u s16 %u s8 %u:", all,
           next->on[HLOCC_VK_SHADER_FLOAT64], next->on[HLOCC_VK_SHADER_INT64], s16->storage_buffer,
           s8 == NULL ? 0 : s8->storage_buffer);
  for (i = 0; i < info->extension_count; ++i) fake_log(" %s", info->extensions[i]);
  fake_log("\n");
  *made = object_of(handle);
  return result;
}

void fake_DestroyDevice(hlocc_vk_object device, const void* none) {
  expect(none == NULL, "DestroyDevice");
  fake_destroy("device", number_of(device));
}

void fake_GetDeviceQueue(hlocc_vk_object device, uint32_t family, uint32_t index,
                         hlocc_vk_object* queue) {
  is_device(device);
  expect(family == fake.family && index == 0, "the queue");
  *queue = object_of(kFakeQueue);
}

/* ---- how they are found ---- */

#define FAKE_NAME(name, arguments) #name,
#define FAKE_NOTHING(name, arguments)
const char* const fake_results[] = {HLOCC_VK_FUNCTIONS(FAKE_NAME, FAKE_NOTHING) NULL};
const char* const fake_functions[] = {HLOCC_VK_FUNCTIONS(FAKE_NAME, FAKE_NAME) NULL};

void* fake_address(hlocc_vk_object instance, const char* name) {
  static const hlocc_vk_functions all = {
#define FAKE_ADDRESS(name, arguments) fake_##name,
      HLOCC_VK_FUNCTIONS(FAKE_ADDRESS, FAKE_ADDRESS)};
  int32_t (*create)(const hlocc_vk_instance_create_info*, const void*, hlocc_vk_object*) =
      fake_CreateInstance;
  const char* bytes = (const char*)&all;
  void* address = NULL;
  size_t i;
  expect(strncmp(name, "vk", 2) == 0, name);
  if (fake.missing != NULL && strcmp(fake.missing, name + 2) == 0) return NULL;
  if (instance == NULL) {
    expect(strcmp(name, "vkCreateInstance") == 0, name);
    memcpy(&address, &create, sizeof address);
    return address;
  }
  fake_get("instance", number_of(instance));
  for (i = 0; fake_functions[i] != NULL; ++i)
    if (strcmp(fake_functions[i], name + 2) == 0)
      memcpy(&address, bytes + i * sizeof address, sizeof address);
  return address;
}
