/* Proves a board from within: memory is as C expects it, floating point works in the row's ABI,
 * libgcc's helpers link, text, arguments and files go through, the stack can be measured. Returns
 * 42, a code that no accident gives. */
#include "board.h"

static int initialised = 7;
static int zeroed[300];
/* On a chip with little RAM. */
#if UINTPTR_MAX == 0xffff
enum { kBulk = 1100, kDeep = 2048 };
#else
enum { kBulk = 1 << 20, kDeep = 4096 };
#endif
static unsigned char bulk[kBulk] BOARD_BULK;
static int constructed;
__attribute__((constructor)) static void construct(void) { constructed = 1; }

static int failures;
static void expect(int right, const char* what) {
  if (right) return;
  ++failures;
  board_print("wrong: ");
  board_print(what);
  board_print("\n");
}

/* Kept from being folded: the arguments come from volatile memory. */
static void check_arithmetic(void) {
  static volatile float a = 1.5f, b = -2.25f;
  static volatile double d = 3.0, e = 7.0;
  static volatile int64_t n = -1000000007LL, m = 12345;
  expect(a * b == -3.375f && a + b == -0.75f && a / b < -0.66f, "float");
  expect(d / e > 0.428 && d / e < 0.429 && (float)(d * e) == 21.0f, "double");
  expect(n / m == -81004 && n % m == -5627, "64-bit division");
  expect((int32_t)(a * 10.0f) == 15 && (float)(int32_t)n == -1000000000.0f - 0.0f, "conversion");
}

/* Must not be a leaf that the compiler folds away: it is here to use stack. */
__attribute__((noinline)) static int use_stack(int bytes) {
  volatile unsigned char block[kDeep];
  for (int i = 0; i < kDeep; ++i) block[i] = (unsigned char)(i + bytes);
  return block[bytes & (kDeep - 1)];
}

static void check_stack(void) {
  board_stack_paint();
  expect(board_stack_used() < 300, "idle stack");
  board_stack_paint();
  use_stack(17);
  const uint32_t used = board_stack_used();
  expect(used >= kDeep - 32 && used < kDeep + 300, "painted stack");
}

static void check_files(const char* input, const char* output) {
  const int in = board_file_open_read(input);
  expect(in > 0, "open");
  const long size = board_file_size(in);
  expect(size == 1000, "file size");
  expect(board_file_read(in, bulk, 1000) == 1000, "read");
  int same = 1;
  for (int i = 0; i < 1000; ++i) same &= bulk[i] == (unsigned char)(i * 7);
  expect(same, "file content");
  expect(board_file_seek(in, 999) == 0 && board_file_read(in, bulk + 1000, 8) == 1 &&
             bulk[1000] == bulk[999],
         "seek");
  board_file_close(in);
  const int out = board_file_open_write(output);
  expect(board_file_write(out, bulk, 1000) == 1000, "write");
  board_file_close(out);
  expect(board_file_open_read("no/such/file") < 0, "missing file");
}

int main(int argc, char** argv) {
  int sum = 0;
  for (int i = 0; i < 300; ++i) sum |= zeroed[i];
  expect(initialised == 7 && sum == 0 && constructed == 1, "start-up");
  check_arithmetic();
  check_stack();
  expect(argc == 3, "arguments");
  if (argc == 3) check_files(argv[1], argv[2]);
  board_print_u32(4000000000u);
  board_print(" ");
  board_print_i32(-17);
  board_print(" ");
  board_print_hex32(0xdeadbeefu);
  board_print(" ");
  board_print_float(-3.14159f, 4);
  board_print("\n");
  return failures == 0 ? 42 : 1;
}
