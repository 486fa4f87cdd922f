/* The hooks of hlocc_device.h as a model calls them: instances, parts, the device's memory, and a
 * device that is lost. */
#include "vulkan_test.h"

HLOCC_VULKAN_DRIVER()

static test_table simple;
static const void* data[2];
static size_t bytes[2];
static const char* const names[] = {"kws_part_0", "kws_part_1"};
static int instance_a, instance_b, instance_c;

static int32_t opened(void* instance, int32_t parts) {
  return hlocc_device_open(instance, names, data, bytes, parts, 32);
}

static void begin(void) {
  int i;
  fake_begin();
  table_simple(&simple);
  for (i = 0; i < 2; ++i) {
    data[i] = simple.words;
    bytes[i] = simple.count * 4;
  }
}

static void end(const char* what) {
  hlocc_device_close(&instance_a);
  hlocc_device_close(&instance_b);
  hlocc_device_close(&instance_c);
  fake_end(what);
}

/* Puts 1, 2, 3, 4 to byte 0, runs the part from there to byte 8; what submit says. */
static int32_t ran(void* instance, const char* part) {
  static const size_t offsets[] = {0, 8};
  const int32_t error = hlocc_device_put(instance, 0, 1, 0, "\1\2\3\4", 4);
  return error != 0 ? error : hlocc_device_submit(instance, 0, 1, part, offsets, 1, 1);
}

static void computes(void* instance, const char* part) {
  unsigned char result[4] = {9, 9, 9, 9};
  expect_same(ran(instance, part), 0, "run", part);
  expect_same(hlocc_device_wait(instance, 0), 0, "wait", part);
  expect_same(hlocc_device_get(instance, 0, 1, 8, result, 4), 0, "get", part);
  expect(memcmp(result, "\20\2\3\0", 4) == 0, part);
}

static void check_instances(void) {
  begin();
  expect_same(ran(&instance_a, names[0]), HLOCC_VULKAN_CLOSED, "before", "init");
  hlocc_device_close(&instance_a); /* does nothing */
  expect_same(opened(&instance_a, 2), 0, "open", "a");
  expect_same(opened(&instance_b, 1), 0, "open", "b");
  expect_same(opened(&instance_c, 1), 0, "open", "c");
  expect_same(fake.instances, 1, "devices", "");
  hlocc_device_close(&instance_b); /* between the others */
  computes(&instance_a, names[0]);
  computes(&instance_a, names[1]);
  computes(&instance_c, names[0]);
  expect_same(ran(&instance_a, "kws_part_2"), HLOCC_VULKAN_TABLE, "a part that is", "not there");
  expect_same(ran(&instance_b, names[0]), HLOCC_VULKAN_CLOSED, "after", "close");
  expect_same(opened(&instance_a, 1), 0, "open", "a once more");
  computes(&instance_a, names[0]);
  expect_same(ran(&instance_a, names[1]), HLOCC_VULKAN_TABLE, "a part that", "was there");
  end("instances");
  expect(strcmp(hlocc_device_error_msg(106), "the Vulkan device is lost") == 0, "error_msg");
}

/* The device's memory has 32 bytes. */
static void check_memory(void) {
  static const struct {
    size_t offset, bytes;
    int32_t error;
  } rows[] = {{0, 32, 0},
              {31, 1, 0},
              {32, 0, 0},
              {0, 33, HLOCC_VULKAN_TABLE},
              {31, 2, HLOCC_VULKAN_TABLE},
              {32, 1, HLOCC_VULKAN_TABLE},
              {33, 0, HLOCC_VULKAN_TABLE},
              {(size_t)-1, 2, HLOCC_VULKAN_TABLE}};
  unsigned char buffer[33] = {1};
  size_t i;
  begin();
  expect_same(hlocc_device_put(&instance_a, 0, 1, 0, buffer, 1), HLOCC_VULKAN_CLOSED, "put", "");
  expect_same(hlocc_device_get(&instance_a, 0, 1, 0, buffer, 1), HLOCC_VULKAN_CLOSED, "get", "");
  expect_same(opened(&instance_a, 1), 0, "open", "memory");
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    expect_same(hlocc_device_put(&instance_a, 0, 1, rows[i].offset, buffer, rows[i].bytes),
                rows[i].error, "put", "");
    expect_same(hlocc_device_get(&instance_a, 0, 1, rows[i].offset, buffer, rows[i].bytes),
                rows[i].error, "get", "");
  }
  end("memory");
}

/* Operands and results as the table has them, all within the memory. */
static void check_operands(void) {
  static const struct {
    size_t offsets[3];
    int32_t operands, results, error;
  } rows[] = {{{0, 28, 0}, 1, 1, 0},
              {{0, 29, 0}, 1, 1, HLOCC_VULKAN_TABLE},
              {{29, 0, 0}, 1, 1, HLOCC_VULKAN_TABLE},
              {{0, 0, 0}, 2, 1, HLOCC_VULKAN_TABLE},
              {{0, 0, 0}, 0, 1, HLOCC_VULKAN_TABLE},
              {{0, 0, 0}, 1, 2, HLOCC_VULKAN_TABLE},
              {{0, 0, 0}, 1, 0, HLOCC_VULKAN_TABLE}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    begin();
    expect_same(opened(&instance_a, 1), 0, "open", "operands");
    expect_same(hlocc_device_submit(&instance_a, 0, 1, names[0], rows[i].offsets, rows[i].operands,
                                    rows[i].results),
                rows[i].error, "operands", "");
    /* An error of the caller's is none of the device's: the next instance takes the same. */
    expect_same(opened(&instance_b, 1), 0, "open", "behind operands");
    expect_same(fake.instances, 1, "devices", "behind operands");
    end("operands");
  }
}

/* Tables that are too short to be one, or shorter than they say. */
static void check_short_tables(void) {
  static const struct {
    uint32_t words, says;
    int32_t error;
  } rows[] = {{HLOCC_TABLE_HEAD_SIZE, HLOCC_TABLE_HEAD_SIZE, 0},
              {HLOCC_TABLE_HEAD_SIZE, HLOCC_TABLE_HEAD_SIZE + 1, HLOCC_VULKAN_TABLE},
              {HLOCC_TABLE_HEAD_SIZE - 1, HLOCC_TABLE_HEAD_SIZE - 1, HLOCC_VULKAN_TABLE}};
  uint32_t head[HLOCC_TABLE_HEAD_SIZE] = {HLOCC_TABLE_MAGIC, HLOCC_TABLE_VERSION};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    begin();
    head[HLOCC_TABLE_HEAD_WORDS] = rows[i].says;
    data[1] = head;
    bytes[1] = rows[i].words * 4;
    expect_same(opened(&instance_a, 2), rows[i].error, "a short table", "");
    end("a short table");
  }
}

/* Each request for memory of init's: the table with both parts, its device and its file. */
static void check_requests(void) {
  static const int32_t codes[] = {104, 104, 104, 104, 0, 104, 104, 104, 104, 0};
  int at;
  for (at = 1; at <= 10; ++at) {
    begin();
    fake_os.memory_ends_at = at;
    expect_same(opened(&instance_a, 2), codes[at - 1], "no memory for a model", "");
    expect_same(ran(&instance_a, names[1]), codes[at - 1] == 0 ? 0 : HLOCC_VULKAN_CLOSED,
                "run without", "memory");
    end("requests");
  }
}

/* Who opened goes on with the device; the next instance opens one anew. */
static void check_failed_open(void) {
  begin();
  expect_same(opened(&instance_a, 1), 0, "open", "before the other");
  fake.fails = "CreateShaderModule";
  expect_same(opened(&instance_b, 2), HLOCC_VULKAN_REFUSED, "open", "refused");
  fake.fails = NULL;
  expect_same(ran(&instance_b, names[0]), HLOCC_VULKAN_CLOSED, "run", "refused");
  computes(&instance_a, names[0]);
  expect_same(opened(&instance_b, 1), 0, "open", "again");
  expect_same(fake.instances, 2, "devices", "again");
  end("refused");
  begin();
  fake.fails = "CreateDevice";
  expect_same(opened(&instance_a, 1), HLOCC_VULKAN_NO_DEVICE, "open", "no device");
  fake.fails = NULL;
  expect_same(opened(&instance_a, 1), 0, "open", "a device");
  end("no device");
}

/* a and b on one device that is lost, c and then a on a second one. */
static void check_lost(void) {
  begin();
  expect_same(opened(&instance_a, 1) + opened(&instance_b, 1), 0, "open", "two");
  fake.fails = "QueueSubmit";
  expect_same(ran(&instance_a, names[0]), HLOCC_VULKAN_LOST, "run", "lost");
  fake.fails = NULL;
  expect_same(opened(&instance_c, 1), 0, "open", "behind the lost one");
  expect_same(fake.instances, 2, "devices", "behind the lost one");
  fake.fails = "WaitForFences";
  expect_same(ran(&instance_b, names[0]), HLOCC_VULKAN_LOST, "run", "lost as well");
  fake.fails = NULL;
  expect_same(opened(&instance_a, 1), 0, "open", "anew");
  expect_same(fake.instances, 2, "devices", "anew");
  computes(&instance_a, names[0]);
  computes(&instance_c, names[0]);
  end("lost");
}

void check_models(void) {
  hlocc_device_clean(names, 0); /* there is no cache between them */
  hlocc_device_invalidate(bytes, 0);
  hlocc_vulkan_cache(NULL);
  check_instances();
  check_memory();
  check_operands();
  check_short_tables();
  check_requests();
  check_failed_open();
  check_lost();
}
