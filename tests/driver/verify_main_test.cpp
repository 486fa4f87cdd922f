// The C program that runs a batch of cases names its files, its cases and the largest arena; what a
// program between guards writes is read back, and so is one that pushes rows.
#include "driver/verify/guard.h"
#include "driver/verify/stream_case.h"

#include <catch2/catch.hpp>

#include "support/text.h"

namespace hlocc::driver {
namespace {

TEST_CASE("a batch has one arena for all, and a function for each case") {
  const std::vector<BatchCase> cases = {{3, {4, 0}, {8}, 100, 16}, {7, {}, {1}, 5000, 64}};
  const std::string text = write_batch_main(cases, "a \"folder\"");
  const auto holds = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(holds("#include \"hlocc_case_3.h\""));
  CHECK(holds("ARENA_BYTES = 5000, ARENA_ALIGN = 64"));
  CHECK(holds("get(file, hlocc_case_3_arg0_data(self), 4u)"));
  CHECK(holds("put(file, hlocc_case_7_result0_data(self), 1u)"));
  CHECK(holds("{run_3, run_7}"));
  CHECK(holds("board_file_open_read(\"a \\\"folder\\\"/3.in\")"));
}

TEST_CASE("between guards each case has buffers of its own") {
  BatchCase one{3, {4, 0}, {8}, 100, 16};
  one.argument_donated = {false, false};
  one.result_donated = {false};
  BatchCase two{7, {12}, {12}, 5000, 64};
  two.argument_donated = two.result_donated = {true};
  const std::string text = write_batch_main({one, two}, "folder", true);
  const auto holds = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(holds("#define GUARD_MOST 5\n#include \"board_guard.h\""));
  CHECK(holds("const size_t sizes[] = {100u, sizeof(hlocc_case_3_t), 4u, 0u, 8u};"));
  CHECK(holds("hlocc_case_3_set_arg0_data(self, guard_data(2))"));
  CHECK(holds("hlocc_case_3_set_result0_data(self, guard_data(4))"));
  // What is empty or lies in the instance stays where it is.
  CHECK_FALSE(holds("set_arg1_data"));
  CHECK_FALSE(holds("hlocc_case_7_set"));
  CHECK_FALSE(holds("static unsigned char arena["));
}

TEST_CASE("leaves of a byte have buffers between guards, leaves of none stay where they are") {
  BatchCase one{3, {1, 0}, {1, 0}, 100, 16};
  one.argument_donated = one.result_donated = {false, false};
  const auto holds = [&](const char* part) {
    return write_guard_case(one, "folder").find(part) != std::string::npos;
  };
  CHECK((holds("_set_arg0_data(self, guard_data(2))") && !holds("_set_arg1_data")));
  CHECK((holds("_set_result0_data(self, guard_data(4))") && !holds("_set_result1_data")));
  one.argument_donated = {true, true};
  CHECK((!holds("_set_arg0_data") && holds("_set_result0_data")));
  one.argument_donated = {false, false};
  one.result_donated = {true, true};
  CHECK((holds("_set_arg0_data") && !holds("_set_result0_data")));
}

TEST_CASE("a case with a stream runs plainly, and pushes its rows in three ways") {
  const BatchCase plain{3, {4, 0}, {8}, 100, 16};
  BatchCase one{7, {12, 5}, {2}, 5000, 64};
  one.stream = {0, 6, 2};
  const std::string text = write_batch_main({plain, one}, "folder");
  const auto holds = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(holds("#include \"hlocc_case_7_plain.h\""));
  CHECK(holds("hlocc_case_7_plain_t p7;"));
  CHECK(holds("static unsigned char stream_rows[12]"));
  CHECK(holds("get(file, stream_rows, 12u)"));
  CHECK(holds("get(file, hlocc_case_7_arg1_data(self), 5u)"));
  CHECK(holds("hlocc_case_7_push_arg0(self,"));
  CHECK(holds("  push_7(out, 1u);\n  push_7(out, 3u);\n  push_7(out, 0u);\n"));
  CHECK_FALSE(holds("hlocc_case_3_plain"));
  CHECK(stream_file_bytes(one) == 4 * 3);
  CHECK(stream_room(one) == 24);
  CHECK(stream_room(plain) == 0);
  CHECK(write_batch_main({plain}, "folder").find("stream_") == std::string::npos);
}

TEST_CASE("what pushed rows give is held against the plain run") {
  kernel::Signature plain;
  plain.results = {{0, "", hlo::Shape::array(hlo::PrimitiveType::kS8, {2})},
                   {1, "", hlo::Shape::array(hlo::PrimitiveType::kF32, {1})}};
  const std::vector<hlo::CompareRule> rules = stream_rules({{.rtol = 0.5}, {.rtol = 0.5}}, plain);
  CHECK(rules[0].bits);
  CHECK_FALSE(rules[1].bits);
  std::vector<std::byte> file;
  BatchCase one{0, {4}, {2, 4}, 100, 16};
  one.stream = {0, 2, 2};
  for (int record = 0; record < stream_records(one); ++record)
    for (const int byte : {0, 5, 6, 0, 0, 0x80, 0x3f}) file.push_back(static_cast<std::byte>(byte));
  const auto said = [&] { return judge_stream(file, one, plain, ByteOrder::kLittle, rules, {}); };
  CHECK(said().empty());
  file[2 * 7 + 5] = std::byte{0xa0};  // 1.25
  CHECK(said().empty());
  file[3 * 7 + 2] = std::byte{9};
  CHECK(said().starts_with("rows pushed all at once: result0 "));
  CHECK(said().ends_with(" from the plain run"));
  file[1 * 7 + 6] = std::byte{0x41};
  CHECK(said().starts_with("rows pushed one at a time: result1 "));
  file[1 * 7] = std::byte{203};
  CHECK(said() == "rows pushed one at a time: push returned 203");
}

std::vector<std::byte> records_of(int turns) {
  std::vector<std::byte> out;
  for (int turn = 0; turn < turns; ++turn)
    for (const int byte : {0, 0, 0, 1, 2}) out.push_back(static_cast<std::byte>(byte));
  return out;
}

TEST_CASE("windows that follow one another are told from one another") {
  kernel::Signature plain;
  plain.results = {{0, "", hlo::Shape::array(hlo::PrimitiveType::kU8, {1})}};
  BatchCase one{0, {4}, {1}, 100, 16};
  one.stream = {0, 2, 2};
  CHECK(stream_records(one) == 4);
  one.stream->every = 1;
  CHECK(stream_records(one) == 16);
  CHECK(stream_file_bytes(one) == 32);
  std::vector<std::byte> file(32);
  for (int record = 0; record < 16; ++record) file[2 * record + 1] = std::byte(record % 4);
  const auto said = [&] {
    return judge_stream(file, one, plain, ByteOrder::kLittle, {{.bits = true}}, {});
  };
  CHECK(said().empty());
  file[2 * 15 + 1] = std::byte{4};
  CHECK(said().starts_with("rows pushed all at once, window 3: result0 "));
  file[2 * 4] = std::byte{1};
  CHECK(said() == "rows pushed one at a time, window 0: push returned 1");
}

TEST_CASE("only integers of pushed rows have to be the same bit for bit") {
  kernel::Signature plain;
  using enum hlo::PrimitiveType;
  for (const hlo::PrimitiveType type : {kPred, kS32, kF16, kF64, kC64})
    plain.results.push_back({0, "", hlo::Shape::array(type, {1})});
  const std::vector<hlo::CompareRule> rules =
      stream_rules(std::vector<hlo::CompareRule>(5, hlo::CompareRule{.rtol = 0.5}), plain);
  CHECK((rules[0].bits && rules[1].bits));
  for (const size_t i : {2, 3, 4}) CHECK((!rules[i].bits && rules[i].rtol == 0.5));
}

TEST_CASE("the records of all turns are told from one another") {
  BatchCase one{0, {4}, {2}, 100, 16};
  const int turns = static_cast<int>(std::size(device::kGuardRounds));
  CHECK(guard_file_bytes(one) == 5 * turns);
  std::vector<std::byte> bytes = records_of(turns);
  const auto said = [&] { return device::judge_guard(read_guard_file(bytes, one), 1); };
  CHECK(said().empty());
  bytes[5 * 1 + 4] = std::byte{9};
  CHECK(said() == "the bits of result 0 changed (the arena held 0xff before)");
  bytes = records_of(turns);
  bytes[5 * 2 + 1] = std::byte{1 + 4 * 2 + 2};
  CHECK(said() ==
        "a write to argument 0, which is the caller's (the arena held signalling bits before, "
        "arguments and results in buffers of their own)");
  bytes[5 * 2 + 1] = std::byte{1 + 4 * 3 + 1};
  CHECK(said().starts_with("an access behind result 0 ("));
  bytes = records_of(turns);
  bytes[0] = std::byte{7};
  CHECK(said() == "run returned 7 (all held zeros before)");
}

TEST_CASE("a program that a guard ended says which") {
  const BatchCase one{0, {4}, {2}, 100, 16};
  CHECK(guard_death("words\nhlocc-guard 1 3\n", one) ==
        "an access before the arena (the instance held 0xff before)");
  CHECK(guard_death("hlocc-guard 6 0", one) ==
        "an access behind the instance (all held zeros before)");
  const int rounds = static_cast<int>(std::size(device::kGuardRounds));
  CHECK_FALSE(guard_death(cat("hlocc-guard 1 ", rounds - 1), one).empty());
  for (const std::string& other :
       {std::string(), std::string("hlocc-guard"), std::string("hlocc-guard 3"),
        std::string("hlocc-guard 0 0"), std::string("hlocc-guard -1 0"),
        cat("hlocc-guard 1 ", rounds), std::string("hlocc-guard 1 99"),
        std::string("hlocc-guard 1 -1")})
    CHECK(guard_death(other, one).empty());
}

}  // namespace
}  // namespace hlocc::driver
