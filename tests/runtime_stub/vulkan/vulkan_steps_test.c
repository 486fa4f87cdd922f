/* What the host decides between the segments of a launch table: jumps, bytes that are 0, branches. */
#include "vulkan_test.h"

static hlocc_vk_device device;
static hlocc_vk_program program;
static test_table table;

/* A segment with a number that adds 5 to the arena's byte of the same number. */
enum { kSegmentWords = 10, kRoom = 3 };
#define SEGMENT(number, times) \
  HLOCC_STEP_SEGMENT, number, times, 6, HLOCC_COMMAND_LAUNCH, 0, 0, 1, 1, number

static void begin(const uint32_t* steps, uint32_t count, uint32_t segments) {
  fake_begin();
  table_begin(&table);
  table_steps(&table, steps, count, segments);
  expect_same(hlocc_vk_open_device(&device), 0, "the device", "of steps");
  expect_same(hlocc_vk_open_program(&program, &device, table.words, NULL, 0), 0, "open", "steps");
}

static void end(const char* what) {
  hlocc_vk_close_program(&program);
  hlocc_vk_close_device(&device);
  fake_end(what);
}

/* The place that the steps will have in every table of table_begin's. */
static uint32_t steps_at(void) {
  static const uint32_t none[] = {HLOCC_STEP_END};
  table_begin(&table);
  table_steps(&table, none, 1, 0);
  return table.words[HLOCC_TABLE_HEAD_STEPS_AT];
}

static void check_times_and_jumps(void) {
  const uint32_t at = steps_at();
  const uint32_t steps[] = {SEGMENT(0, 3), HLOCC_STEP_JUMP, at + 10 + 2 + 10, /* over one: */
                            SEGMENT(1, 1), SEGMENT(2, 0),   SEGMENT(3, 1),    HLOCC_STEP_END};
  const unsigned char* arena;
  begin(steps, sizeof steps / sizeof *steps, 4);
  arena = program.memories[0].host;
  expect_same(hlocc_vk_run_program(&program), 0, "run", "jumps");
  expect(arena[0] == 15 && arena[1] == 0 && arena[2] == 0 && arena[3] == 5, "times and jumps");
  expect_same((int)program.submissions, 4, "submissions", "");
  end("jumps");
  /* What is lost at the second time is not submitted again. */
  begin(steps, sizeof steps / sizeof *steps, 4);
  fake.fails = "QueueSubmit";
  fake.fails_at = 2;
  expect_same(hlocc_vk_run_program(&program), HLOCC_VULKAN_LOST, "run", "lost");
  expect_same(fake.submissions, 2, "submissions", "lost");
  end("lost");
}

static void check_unless(void) {
  static const struct { unsigned char byte, result; } rows[] = {{0, 0}, {1, 5}, {255, 5}};
  const uint32_t at = steps_at();
  const uint32_t steps[] = {HLOCC_STEP_UNLESS, 0, 9, at + 4 + 10, SEGMENT(0, 1), HLOCC_STEP_END};
  size_t i;
  for (i = 0; i < 3; ++i) {
    begin(steps, sizeof steps / sizeof *steps, 1);
    program.memories[0].host[9] = rows[i].byte;
    expect_same(hlocc_vk_run_program(&program), 0, "run", "unless");
    expect_same(program.memories[0].host[0], rows[i].result, "unless", "");
    end("unless");
  }
}

/* By a pred of one byte and by a number of four: three branches, each with a segment; behind the
 * places stands one that adds to byte 3. */
static void check_choose(void) {
  static const struct {
    uint32_t bytes;
    int32_t selector;
    int branch;
  } rows[] = {{1, 1, 0},  {1, 2, 0}, {1, 0, 1},         {1, 0x100, 1},    {4, 0, 0},
              {4, 1, 1},  {4, 2, 2}, {4, 3, 2},         {4, -1, 2},       {4, 0x100, 2},
              {4, -2, 2}, {4, 4, 2}, {4, INT32_MIN, 2}, {4, INT32_MAX, 2}};
  enum { kFirst = 8 + 1, kEach = kSegmentWords + 1 };
  const uint32_t at = steps_at();
  const uint32_t steps[] = {HLOCC_STEP_CHOOSE,
                            0,
                            16,
                            4,
                            3,
                            at + kFirst,
                            at + kFirst + kEach,
                            at + kFirst + 2 * kEach, /* behind the last, and nowhere: */
                            HLOCC_STEP_END,
                            SEGMENT(0, 1),
                            HLOCC_STEP_END,
                            SEGMENT(1, 1),
                            HLOCC_STEP_END,
                            SEGMENT(2, 1),
                            HLOCC_STEP_END};
  size_t i;
  int b;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    begin(steps, sizeof steps / sizeof *steps, 3);
    table.words[at + 3] = rows[i].bytes;
    memcpy(program.memories[0].host + 16, &rows[i].selector, 4);
    expect_same(hlocc_vk_run_program(&program), 0, "run", "choose");
    for (b = 0; b < 3; ++b)
      expect_same(program.memories[0].host[b], b == rows[i].branch ? 5 : 0, "a branch", "");
    end("choose");
  }
}

void check_steps_of_programs(void) {
  check_times_and_jumps();
  check_unless();
  check_choose();
}
