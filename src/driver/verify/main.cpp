// See main.h. The output file is one byte of status and then the results, one after the
// other.
#include "driver/verify/main.h"

#include <algorithm>

#include "driver/verify/guard.h"
#include "driver/verify/stream_case.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr const char* kArena = R"(
static unsigned char arena[ARENA_BYTES] BOARD_BULK __attribute__((aligned(ARENA_ALIGN)));
)";

constexpr const char* kHelpers = R"(
static int get(int file, void *data, size_t size) {
  return size == 0 || board_file_read(file, data, size) == size ? 0 : 201;
}

static void put(int file, const void *data, size_t size) {
  if (size != 0) board_file_write(file, data, size);
}
)";

constexpr const char* kMain = R"(
int main(int argc, char **argv) {
  unsigned at = 0;
  if (argc > 1)
    for (const char *digit = argv[1]; *digit != 0; ++digit) at = 10 * at + (unsigned)(*digit - '0');
  for (; at < sizeof cases / sizeof *cases; ++at) cases[at]();
  return 0;
}
)";

std::string write_case(const BatchCase& one, const std::string& folder) {
  const std::string name = one.name();
  std::string out =
      cat("\nstatic void run_", one.number, "(void) {\n  ", name, "_t *self = &instance.c",
          one.number, ";\n  int status = ", name, "_init(self, ",
          init_arguments(one, name, "arena"), ");\n  int file = board_file_open_read(",
          c_string(input_file(folder, one)), ");\n  if (file < 0) status = 200;\n");
  for (size_t i = 0; i < one.argument_bytes.size(); ++i)
    out += cat("  if (status == 0) status = get(file, ", name, "_arg", i, "_data(self), ",
               one.argument_bytes[i], "u);\n");
  out += cat("  if (file >= 0) board_file_close(file);\n  if (status == 0) status = ", name,
             "_run(self);\n  file = board_file_open_write(", c_string(output_file(folder, one)),
             ");\n  const unsigned char first = (unsigned char)status;\n  put(file, &first, 1);\n");
  for (size_t i = 0; i < one.result_bytes.size(); ++i)
    out += cat("  put(file, ", name, "_result", i, "_data(self), ", one.result_bytes[i], "u);\n");
  return out + "  board_file_close(file);\n}\n";
}

}  // namespace

std::string init_arguments(const BatchCase& one, const std::string& name,
                           const std::string& array) {
  return one.several_arenas ? cat(to_upper(name), "_ARENAS_IN(((unsigned char *)", array, "))")
                            : array;
}
std::string input_file(const std::string& folder, const BatchCase& one) {
  return cat(folder, "/", one.number, ".in");
}
std::string output_file(const std::string& folder, const BatchCase& one) {
  return cat(folder, "/", one.number, ".out");
}

std::string write_batch_main(const std::vector<BatchCase>& cases, const std::string& folder,
                             bool guard) {
  int64_t bytes = 1, align = 16;
  std::string includes = "#include \"board.h\"\n", instances = "\nstatic union {\n", functions,
              list;
  for (const BatchCase& one : cases) {
    bytes = std::max(bytes, one.arena_bytes);
    align = std::max(align, one.arena_align);
    includes += cat("#include \"", one.name(), ".h\"\n");
    instances += cat("  ", one.name(), "_t c", one.number, ";\n");
    if (one.stream) {
      includes += cat("#include \"", plain_name(one), ".h\"\n");
      instances += cat("  ", plain_name(one), "_t p", one.number, ";\n");
    }
    functions += guard        ? write_guard_case(one, folder)
                 : one.stream ? write_stream_case(one, folder)
                              : write_case(one, folder);
    list += cat(list.empty() ? "" : ", ", "run_", one.number);
  }
  const std::string memory =
      guard ? write_guard_head(cases)
            : cat("\nenum { ARENA_BYTES = ", bytes, ", ARENA_ALIGN = ", align, " };\n",
                  std::string(kArena), instances, "} instance BOARD_BULK;\n");
  return cat(includes, memory, std::string(kHelpers), write_stream_head(cases), functions,
             "\nstatic void (*const cases[])(void) = {", list, "};\n", std::string(kMain));
}

}  // namespace hlocc::driver
