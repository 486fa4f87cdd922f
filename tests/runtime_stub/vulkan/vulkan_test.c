/* The driver of models on a GPU (runtime_stub/gpu) on a Vulkan that is none (fake_vulkan.h): which
 * device and which memory it takes, what it asks the driver for and records, what it computes, and
 * the code that it ends with where a call fails. Prints what is wrong, or that all is right. */
#include "vulkan_test.h"

static int failures, checks;

void expect(int right, const char* what) {
  ++checks;
  if (right) return;
  ++failures;
  printf("not right: %s\n", what);
}

void expect_same(int got, int wanted, const char* what, const char* of) {
  ++checks;
  if (got == wanted) return;
  ++failures;
  printf("%s %s: %d, not %d\n", what, of, got, wanted);
}

void fake_begin(void) {
  static const fake_gpu good = {HLOCC_VK_VERSION_1_1, 2, 1, {HLOCC_VK_QUEUE_COMPUTE}};
  fake_forget();
  memset(&fake_os, 0, sizeof fake_os);
  memset(&fake, 0, sizeof fake);
  fake.with = -1;
  fake.gpus[0] = good;
  fake.gpu_count = fake.memory_count = 1;
  fake.memory_flags[0] = HLOCC_VK_MEMORY_HOST_VISIBLE | HLOCC_VK_MEMORY_HOST_COHERENT;
  fake.buffer_types = 1;
  fake.storage_range = 128;
  fake.push_bytes = 4;
  fake.extensions[0] = "VK_KHR_shader_float_controls";
  fake.extensions[1] = "VK_KHR_8bit_storage";
  fake.extension_count = 2;
  fake.float64 = fake.int64 = fake.storage16 = fake.storage8 = 1;
  fake.cache_bytes = 3;
}

void fake_end(const char* what) {
  expect_same(fake.alive, 0, what, "objects are left");
  expect_same(fake_os.allocated, 0, what, "pieces of memory are left");
  expect_same(fake_os.libraries + fake_os.open_files, 0, what, "libraries and files are open");
}

int fake_logged(const char* text) { return strstr(fake.log, text) != NULL; }

/* ---- tables ---- */

uint32_t table_put(test_table* t, const uint32_t* words, uint32_t count) {
  const uint32_t place = t->count;
  memcpy(t->words + place, words, count * sizeof *words);
  t->count += count;
  t->words[HLOCC_TABLE_HEAD_WORDS] = t->count;
  return place;
}

void table_begin(test_table* t) {
  static const uint32_t head[HLOCC_TABLE_HEAD_SIZE] = {HLOCC_TABLE_MAGIC, HLOCC_TABLE_VERSION};
  static const uint32_t code[2] = {5, 7}, bytes[1] = {0x04030201};
  static const uint32_t argument[3] = {0, 4, 4}, result[3] = {0, 8, 4};
  uint32_t shaders[6] = {0, 1, 1, 0, 1, 0}, piece[4] = {2, 4, 4, 0};
  memset(t, 0, sizeof *t);
  table_put(t, head, HLOCC_TABLE_HEAD_SIZE);
  t->words[HLOCC_TABLE_HEAD_BYTES] = 100;
  t->words[HLOCC_TABLE_HEAD_BYTES + 2] = 64;
  shaders[0] = table_put(t, code, 2);
  shaders[3] = shaders[0] + 1;
  t->words[HLOCC_TABLE_HEAD_SHADERS] = 2;
  t->words[HLOCC_TABLE_HEAD_SHADERS_AT] = table_put(t, shaders, 6);
  piece[3] = table_put(t, bytes, 1);
  t->words[HLOCC_TABLE_HEAD_PIECES] = 1;
  t->words[HLOCC_TABLE_HEAD_PIECES_AT] = table_put(t, piece, 4);
  t->words[HLOCC_TABLE_HEAD_ARGUMENTS] = t->words[HLOCC_TABLE_HEAD_RESULTS] = 1;
  t->words[HLOCC_TABLE_HEAD_ARGUMENTS_AT] = table_put(t, argument, 3);
  t->words[HLOCC_TABLE_HEAD_RESULTS_AT] = table_put(t, result, 3);
}

void table_steps(test_table* t, const uint32_t* steps, uint32_t count, uint32_t segments) {
  t->words[HLOCC_TABLE_HEAD_STEPS] = count;
  t->words[HLOCC_TABLE_HEAD_STEPS_AT] = table_put(t, steps, count);
  t->words[HLOCC_TABLE_HEAD_SEGMENTS] = segments;
}

void table_simple(test_table* t) {
  static const uint32_t steps[] = {HLOCC_STEP_SEGMENT,   0, 1, 13,          /* once, of 13 words: */
                                   HLOCC_COMMAND_COPY,   0, 0, 8,  0, 4, 3, /* */
                                   HLOCC_COMMAND_LAUNCH, 1, 0, 3,  1, 8,    /* */
                                   HLOCC_STEP_END};
  table_begin(t);
  table_steps(t, steps, sizeof steps / sizeof *steps, 1);
}

int main(void) {
  check_devices();
  check_programs();
  check_steps_of_programs();
  check_models();
  check_caches();
  if (failures == 0) printf("passed %d\n", checks);
  return failures != 0;
}
