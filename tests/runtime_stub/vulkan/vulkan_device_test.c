/* Which device is taken, what is asked of it, and what is said where there is none. */
#include "vulkan_test.h"

static hlocc_vk_device device;

/* Opens it and gives it back; what open said. */
static int32_t opened(const char* what) {
  const int32_t error = hlocc_vk_open_device(&device);
  if (error == 0) hlocc_vk_close_device(&device);
  fake_end(what);
  return error;
}

static void check_names(void) {
  static const struct {
    int32_t code;
    const char* name;
  } rows[] = {{0, "done"},
              {-1, "an unknown error"},
              {100, "an unknown error"},
              {HLOCC_VULKAN_NO_DRIVER, "no Vulkan driver"},
              {HLOCC_VULKAN_NO_DEVICE, "no Vulkan device"},
              {HLOCC_VULKAN_LACKS, "the Vulkan device lacks what the model's shaders need"},
              {HLOCC_VULKAN_MEMORY, "the Vulkan device has too little memory"},
              {HLOCC_VULKAN_REFUSED, "the Vulkan driver refuses a shader"},
              {HLOCC_VULKAN_LOST, "the Vulkan device is lost"},
              {HLOCC_VULKAN_TABLE, "no launch table, or one of another version"},
              {HLOCC_VULKAN_CLOSED, "the model is not open: init opens it"},
              {109, "an unknown error"}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i)
    expect(strcmp(hlocc_vk_error_name(rows[i].code), rows[i].name) == 0, rows[i].name);
}

static void check_drivers(void) {
  size_t i;
  fake_begin();
  expect_same(opened("a driver"), 0, "a driver", "");
  fake_begin();
  fake_os.no_library = 1;
  expect_same(opened("no library"), HLOCC_VULKAN_NO_DRIVER, "no library", "");
  fake_begin();
  fake_os.no_symbol = 1;
  expect_same(opened("no symbol"), HLOCC_VULKAN_NO_DRIVER, "no symbol", "");
  fake_begin();
  fake.missing = "CreateInstance";
  expect_same(opened(fake.missing), HLOCC_VULKAN_NO_DRIVER, "without", fake.missing);
  fake_begin();
  fake.fails = "CreateInstance";
  expect_same(opened(fake.fails), HLOCC_VULKAN_NO_DRIVER, "failing", fake.fails);
  for (i = 0; fake_functions[i] != NULL; ++i) {
    fake_begin();
    fake.missing = fake_functions[i];
    expect_same(hlocc_vk_open_device(&device), HLOCC_VULKAN_NO_DRIVER, "without", fake.missing);
    expect_same(fake.alive, strcmp(fake.missing, "DestroyInstance") == 0, "left without",
                fake.missing);
  }
}

/* Rows of devices: their versions, kinds and families, and which one is taken (-1: none). */
static void check_choice(void) {
  enum { kOld = HLOCC_VK_VERSION_1_1 - 1, kNew = HLOCC_VK_VERSION_1_1, kQueue = 2 };
  static const struct {
    const char* what;
    uint32_t count;
    fake_gpu gpus[6];
    int taken, family;
  } rows[] = {
      {"no device", 0, {{0, 0, 0, {0}}}, -1, 0},
      {"Vulkan 1.0", 1, {{kOld, 2, 1, {kQueue}}}, -1, 0},
      {"1.0 before 1.1", 2, {{kOld, 2, 1, {kQueue}}, {kNew, 4, 1, {kQueue}}}, 1, 0},
      {"another kind alone", 1, {{kNew, 0, 1, {kQueue}}}, 0, 0},
      {"the processor alone", 1, {{kNew, 4, 1, {kQueue}}}, 0, 0},
      {"a kind of later versions alone", 1, {{kNew, 5, 1, {kQueue}}}, 0, 0},
      {"one of its own", 2, {{kNew, 1, 1, {kQueue}}, {kNew, 2, 1, {kQueue}}}, 1, 0},
      {"one beside the processor", 2, {{kNew, 3, 1, {kQueue}}, {kNew, 1, 1, {kQueue}}}, 1, 0},
      {"a virtual one", 2, {{kNew, 0, 1, {kQueue}}, {kNew, 3, 1, {kQueue}}}, 1, 0},
      {"another", 2, {{kNew, 4, 1, {kQueue}}, {kNew, 0, 1, {kQueue}}}, 1, 0},
      {"the best is first", 2, {{kNew, 2, 1, {kQueue}}, {kNew, 1, 1, {kQueue}}}, 0, 0},
      {"the first of two", 2, {{kNew, 2, 1, {kQueue}}, {kNew, 2, 1, {kQueue}}}, 0, 0},
      {"no family", 1, {{kNew, 2, 0, {0}}}, -1, 0},
      {"no family that computes", 1, {{kNew, 2, 2, {1, 4}}}, -1, 0},
      {"the second family", 1, {{kNew, 2, 3, {1, 3, 2}}}, 0, 1},
      {"the best does not compute", 2, {{kNew, 2, 1, {1}}, {kNew, 4, 1, {kQueue}}}, 1, 0}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    fake_begin();
    fake.gpu_count = rows[i].count;
    memcpy(fake.gpus, rows[i].gpus, sizeof rows[i].gpus);
    expect_same(opened(rows[i].what), rows[i].taken < 0 ? HLOCC_VULKAN_NO_DEVICE : 0, "open",
                rows[i].what);
    if (rows[i].taken < 0) continue;
    expect_same((int)fake.chosen, rows[i].taken, "the device,", rows[i].what);
    expect_same((int)fake.family, rows[i].family, "the family,", rows[i].what);
  }
}

/* More devices and families than there is room for: the first 16 are looked at. */
static void check_many(void) {
  static const fake_gpu best = {HLOCC_VK_VERSION_1_1, 2, 17, {0}};
  uint32_t i;
  for (i = 15; i <= 16; ++i) {
    fake_begin();
    fake.gpu_count = kFakeDevices;
    fake.gpus[0].families = 0;
    fake.gpus[i] = best;
    fake.gpus[i].family_flags[i] = HLOCC_VK_QUEUE_COMPUTE;
    expect_same(opened("many"), i == 15 ? 0 : HLOCC_VULKAN_NO_DEVICE, "device and family", "16");
    if (i == 15) expect(fake.chosen == 15 && fake.family == 15, "the last that is looked at");
  }
}

static void check_memory_types(void) {
  enum { kNear = 1, kSeen = 6 };
  static const struct {
    const char* what;
    uint32_t flags[3];
    int type; /* -1: none */
  } rows[] = {{"the nearest", {kSeen, kSeen | kNear, kSeen | kNear}, 1},
              {"one that is near and seen", {kNear, kSeen, 0}, 1},
              {"the last", {0, 0, kSeen}, 2},
              {"not seen", {kNear, 2, kNear | 2}, -1},
              {"not coherent", {2, 3, 2}, -1}};
  size_t i;
  test_table table;
  table_simple(&table);
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    hlocc_vk_program program;
    int32_t error;
    fake_begin();
    fake.memory_count = 3;
    memcpy(fake.memory_flags, rows[i].flags, sizeof rows[i].flags);
    fake.buffer_types = 7;
    error = hlocc_vk_open_device(&device);
    expect_same(error, rows[i].type < 0 ? HLOCC_VULKAN_MEMORY : 0, "memory,", rows[i].what);
    if (error == 0) {
      expect_same(hlocc_vk_open_program(&program, &device, table.words, NULL, 0), 0, "open",
                  rows[i].what);
      expect_same((int)fake.memory_type, rows[i].type, "the type,", rows[i].what);
      hlocc_vk_close_program(&program);
      hlocc_vk_close_device(&device);
    }
    fake_end(rows[i].what);
  }
}

/* What a device has, and what is asked of it. */
static void check_features(void) {
  enum { kAll = 31, kBit8 = HLOCC_TABLE_NEEDS_STORAGE8, kControls = HLOCC_TABLE_NEEDS_CONTROLS };
  static const char k8[] = "VK_KHR_8bit_storage", kFloats[] = "VK_KHR_shader_float_controls";
  static const struct {
    const char* extensions[3];
    uint32_t float64, int64, storage16, storage8, offers;
    const char* log;
  } rows[] = {{{k8, kFloats, NULL},
               1,
               1,
               1,
               1,
               kAll,
               "device of 2 features, f64 1 i64 1 s16 1 s8 1: "
               "VK_KHR_8bit_storage VK_KHR_shader_float_controls\n"},
              {{kFloats, k8, k8},
               0,
               1,
               1,
               1,
               kAll - 1,
               "of 1 features, f64 0 i64 1 s16 1 s8 1: "
               "VK_KHR_8bit_storage VK_KHR_shader_float_controls\n"},
              {{k8, NULL, NULL},
               1,
               0,
               1,
               1,
               kAll - 2 - kControls,
               "f64 1 i64 0 s16 1 s8 1: "
               "VK_KHR_8bit_storage\n"},
              {{kFloats, NULL, NULL},
               1,
               1,
               0,
               1,
               kAll - 8 - kBit8,
               "s16 0 s8 0: "
               "VK_KHR_shader_float_controls\n"},
              {{k8, NULL, NULL},
               1,
               1,
               1,
               0,
               kAll - kBit8 - kControls,
               "s16 1 s8 0: "
               "VK_KHR_8bit_storage\n"},
              {{"VK_KHR_zzz", "VK_KHR_8bit", NULL},
               0,
               0,
               0,
               0,
               0,
               "of 0 features, f64 0 i64 0 s16 0 "
               "s8 0:\n"},
              {{NULL, NULL, NULL}, 0, 0, 0, 1, 0, "of 0 features, f64 0 i64 0 s16 0 s8 0:\n"}};
  size_t i, n;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    fake_begin();
    fake.extension_count = 0;
    for (n = 0; n < 3 && rows[i].extensions[n] != NULL; ++n)
      fake.extensions[fake.extension_count++] = rows[i].extensions[n];
    fake.float64 = rows[i].float64;
    fake.int64 = rows[i].int64;
    fake.storage16 = rows[i].storage16;
    fake.storage8 = rows[i].storage8;
    expect_same(hlocc_vk_open_device(&device), 0, "open", rows[i].log);
    expect_same((int)device.offers, (int)rows[i].offers, "offers", rows[i].log);
    expect(fake_logged(rows[i].log), rows[i].log);
    hlocc_vk_close_device(&device);
    fake_end(rows[i].log);
  }
}

/* Extensions that cannot be listed are none; what else fails is no device. */
static void check_failures(void) {
  static const struct {
    const char* fails;
    int at;
    int32_t with, error;
    uint32_t offers; /* of the two extensions */
  } rows[] = {{"EnumeratePhysicalDevices", 1, -1, HLOCC_VULKAN_NO_DEVICE, 0},
              {"EnumeratePhysicalDevices", 1, 1, HLOCC_VULKAN_NO_DEVICE, 0},
              {"EnumeratePhysicalDevices", 1, HLOCC_VK_INCOMPLETE, 0, 20},
              {"EnumerateDeviceExtensionProperties", 1, -1, 0, 0},
              {"EnumerateDeviceExtensionProperties", 2, -1, 0, 0},
              {"EnumerateDeviceExtensionProperties", 2, HLOCC_VK_INCOMPLETE, 0, 0},
              {"EnumerateDeviceExtensionProperties", 3, -1, 0, 20},
              {"CreateDevice", 1, -1, HLOCC_VULKAN_NO_DEVICE, 20},
              {"CreateDevice", 1, 1, HLOCC_VULKAN_NO_DEVICE, 20}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    int32_t error;
    fake_begin();
    fake.fails = rows[i].fails;
    fake.fails_at = rows[i].at;
    fake.with = rows[i].with;
    error = hlocc_vk_open_device(&device);
    expect_same(error, rows[i].error, "failing", rows[i].fails);
    if (error == 0) {
      expect_same((int)device.offers & 20, (int)rows[i].offers, "offers, failing", rows[i].fails);
      hlocc_vk_close_device(&device);
    }
    fake_end(rows[i].fails);
  }
  fake_begin();
  fake_os.memory_ends_at = 1;
  expect_same(hlocc_vk_open_device(&device), 0, "no memory for", "extensions");
  expect_same((int)device.offers & 20, 0, "no memory for", "extensions");
  hlocc_vk_close_device(&device);
  hlocc_vk_close_device(&device); /* once more does nothing */
  fake_end("closed twice");
}

void check_devices(void) {
  check_names();
  check_drivers();
  check_choice();
  check_many();
  check_memory_types();
  check_features();
  check_failures();
}
