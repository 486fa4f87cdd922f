// Which instruction multiplies and adds units of numbers of 8 and 16 bits: each idiom on both sides
// of each of its conditions. That they compute the same stands in ops_test.cpp.
#include "backends/llvm/generic_target.h"
#include "backends_llvm/jit_kernel.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

struct Form {
  int lanes, group;
  Scalar left, right;
  int64_t factor = 0;  // the right side is this number everywhere; 0: it is loaded
};

Kernel dot_of(const Form& form) {
  Builder b("dot");
  const auto count = static_cast<uint16_t>(form.lanes * form.group);
  const BufferId x = b.buffer({.name = "x", .element = form.left, .elements = count});
  const BufferId w = b.buffer({.name = "w", .element = form.right, .elements = count});
  const BufferId y = b.buffer(
      {.name = "y", .element = kS32, .elements = form.lanes, .direction = Direction::kInOut});
  const ValueId right = form.factor == 0 ? b.load(w, Affine::constant(0), count)
                                         : b.constant_int({form.right, count}, form.factor);
  b.store(y, Affine::constant(0),
          b.dot_accumulate(b.load(y, Affine::constant(0), form.lanes),
                           b.load(x, Affine::constant(0), count), right));
  return b.finish();
}

// The word of the first idiom's intrinsic in the code, or "".
std::string taken(const Target& target, const Form& form) {
  const std::string text = ir_of(dot_of(form), target);
  for (const char* word : {"vpdpbusd", "pmadd", "neon.sdot", "neon.udot", "mve.vmldava", "smlad",
                           "vpadals", "saddlp", "V6.vrmpy"})
    if (text.find(word) != text.npos) return word;
  return "";
}

Target preset_with(const char* name, std::initializer_list<Isa> more, int vector_bits = -1) {
  Target target = *complete_target(*preset(name));
  for (const Isa isa : more) target.isa.add(isa);
  if (vector_bits >= 0) target.vector_bits = vector_bits;
  return target;
}

TEST_CASE("x86 multiplies fours of bytes where it has VNNI, else pairs of 16 bits") {
  const Form four{4, 4, kU8, kS8}, eight{8, 4, kU8, kS8}, sixteen{16, 4, kU8, kS8};
  const Target plain = preset_with("x86_64-linux", {}, 256);
  const Target avx = preset_with("x86_64-linux", {Isa::kAvxVnni}, 256);
  const Target large = preset_with("x86_64-linux", {Isa::kAvx512Vnni}, 512);
  const Target all = preset_with("x86_64-linux", {Isa::kAvx512Vnni, Isa::kAvx512Vl}, 512);
  const Target short_vectors = preset_with("x86_64-linux", {Isa::kAvx512Vnni}, 256);
  const Target vl_alone = preset_with("x86_64-linux", {Isa::kAvx512Vl}, 512);
  for (const Form& form : {four, eight}) {
    CHECK(taken(plain, form) == "pmadd");
    CHECK(taken(avx, form) == "vpdpbusd");
    CHECK(taken(large, form) == "pmadd");
    CHECK(taken(all, form) == "vpdpbusd");
    CHECK(taken(vl_alone, form) == "pmadd");
  }
  CHECK(taken(avx, sixteen) == "");
  CHECK(taken(large, sixteen) == "vpdpbusd");
  CHECK(taken(short_vectors, sixteen) == "");
  CHECK(taken(vl_alone, sixteen) == "");
  // The left side has no sign, the right one has; units are fours.
  CHECK(taken(all, {8, 4, kS8, kS8}) == "pmadd");
  CHECK(taken(all, {8, 4, kU8, kU8}) == "pmadd");
  CHECK(taken(all, {8, 2, kU8, kS8}) == "pmadd");
  CHECK(taken(all, {2, 4, kU8, kS8}) == "");
  CHECK(taken(all, {1, 4, kU8, kS8}) == "");
  // Lanes and units of one instruction, and no more.
  CHECK(taken(all, {32, 4, kU8, kS8}) == "");
  CHECK(taken(all, {16, 8, kU8, kS8}) == "");
}

TEST_CASE("x86 multiplies pairs as wide as its vectors are") {
  const Target sse = preset_with("x86_64-linux", {}, 128),
               avx = preset_with("x86_64-linux", {}, 256);
  for (const Target* target : {&sse, &avx}) {
    CHECK(taken(*target, {4, 2, kS16, kS16}) == "pmadd");
    CHECK(taken(*target, {4, 4, kS8, kS16}) == "pmadd");
    CHECK(taken(*target, {4, 3, kS16, kS16}) == "");
    CHECK(taken(*target, {4, 2, kU16, kS16}) == "");
    CHECK(taken(*target, {4, 2, kS16, kU16}) == "");
    CHECK(taken(*target, {1, 2, kS16, kS16}) == "");
  }
  CHECK(taken(sse, {8, 2, kS16, kS16}) == "");
  CHECK(taken(avx, {8, 2, kS16, kS16}) == "pmadd");
  CHECK(taken(avx, {16, 2, kS16, kS16}) == "");
}

TEST_CASE("AArch64's dot product takes fours of one type into four lanes") {
  const Target a53 = preset_with("cortex-a53", {});
  const Target dot = preset_with("cortex-a53", {Isa::kDotprod});
  CHECK(taken(dot, {4, 4, kS8, kS8}) == "neon.sdot");
  CHECK(taken(dot, {4, 4, kU8, kU8}) == "neon.udot");
  CHECK(taken(a53, {4, 4, kS8, kS8}) == "");
  CHECK(taken(dot, {4, 4, kU8, kS8}) == "");
  CHECK(taken(dot, {4, 2, kS8, kS8}) == "");
  CHECK(taken(dot, {4, 8, kS8, kS8}) == "");
  CHECK(taken(dot, {8, 4, kS8, kS8}) == "");
  CHECK(taken(dot, {2, 4, kS8, kS8}) == "");
}

TEST_CASE("NEON adds neighbours where all factors are one") {
  const Target a53 = preset_with("cortex-a53", {}), armv7 = preset_with("armv7-linux", {});
  CHECK(taken(a53, {4, 2, kS16, kS16, 1}) == "saddlp");
  CHECK(taken(armv7, {4, 2, kS16, kS16, 1}) == "vpadals");
  for (const Target* target : {&a53, &armv7}) {
    CHECK(taken(*target, {4, 2, kS16, kS16, 2}) == "");
    CHECK(taken(*target, {4, 2, kS16, kS16}) == "");
    CHECK(taken(*target, {4, 2, kU16, kU16, 1}) == "");
    CHECK(taken(*target, {4, 4, kS16, kS16, 1}) == "");
    CHECK(taken(*target, {2, 2, kS16, kS16, 1}) == "");
  }
  CHECK(taken(preset_with("rv64gc", {}), {4, 2, kS16, kS16, 1}) == "");
}

TEST_CASE("Thumb multiplies pairs with its DSP extension, and whole vectors with MVE") {
  const Target m4 = preset_with("cortex-m4", {}), m3 = preset_with("cortex-m3", {});
  const Target m55 = preset_with("cortex-m55", {});
  for (const Target* target : {&m4, &m55}) {
    CHECK(taken(*target, {1, 2, kS16, kS16}) == "smlad");
    CHECK(taken(*target, {1, 4, kS8, kS8}) == "smlad");
    CHECK(taken(*target, {1, 4, kU8, kS8}) == "smlad");
    CHECK(taken(*target, {1, 2, kS8, kS8}) == "");
    CHECK(taken(*target, {1, 6, kS8, kS8}) == "");
    CHECK(taken(*target, {1, 3, kS16, kS16}) == "");
    CHECK(taken(*target, {1, 2, kU16, kU16}) == "");
    CHECK(taken(*target, {1, 4, kS8, kS16}) == "");
    CHECK(taken(*target, {2, 4, kS8, kS8}) == "");
  }
  CHECK(taken(m3, {1, 2, kS16, kS16}) == "");
  CHECK(taken(m4, {1, 16, kS8, kS8}) == "smlad");
  CHECK(taken(m4, {1, 8, kS16, kS16}) == "smlad");
  CHECK(taken(m55, {1, 16, kS8, kS8}) == "mve.vmldava");
  CHECK(taken(m55, {1, 16, kU8, kU8}) == "mve.vmldava");
  CHECK(taken(m55, {1, 8, kS16, kS16}) == "mve.vmldava");
  CHECK(taken(m55, {1, 8, kU16, kU16}) == "mve.vmldava");
  CHECK(taken(m55, {1, 16, kU8, kS8}) == "");
  CHECK(taken(m55, {1, 32, kS8, kS8}) == "");
  CHECK(taken(m55, {1, 12, kS8, kS8}) == "smlad");
  CHECK(taken(m55, {1, 4, kS16, kS16}) == "smlad");
  CHECK(taken(m55, {1, 8, kU8, kU8}) == "smlad");
}

TEST_CASE("Hexagon multiplies fours of bytes into as many lanes as a register has") {
  const Target hvx = preset_with("hexagon-v67", {Isa::kHvx});
  CHECK(taken(hvx, {4, 4, kU8, kS8}) == "V6.vrmpy");
  CHECK(taken(hvx, {32, 4, kU8, kS8}) == "V6.vrmpy");
  CHECK(taken(hvx, {2, 4, kU8, kS8}) == "");
  CHECK(taken(hvx, {3, 4, kU8, kS8}) == "");
  CHECK(taken(hvx, {64, 4, kU8, kS8}) == "");
  CHECK(taken(hvx, {4, 8, kU8, kS8}) == "");
  CHECK(taken(hvx, {4, 2, kU8, kS8}) == "");
  CHECK(taken(hvx, {4, 4, kS16, kS8}) == "");
  CHECK(taken(hvx, {4, 4, kS8, kS16}) == "");
}

}  // namespace
}  // namespace hlocc::backends
