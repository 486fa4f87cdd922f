/* The file in which is kept what the driver made of the shaders: what is written, what is read of
 * it, which files are ignored, and calls that fail. */
#include "vulkan_test.h"

static hlocc_vulkan_driver driver;
static test_table simple;
static const char* const names[] = {"kws_part_0", "kws_part_1"};
static const void* data[2] = {simple.words, simple.words};
static size_t bytes[2];
static int instance;

static void begin(void) {
  fake_begin();
  table_simple(&simple);
  bytes[0] = bytes[1] = simple.count * 4;
  driver.cache = "kws.cache";
}

/* init and close; what init said. What was logged before is forgotten. */
static int32_t opened(int32_t parts) {
  int32_t error;
  fake.log[0] = 0;
  error = hlocc_vulkan_open(&driver, &instance, names, data, bytes, parts, 32);
  hlocc_vulkan_close(&driver, &instance);
  fake_end("a cache");
  return error;
}

/* Whether the driver was given what it had kept. */
static int given(void) { return fake_logged("cache of 1 2 3\n"); }

static void check_write_and_read(void) {
  begin();
  driver.cache = NULL;
  expect_same(opened(2), 0, "open", "without a file");
  expect_same(fake_os.written, 0, "files", "written");
  driver.cache = "kws.cache";
  expect_same(opened(2), 0, "open", "no file yet");
  expect(fake_os.written == 1 && fake_os.bytes == 16 + 2 * (4 + 3) + 4 && !given(), "the file");
  expect(memcmp(fake_os.file, "HVKC", 4) == 0 && fake_os.file[8] == 2, "its head");
  expect(memcmp(fake_os.file + 16, "\3\0\0\0\1\2\3\3\0\0\0\1\2\3", 14) == 0, "its parts");
  expect_same(opened(2), 0, "open", "with the file");
  expect(given() && fake_os.written == 1, "it is read, and not written again");
  expect_same(opened(1), 0, "open", "fewer parts");
  expect(!given() && fake_os.written == 2, "of other parts it is written anew");
  fake.cache_uuid = 1;
  expect_same(opened(1), 0, "open", "another driver");
  expect(!given() && fake_os.written == 3, "of another driver's it is written anew");
  expect_same(opened(1), 0, "open", "the same driver");
  expect(given() && fake_os.written == 3, "and read");
  simple.words[simple.words[HLOCC_TABLE_HEAD_PIECES_AT] - 1] ^= 1;
  expect_same(opened(1), 0, "open", "another table");
  expect(!given() && fake_os.written == 4, "of another table it is written anew");
  expect_same(opened(0), 0, "open", "no parts");
  expect(fake_os.written == 5 && fake_os.bytes == 20, "of no parts there is the least file");
  expect_same(opened(0), 0, "open", "no parts again");
  expect_same(fake_os.written, 5, "the least file", "holds");
}

/* What the driver keeps may be nothing, one byte, or not be given. */
static void check_sizes(void) {
  static const struct {
    size_t bytes;
    const char* fails;
    int at;
    size_t kept;
  } rows[] = {{0, NULL, 0, 0},
              {1, NULL, 0, 1},
              {2, NULL, 0, 2},
              {3, "CreatePipelineCache", 0, 0},
              {3, "GetPipelineCacheData", 1, 0},
              {3, "GetPipelineCacheData", 2, 0}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    begin();
    fake.cache_bytes = rows[i].bytes;
    fake.fails = rows[i].fails;
    fake.fails_at = rows[i].at;
    expect_same(opened(1), 0, "open", "a size");
    expect_same((int)fake_os.bytes, (int)(16 + 4 + rows[i].kept + 4), "the file's bytes", "");
    expect_same(fake_os.file[16], (int)rows[i].kept, "the part's bytes", "");
    if (rows[i].kept > 0) expect_same(fake_os.file[20], 1, "the first byte", "");
    fake.fails = NULL;
    expect_same(opened(1), 0, "open", "a size again");
    expect_same(fake_os.written, 1, "a file", "that holds");
  }
}

/* Each call fails once while a file is written, and while it is read. `left`: there is a file. */
static void check_failing_files(void) {
  static const struct {
    const char* fails;
    int at;
    int reads; /* else it is written */
    int left, was_given;
  } rows[] = {{"fopen", 2, 0, 0, 0},  {"fwrite", 1, 0, 0, 0}, {"fwrite", 2, 0, 0, 0},
              {"fwrite", 3, 0, 0, 0}, {"fwrite", 4, 0, 0, 0}, {"fwrite", 5, 0, 1, 0},
              {"fclose", 1, 0, 0, 0}, {"fopen", 1, 1, 1, 0},  {"fseek", 1, 1, 1, 0},
              {"ftell", 1, 1, 1, 0},  {"fread", 1, 1, 1, 0},  {"fread", 2, 1, 1, 1},
              {"fclose", 1, 1, 1, 1}};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    begin();
    if (rows[i].reads) expect_same(opened(1), 0, "open", "to be read");
    fake_os.file_fails = rows[i].fails;
    fake_os.file_fails_at = rows[i].at;
    expect_same(opened(1), 0, "open", rows[i].fails);
    expect_same(fake_os.has_file, rows[i].left, "a file is left,", rows[i].fails);
    expect_same(given(), rows[i].was_given, "the driver's bytes,", rows[i].fails);
    fake_os.file_fails = NULL;
    expect_same(opened(1), 0, "open", "behind it");
    expect_same(fake_os.has_file, 1, "a file is there,", rows[i].fails);
  }
}

/* A model that did not open leaves no file; no memory for the file is no failure. */
static void check_nothing_kept(void) {
  int at, files = 0;
  begin();
  fake.fails = "CreateComputePipelines";
  fake.fails_at = 2;
  expect_same(opened(1), HLOCC_VULKAN_REFUSED, "open", "refused");
  expect_same(fake_os.written, 0, "files", "of what was refused");
  for (at = 7; at <= 9; ++at) {
    begin();
    fake_os.memory_ends_at = at;
    expect_same(opened(1), at == 7 ? HLOCC_VULKAN_MEMORY : 0, "no memory for", "the file");
    files += fake_os.has_file;
  }
  expect_same(files, 1, "files", "with memory for them");
  begin();
  expect_same(opened(1), 0, "open", "to be read");
  fake_os.memory_ends_at = fake_os.requests + 6;
  expect_same(opened(1), 0, "no memory for", "what is read");
  expect(!given(), "it is not read");
}

/* A file of `size` bytes, of them `count` behind the head: the hash is the right one. */
static int holds(const unsigned char* behind, size_t count, size_t size, uint32_t shaders,
                 uint32_t parts) {
  const uint32_t head[4] = {HLOCC_VULKAN_CACHE_MAGIC, shaders, parts, 0};
  hlocc_vk_cache_file file = {NULL, size, 0};
  uint32_t hash;
  int right;
  file.data = (unsigned char*)fake_calloc(1, size);
  memcpy(file.data, head, size - 4 < 16 ? size - 4 : 16);
  memcpy(file.data + 16, behind, size < 20 ? 0 : count);
  hash = hlocc_vk_hash(file.data, size - 4, HLOCC_VULKAN_HASH_BEGIN);
  memcpy(file.data + size - 4, &hash, 4);
  right = hlocc_vk_cache_holds(&file, shaders, parts);
  hlocc_vk_close_cache(&file);
  return right;
}

/* A file of one part of no bytes whose head says something else than is asked for. */
static void check_heads(void) {
  static const struct {
    uint32_t head[5];
    int right;
  } rows[] = {{{HLOCC_VULKAN_CACHE_MAGIC, 3, 1, 0, 0}, 1},
              {{HLOCC_VULKAN_CACHE_MAGIC + 1, 3, 1, 0, 0}, 0},
              {{HLOCC_VULKAN_CACHE_MAGIC, 2, 1, 0, 0}, 0},
              {{HLOCC_VULKAN_CACHE_MAGIC, 3, 0, 0, 0}, 0},
              {{HLOCC_VULKAN_CACHE_MAGIC, 3, 2, 0, 0}, 0}};
  unsigned char content[24];
  hlocc_vk_cache_file file = {content, sizeof content, 0};
  size_t i;
  for (i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const uint32_t hash = hlocc_vk_hash(rows[i].head, 20, HLOCC_VULKAN_HASH_BEGIN);
    memcpy(content, rows[i].head, 20);
    memcpy(content + 20, &hash, 4);
    expect_same(hlocc_vk_cache_holds(&file, 3, 1), rows[i].right, "a head", "");
  }
}

static void check_sizes_of_parts(void) {
  static const struct {
    const char* what;
    unsigned char behind[12];
    size_t count;
    uint32_t parts;
    int right;
  } rows[] = {{"no parts", {0}, 0, 0, 1},
              {"one of no bytes", {0, 0, 0, 0}, 4, 1, 1},
              {"one of two bytes", {2, 0, 0, 0, 8, 9}, 6, 1, 1},
              {"two", {1, 0, 0, 0, 9, 0, 0, 0, 0}, 9, 2, 1},
              {"bytes behind the last", {0, 0, 0, 0, 1}, 5, 1, 0},
              {"one byte too few", {2, 0, 0, 0, 8}, 5, 1, 0},
              {"no second part", {0, 0, 0, 0}, 4, 2, 0},
              {"three bytes of a size", {0, 0, 0}, 3, 1, 0},
              {"a part where there is none", {0}, 0, 1, 0}};
  static const unsigned char ones[3] = {255, 255, 255};
  unsigned char wraps[262] = {255, 255, 255, 255};
  uint32_t shaders;
  size_t i;
  fake_begin();
  for (i = 0; i < sizeof rows / sizeof *rows; ++i)
    expect_same(holds(rows[i].behind, rows[i].count, 16 + rows[i].count + 4, 3, rows[i].parts),
                rows[i].right, "a file with", rows[i].what);
  expect(!holds(ones, 0, 19, 3, 1) && !holds(ones, 0, 19, 3, 0), "19 bytes");
  /* Sizes that wrap round: three bytes of ones and a hash that begins so, too; one whose part ends
   * before itself. */
  for (shaders = 0; shaders < 4000; ++shaders) expect(!holds(ones, 3, 23, shaders, 1), "wraps");
  expect(!holds(wraps, sizeof wraps, 16 + sizeof wraps + 4, 3, 2), "wraps round");
  fake_end("parts");
}

/* A file whose bytes were changed, or that is not one, is written anew. */
static void check_torn(void) {
  size_t at;
  for (at = 0; at < 16 + 4 + 3 + 4; ++at) {
    begin();
    expect_same(opened(1), 0, "open", "before it was torn");
    fake_os.file[at] ^= 1;
    expect_same(opened(1), 0, "open", "torn");
    expect(!given() && fake_os.written == 2, "a torn file is written anew");
    expect_same(opened(1), 0, "open", "mended");
    expect(given() && fake_os.written == 2, "and read");
    fake_os.bytes = at;
    expect_same(opened(1), 0, "open", "cut");
    expect(!given() && fake_os.written == 3, "a cut file is written anew");
  }
}

void check_caches(void) {
  check_write_and_read();
  check_sizes();
  check_failing_files();
  check_nothing_kept();
  check_heads();
  check_sizes_of_parts();
  check_torn();
}
