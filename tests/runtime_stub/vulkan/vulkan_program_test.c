/* What a launch table asks of the driver, and what is said where that fails. */
#include "vulkan_test.h"

static hlocc_vk_device device;
static hlocc_vk_program program;
static test_table table;

/* Opens device and program; gives both back if that failed, or the second did. */
static int32_t opened(void) {
  const int32_t error = hlocc_vk_open_device(&device);
  expect_same(error, 0, "the device", "");
  return hlocc_vk_open_program(&program, &device, table.words, NULL, 0);
}

static void closed(const char* what) {
  hlocc_vk_close_program(&program);
  hlocc_vk_close_device(&device);
  fake_end(what);
}

static void check_what_is_recorded(void) {
  fake_begin();
  table_simple(&table);
  expect_same(opened(), 0, "open", "");
  expect(fake_logged("buffer 128\nbuffer 64\nbuffer 64\npushes 4\ncache of\n"
                     "begin\ncopy 3\n"
                     "wait 1800 1860 to 1800 1860\npush 4\nlaunch 3 of shader 5\n"
                     "wait 1800 1860 to 4000 2000\nend\n"),
         fake.log);
  memcpy(hlocc_vk_bytes(&program, HLOCC_TABLE_HEAD_ARGUMENTS, 0), "\1\2\3\4", 4);
  expect_same(hlocc_vk_run_program(&program), 0, "run", "");
  expect(memcmp(hlocc_vk_bytes(&program, HLOCC_TABLE_HEAD_RESULTS, 0), "\20\2\3\0", 4) == 0,
         "the result");
  expect(memcmp(program.memories[2].host, "\0\0\0\0\1\2\3\4", 8) == 0, "the constants");
  closed("a program");
  hlocc_vk_close_program(&program); /* once more does nothing */
}

/* Shaders that nothing is pushed to; launches that are pushed nothing; no shaders, no segments. */
static void check_sizes_of_none(void) {
  static const uint32_t quiet[] = {HLOCC_STEP_SEGMENT,   0, 1, 5, /* */
                                   HLOCC_COMMAND_LAUNCH, 0, 1, 2, 0, HLOCC_STEP_END};
  static const uint32_t end[] = {HLOCC_STEP_END};
  fake_begin();
  table_begin(&table);
  table_steps(&table, quiet, 10, 1);
  table.words[table.words[HLOCC_TABLE_HEAD_SHADERS_AT] + HLOCC_TABLE_SHADER_PUSHED] = 0;
  expect_same(opened(), 0, "open", "nothing pushed");
  expect(fake_logged("pushes nothing\n"), "pushes nothing");
  expect(fake_logged("begin\nlaunch 2 of shader 7\nwait"), "a launch that is pushed nothing");
  expect_same(hlocc_vk_run_program(&program), 0, "run", "nothing pushed");
  expect_same(program.memories[0].host[0], 14, "the arena's byte", "0");
  closed("nothing pushed");
  fake_begin();
  table_begin(&table);
  table_steps(&table, end, 1, 0);
  table.words[HLOCC_TABLE_HEAD_SHADERS] = 0;
  expect_same(opened(), 0, "open", "nothing to do");
  expect_same(hlocc_vk_run_program(&program), 0, "run", "nothing to do");
  expect_same(fake.submissions, 0, "submissions", "");
  closed("nothing to do");
}

/* Each side of what a device says that it has. */
static void check_limits(void) {
  enum { kBytes = HLOCC_TABLE_HEAD_BYTES, kNeeds = HLOCC_TABLE_HEAD_NEEDS };
  static const struct {
    const char* what;
    uint32_t storage_range, push_bytes, buffer_types;
    int32_t error;
  } rows[] = {{"as much as there is", 128, 4, 1, 0},
              {"a smaller range", 127, 4, 1, HLOCC_VULKAN_MEMORY},
              {"too few pushed words", 128, 3, 1, HLOCC_VULKAN_LACKS},
              {"buffers lie elsewhere", 128, 4, 6, HLOCC_VULKAN_MEMORY}};
  static const struct {
    int word;
    uint32_t value;
    int32_t error;
  } heads[] = {{HLOCC_TABLE_HEAD_MAGIC, 0, HLOCC_VULKAN_TABLE},
               {HLOCC_TABLE_HEAD_VERSION, HLOCC_TABLE_VERSION + 1, HLOCC_VULKAN_TABLE},
               {kNeeds, 31, 0},
               {kNeeds, 32, HLOCC_VULKAN_LACKS},
               {kBytes, 128, 0},
               {kBytes, 129, HLOCC_VULKAN_MEMORY},
               {kBytes, 0xffffffc0u, HLOCC_VULKAN_MEMORY},
               {kBytes + 1, 65, 0}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    fake_begin();
    fake.storage_range = rows[i].storage_range;
    fake.push_bytes = rows[i].push_bytes;
    fake.buffer_types = rows[i].buffer_types;
    table_simple(&table);
    expect_same(opened(), rows[i].error, "open,", rows[i].what);
    closed(rows[i].what);
  }
  for (i = 0; i < sizeof heads / sizeof *heads; ++i) {
    fake_begin();
    table_simple(&table);
    table.words[heads[i].word] = heads[i].value;
    expect_same(opened(), heads[i].error, "a head's word,", "");
    closed("a head's word");
  }
}

/* The code of each function that fails, and where: 0: none that is asked for a program fails. */
static int32_t code_of(const char* name) {
  static const struct {
    const char* name;
    int32_t code;
  } rows[] = {{"CreateShaderModule", HLOCC_VULKAN_REFUSED},
              {"CreateComputePipelines", HLOCC_VULKAN_REFUSED},
              {"CreatePipelineCache", 0},
              {"GetPipelineCacheData", 0},
              {"EnumerateDeviceExtensionProperties", 0},
              {"ResetFences", HLOCC_VULKAN_LOST},
              {"QueueSubmit", HLOCC_VULKAN_LOST},
              {"WaitForFences", HLOCC_VULKAN_LOST}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (strcmp(rows[i].name, name) == 0) return rows[i].code;
  return HLOCC_VULKAN_MEMORY;
}

/* Each call of each function fails in its turn, by an error and by a status that is none: the code
 * is the right one, and nothing is left, nor destroyed that was not made. */
static void check_each_failure(int32_t with) {
  size_t i;
  int at, called;
  for (i = 0; fake_results[i] != NULL; ++i) {
    if (strcmp(fake_results[i], "EnumeratePhysicalDevices") == 0 ||
        strcmp(fake_results[i], "CreateDevice") == 0)
      continue;
    at = 0;
    do {
      int32_t error;
      ++at;
      fake_begin();
      fake.fails = fake_results[i];
      fake.fails_at = at;
      fake.with = with;
      table_simple(&table);
      error = opened();
      if (error == 0) error = hlocc_vk_run_program(&program);
      called = fake.calls;
      expect_same(error, called >= at ? code_of(fake.fails) : 0, "failing", fake.fails);
      closed(fake.fails);
    } while (called >= at);
    expect(at > 1 || strcmp(fake_results[i], "GetPipelineCacheData") == 0, fake_results[i]);
  }
}

static void check_memory(void) {
  static const int32_t codes[] = {0, HLOCC_VULKAN_MEMORY, HLOCC_VULKAN_MEMORY, 0};
  int at;
  for (at = 1; at <= 4; ++at) {
    fake_begin();
    fake_os.memory_ends_at = at;
    table_simple(&table);
    expect_same(opened(), codes[at - 1], "no memory for a program", "");
    closed("no memory");
  }
}

void check_programs(void) {
  check_what_is_recorded();
  check_sizes_of_none();
  check_limits();
  check_each_failure(-4);
  check_each_failure(2);
  check_memory();
}
