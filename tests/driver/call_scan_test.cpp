// What `doctor` knows of the registers at a call of init, a row of instructions beside what is
// known; each instruction that is understood beside its neighbours in the encoding, which make the
// scan forget everything (driver/doctor/call_scan.cpp).
#include "driver/doctor/call_scan.h"

#include <catch2/catch.hpp>

#include "driver/code_rows.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr uint64_t kCode = 0x100, kInit = 0x800;

// Machine code at kCode.
ElfFacts calling_code(const std::string& machine, const std::string& bytes) {
  ElfFacts out{.machine = machine};
  out.sections = {{.name = ".text",
                   .address = kCode,
                   .bytes = bytes.size(),
                   .executable = true,
                   .content = bytes}};
  return out;
}

// The known arguments of calls of kInit by their numbers: "0=5 1=20000100".
std::string arguments_text(const ElfFacts& file, int most) {
  std::vector<std::string> out;
  for (int argument = 0; argument < most; ++argument)
    for (const uint64_t value : arguments_of_calls(file, kInit, argument))
      out.push_back(cat(argument, "=", hex_of(value)));
  return join(out, " ");
}

// bl `target`, at `at`.
std::vector<unsigned> thumb_call(uint64_t at, uint64_t target) {
  const uint64_t offset = target - at - 4, sign = offset >> 24 & 1;
  const auto bit = [&](int i) { return static_cast<unsigned>((offset >> i & 1) ^ sign ^ 1); };
  return {static_cast<unsigned>(0xF000 | sign << 10 | (offset >> 12 & 0x3FF)),
          static_cast<unsigned>(0xD000 | bit(23) << 13 | bit(22) << 11 | (offset >> 1 & 0x7FF))};
}

// Of `halves` and a call of kInit behind them; `pool`: the bytes behind the call.
std::string of_thumb(std::vector<unsigned> halves, const std::string& pool = "") {
  for (const unsigned half : thumb_call(kCode + 2 * halves.size(), kInit)) halves.push_back(half);
  return arguments_text(calling_code("arm", bytes_of_halves(halves) + pool), 5);
}

struct ThumbRow {
  std::vector<unsigned> code;
  const char* known;
};
void check_thumb(const std::vector<ThumbRow>& rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i << std::hex << ": " << rows[i].code[0]);
    CHECK(of_thumb(rows[i].code) == rows[i].known);
  }
}

TEST_CASE("short instructions of Thumb in front of a call") {
  check_thumb({
      {{0xBF00}, ""},
      {{0x2105}, "1=5"},  // movs r1, #5
      {{0x2105, 0x22FF, 0x2003, 0x2300}, "0=3 1=5 2=ff 3=0"},
      {{0x2405}, ""},                         // r4 is no argument
      {{0x2105, 0x3103}, "1=8"},              // adds r1, #3
      {{0x3103}, ""},                         // to what is not known
      {{0x2105, 0x3903}, ""},                 // subs r1, #3
      {{0x2105, 0x1CCA}, "1=5 2=8"},          // adds r2, r1, #3
      {{0x1CCA}, ""},                         //
      {{0x2105, 0x1ECA}, ""},                 // subs r2, r1, #3
      {{0x2105, 0x184A}, ""},                 // adds r2, r1, r1
      {{0x2105, 0x000A}, "1=5 2=5"},          // movs r2, r1
      {{0x2105, 0x0001}, ""},                 // movs r1, r0
      {{0x2105, 0x004A}, ""},                 // lsls r2, r1, #1
      {{0x2105, 0x4608}, "0=5 1=5"},          // mov r0, r1
      {{0x2105, 0x4601}, ""},                 // mov r1, r0
      {{0x2105, 0x4688, 0x4642}, "1=5 2=5"},  // mov r8, r1; mov r2, r8
      {{0x2105, 0x4508}, ""},                 // cmp r0, r1
      {{0x2105, 0x4708}, ""},                 // bx r1
      {{0x2105, 0x468F}, ""},                 // mov pc, r1
      {{0x2105, 0x460F}, "1=5"},              // mov r7, r1
      {{0x2105, 0x46F7}, ""},                 // mov pc, lr
  });
}

TEST_CASE("what leaves the registers of Thumb as they are, and its neighbours") {
  check_thumb({
      {{0x2105, 0xB510}, "1=5"},  // push
      {{0x2105, 0xB4F0}, "1=5"},  //
      {{0x2105, 0xB3FF}, ""},     // cbz
      {{0x2105, 0xB600}, ""},     // cps and its like
      {{0x2105, 0xBC02}, ""},     // pop
      {{0x2105, 0x6001}, "1=5"},  // str r1, [r0]
      {{0x2105, 0x67FF}, "1=5"},  // the last of these
      {{0x2105, 0x6801}, ""},     // ldr r1, [r0]
      {{0x2105, 0x5FFF}, ""},     // ldrsh r7, [r7, r7]
      {{0x2105, 0x9101}, "1=5"},  // str r1, [sp, #4]
      {{0x2105, 0x97FF}, "1=5"},  // the last of these
      {{0x2105, 0x9901}, ""},     // ldr r1, [sp, #4]
      {{0x2105, 0x8FFF}, ""},     // ldrh
      {{0x2105, 0xB084}, "1=5"},  // sub sp, #16
      {{0x2105, 0xB0FF}, "1=5"},  // the last of these
      {{0x2105, 0xB004}, ""},     // add sp, #16
      {{0x2105, 0xB101}, ""},     // cbz r1
      {{0x2105, 0xBF00}, "1=5"},  // nop
      {{0x2105, 0xBF10}, ""},     // yield
      {{0x2105, 0xBE00}, ""},     // bkpt
      {{0x2105, 0xE7FE}, ""},     // b
  });
}

TEST_CASE("long instructions of Thumb in front of a call") {
  check_thumb({
      {{0xF241, 0x2134}, "1=1234"},                      // movw r1, #0x1234
      {{0xF641, 0x2134}, "1=1a34"},                      //
      {{0xF241, 0xA134}, ""},                            // a branch
      {{0xF251, 0x2134}, ""},                            // none of these
      {{0xF241, 0x2134, 0xF2C2, 0x0100}, "1=20001234"},  // movt r1, #0x2000
      {{0xF2C2, 0x0100}, ""},                            // of what is not known
      {{0x2105, 0xF201, 0x0204}, "1=5 2=9"},             // addw r2, r1, #4
      {{0xF201, 0x0204}, ""},                            //
      {{0x2105, 0xF2A1, 0x0204}, ""},                    // subw
      {{0x2105, 0xF101, 0x0204}, ""},                    // add.w
      {{0x2105, 0xF8C0, 0x8001}, ""},                    // str.w r8
      {{0xE800, 0x2105}, ""},                            // the first long one
      {{0xE7FF, 0x2105}, "1=5"},                         // the last short one
  });
}

TEST_CASE("words of Thumb's pools") {
  // The word is 0x20000100, two bytes behind the call or at once.
  const std::string word("\x00\x01\x00\x20", 4), padding("\x00\xBF", 2);
  CHECK(of_thumb({0x4901}, padding + word) == "1=20000100");       // ldr r1, [pc, #4]
  CHECK(of_thumb({0xBF00, 0x4901}, word) == "1=20000100");         // not at a multiple of four
  CHECK(of_thumb({0x4902}, padding + word).empty());               // behind the section
  CHECK(of_thumb({0x49FF}, padding + word).empty());               // far behind it
  CHECK(of_thumb({0x4901}, padding + word.substr(0, 3)).empty());  // a byte is missing
  CHECK(of_thumb({0xF8DF, 0x1004}, word) == "1=20000100");         // ldr.w r1, [pc, #4]
  CHECK(of_thumb({0xF8DF, 0x1004}, word.substr(0, 3)).empty());    //
  CHECK(of_thumb({0xF8DF, 0x8008, 0x4642}, padding + word) == "2=20000100");  // r8; mov r2, r8
  CHECK(of_thumb({0x0100, 0x2000, 0xF85F, 0x1008}) == "0=0 1=20000100");      // [pc, #-8]
  CHECK(of_thumb({0x0100, 0x2000, 0xF85F, 0x100C}) == "0=0");         // in front of the section
  CHECK(of_thumb({0x2205, 0xF8DF, 0xF008}, padding + word).empty());  // ldr.w pc: a jump
  CHECK(of_thumb({0xF8DE, 0x1004}, word).empty());                    // ldr.w r1, [lr, #4]
  // Half an instruction at the end.
  CHECK(of_thumb({0x2105}, std::string("\x00\xF0", 2)) == "1=5");
  CHECK(of_thumb({0x2105}, std::string("\x00", 1)) == "1=5");
}

TEST_CASE("where Thumb's calls lead") {
  const auto told = [](uint64_t offset, std::vector<unsigned> call) {
    std::vector<unsigned> halves = {0x2105};
    for (const unsigned half : call) halves.push_back(half);
    const ElfFacts file = calling_code("arm", bytes_of_halves(halves));
    return arguments_of_calls(file, (kCode + 6 + offset) & 0xFFFFFFFF, 1).size();
  };
  CHECK(told(0, {0xF000, 0xF800}) == 1);
  CHECK(told(2, {0xF000, 0xF800}) == 0);
  CHECK(told(2, {0xF000, 0xF801}) == 1);
  CHECK(told(0x1000, {0xF001, 0xF800}) == 1);
  CHECK(told(0x400000, {0xF000, 0xF000}) == 1);  // without J2
  CHECK(told(0x800000, {0xF000, 0xD800}) == 1);  // without J1
  CHECK(told(~uint64_t{1}, {0xF7FF, 0xFFFF}) == 1);
  CHECK(told(static_cast<uint64_t>(-0x400000 - 2), {0xF7FF, 0xF7FF}) == 1);
  // What only looks like bl: another group, a jump, no branch at all.
  CHECK(told(0, {0xF800, 0xF800}) == 0);
  CHECK(told(0, {0xF000, 0xB800}) == 0);
  CHECK(told(0, {0xF000, 0xE800}) == 0);
  CHECK(told(0, {0xF000, 0x5800}) == 0);
  // What a call leaves in the registers is not known.
  CHECK(of_thumb({0x2105, 0xF000, 0xF800}).empty());
}

}  // namespace
}  // namespace hlocc::driver
