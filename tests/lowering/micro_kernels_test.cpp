// Every row of costs/micro_kernels.h on every kind of target that has it: a grid of products and
// convolutions of bytes, the greatest and least among them, gives what the interpreter gives, with
// the row forced and with the row that is cheapest; and forms just outside of its claims fall to
// others.
#include "costs/micro_kernels.h"

#include <algorithm>

#include "kernel/evaluate/evaluator.h"
#include "lowering/byte_cases.h"
#include "lowering/contraction/packed_product.h"
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using hlo::Literal;
using kernel::Scalar;
using enum kernel::MicroKernel;

// A preset with extensions that it may lack.
Target with_isa(const char* preset_name, std::initializer_list<Isa> more, int vector_bits = 0) {
  Target target = *preset(preset_name);
  for (const Isa isa : more) target.isa.add(isa);
  if (vector_bits > 0) target.vector_bits = vector_bits;
  return target;
}

// x86 as a host has it: the preset's row is filled by LLVM.
Target x86(std::initializer_list<Isa> more, int vector_bits) {
  Target target = with_isa("cortex-a53", more, vector_bits);
  target.isa = {Isa::kSse2};
  for (const Isa isa : more) target.isa.add(isa);
  target.multiply_by_lane = false;
  target.out_of_order = target.masked_vectors = true;
  return target;
}

struct Server {
  kernel::MicroKernel row;
  Target target;
};
std::vector<Server> servers() {
  const Target wide = x86({Isa::kAvx512F, Isa::kAvx512Vl, Isa::kAvx512Vnni}, 512);
  return {{kDotAccumulate2, *preset("cortex-m4")},
          {kDotAccumulate2, *preset("cortex-m7")},
          {kDotAccumulate2InPlace, *preset("cortex-m4f")},
          {kDotAccumulate2Across, x86({Isa::kAvx2}, 256)},
          {kDotAccumulate2Across, x86({}, 128)},
          {kDotAccumulate4Across, with_isa("cortex-a53", {Isa::kDotprod})},
          {kDotAccumulate4Across, *preset("hexagon-v67-hvx")},
          {kDotAccumulate4Offset, wide},
          {kDotAccumulate4Offset, x86({Isa::kAvx2, Isa::kAvxVnni}, 256)},
          {kMatrixAccumulate8, with_isa("cortex-a53", {Isa::kI8mm})},
          {kDotAccumulate16, *preset("cortex-m55")},
          {kPairwiseAccumulate16, *preset("cortex-a53")},
          {kPairwiseAccumulate16, *preset("cortex-a7-linux")},
          {kMultiplyAccumulateOffset, *preset("cortex-m0")}};
}

// Lowered for the target as it chooses, and run at planned places.
void gives_the_same(const std::string& text, const Server& server) {
  const hlo::Module module = module_from(text);
  const std::vector<Literal> arguments = arguments_for(module);
  const kernel::Program program = lowered(module, server.target);
  const std::vector<Literal> got = run_planned(program, server.target, arguments);
  REQUIRE(got.size() == 1);
  const hlo::Comparison same =
      hlo::compare_leaf(got[0], result_of_interpreter(module, arguments), {.exact = true});
  if (!same.ok)
    FAIL(cat(kernel::micro_kernel_name(server.row), " on ", server.target.name, ": ", same.first,
             "\n", text, "\n", kernel::to_text(program)));
}

// The entry's dot by the row, be it the cheapest or not. False: the row does not serve it.
bool forced_dot_gives_the_same(const std::string& text, const Server& server,
                               const lowering::MicroKernelSet& set = {},
                               std::vector<Literal> arguments = {}) {
  const hlo::Module module = module_from(text);
  const hlo::Computation& entry = module.entry_computation();
  const lowering::Group group = lowering::single_group(module, entry, entry.root);
  lowering::Emitter emitter(group, server.target, "dot");
  if (!lowering::multiply_packed_dot(emitter, entry.root, server.row, set)) return false;
  if (emitter.choice.micro_kernel != server.row) return false;
  std::vector<std::vector<std::byte>> bytes;
  if (arguments.empty()) arguments = arguments_for(module);
  const auto derived = emitter.derived();
  const kernel::Kernel kernel = emitter.finish();
  size_t next = 0;
  for (const kernel::Buffer& buffer : kernel.buffers) {
    bytes.emplace_back(buffer.elements * kernel::scalar_bytes(buffer.element));
    if (buffer.name.starts_with("derived")) bytes.back() = *derived[next++].data;
  }
  std::ranges::copy(arguments[0].bytes(), bytes[0].begin());
  const std::vector<std::span<std::byte>> spans(bytes.begin(), bytes.end());
  const Status done = kernel::evaluate(kernel, spans, {});
  if (!done) FAIL(done.error().to_string());
  const Literal expected = result_of_interpreter(module, arguments);
  for (size_t n = 0; n < kernel.buffers.size(); ++n)
    if (kernel.buffers[n].direction == kernel::Direction::kOut &&
        !std::ranges::equal(bytes[n], expected.bytes()))
      FAIL(cat(kernel::micro_kernel_name(server.row), " on ", server.target.name, "\n", text, "\n",
               kernel::to_text(kernel)));
  return true;
}

bool takes(const std::string& text, const Server& server) {
  return forced_dot_gives_the_same(text, server);
}

std::string byte_dot(int64_t rows, int64_t depth, int64_t columns, const std::string& left = "s8",
                     const std::string& right = "s8", const std::string& sum = "s32") {
  return "x = " + left + dims({rows, depth}) +
         " parameter(0)\n w = " + bytes_constant({depth, columns}, right) + "\n ROOT r = " + sum +
         dims({rows, columns}) + " dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
}

std::string byte_convolution(const std::vector<int64_t>& input, const std::vector<int64_t>& filter,
                             const std::vector<int64_t>& output, const std::string& window,
                             const std::string& left = "s8") {
  return "x = " + left + dims(input) + " parameter(0)\n w = " + bytes_constant(filter, "s8") +
         "\n ROOT r = s32" + dims(output) + " convolution(x, w), window={" + window +
         "}, dim_labels=b01f_01io->b01f";
}

}  // namespace

TEST_CASE("dots of bytes by every micro-kernel", "[lowering]") {
  for (const Server& server : servers())
    for (const int64_t rows : {1, 2, 3, 7})
      for (const int64_t depth : {1, 4, 6, 16, 33, 64})
        for (const int64_t columns : {1, 2, 4, 5, 12, 19, 40}) {
          const std::string text = byte_dot(rows, depth, columns);
          gives_the_same(text, server);
          forced_dot_gives_the_same(text, server);
        }
}

TEST_CASE("dots of 16 bits with bytes", "[lowering]") {
  const std::vector<Server> wide = {{kDotAccumulate2, *preset("cortex-m4")},
                                    {kDotAccumulate2, *preset("cortex-m33")},
                                    {kDotAccumulate2Across, x86({Isa::kAvx2}, 256)},
                                    {kDotAccumulate2Across, x86({}, 128)},
                                    {kDotAccumulate8, *preset("cortex-m55")}};
  for (const Server& server : wide) {
    for (const int64_t rows : {1, 2, 7})
      for (const int64_t depth : {2, 4, 6, 8, 16, 33, 64})
        for (const int64_t columns : {1, 2, 4, 5, 12, 19}) {
          const std::string text = byte_dot(rows, depth, columns, "s16");
          gives_the_same(text, server);
          if (columns >= 4 && rows > 1) CHECK(takes(text, server));
        }
    gives_the_same(byte_dot(3, 21, 9, "s16", "u8"), server);
    gives_the_same(
        byte_convolution({1, 6, 5, 4}, {3, 3, 4, 6}, {1, 6, 5, 6}, "size=3x3 pad=1_1x1_1", "s16"),
        server);
    gives_the_same(byte_convolution({1, 6, 5, 4}, {3, 3, 4, 6}, {1, 3, 2, 6},
                                    "size=3x3 stride=2x2 pad=0_1x1_0", "s16"),
                   server);
    // Weights of 16 bits, sums of other types, one step: not these.
    CHECK_FALSE(takes("x = s16[3,16] parameter(0)\n w = " + constant({16, 8}, "s16") +
                          "\n ROOT r = s32[3,8] dot(x, w), lhs_contracting_dims={1}, "
                          "rhs_contracting_dims={0}",
                      server));
    CHECK_FALSE(takes(byte_dot(3, 16, 8, "s16", "s8", "s64"), server));
    CHECK_FALSE(takes(byte_dot(3, 1, 8, "s16"), server));
    CHECK_FALSE(takes(byte_dot(3, 16, 8, "u16"), server));
  }
  // Rows of bytes alone.
  for (const Server& server : servers())
    if (server.row != kDotAccumulate2 && server.row != kDotAccumulate2Across)
      CHECK_FALSE(takes(byte_dot(3, 16, 8, "s16"), server));
}

TEST_CASE("dots of bytes without sign", "[lowering]") {
  for (const Server& server : servers())
    for (const auto& [left, right] :
         std::vector<std::pair<std::string, std::string>>{{"u8", "s8"}, {"u8", "u8"}, {"s8", "u8"}})
      for (const int64_t depth : {8, 21})
        gives_the_same(byte_dot(3, depth, 9, left, right), server);
}

// Eight steps apart: 16 bits hold no sum of two such products.
TEST_CASE("the least bytes meet the least bytes", "[lowering]") {
  constexpr int64_t kDepth = 40, kColumns = 5;
  for (const Server& server : servers())
    for (const int64_t distance : {0, 1, 8, 16}) {
      std::vector<std::string> rows;
      for (int64_t k = 0; k < kDepth; ++k) {
        std::vector<std::string> row;
        for (int64_t c = 0; c < kColumns; ++c)
          row.push_back(distance == 0 || k % 16 == 3 || k % 16 == (3 + distance) % 16 ? "-128"
                                                                                      : "-127");
        rows.push_back("{" + join(row, ", ") + "}");
      }
      const std::string text =
          "x = s8[3,40] parameter(0)\n w = s8[40,5] constant({" + join(rows, ", ") +
          "})\n ROOT r = s32[3,5] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
      Literal least = arguments_for(module_from(text))[0];
      std::ranges::fill(least.mutable_data<int8_t>(), int8_t{-128});
      forced_dot_gives_the_same(text, server, {}, {least});
    }
}

TEST_CASE("convolutions of bytes by every micro-kernel", "[lowering]") {
  for (const Server& server : servers()) {
    for (const int64_t inputs : {1, 3, 4, 8, 17})
      for (const int64_t outputs : {1, 6, 16}) {
        gives_the_same(byte_convolution({2, 4, 5, inputs}, {1, 1, inputs, outputs},
                                        {2, 4, 5, outputs}, "size=1x1"),
                       server);
        gives_the_same(byte_convolution({1, 5, 6, inputs}, {3, 3, inputs, outputs},
                                        {1, 5, 6, outputs}, "size=3x3 pad=1_1x1_1"),
                       server);
        gives_the_same(byte_convolution({2, 7, 5, inputs}, {2, 3, inputs, outputs},
                                        {2, 3, 2, outputs}, "size=2x3 stride=2x2"),
                       server);
        gives_the_same(
            byte_convolution({1, 6, 9, inputs}, {2, 3, inputs, outputs}, {1, 6, 4, outputs},
                             "size=2x3 pad=2_1x1_2 stride=1x2 rhs_dilate=3x2"),
            server);
      }
    // A window that no pixel has inside; one row; wide windows.
    gives_the_same(
        byte_convolution({1, 2, 2, 3}, {4, 4, 3, 5}, {1, 2, 2, 5}, "size=4x4 pad=2_1x1_2"), server);
    gives_the_same(
        byte_convolution({1, 1, 20, 1}, {1, 11, 1, 6}, {1, 1, 20, 6}, "size=1x11 pad=0_0x5_5"),
        server);
    gives_the_same(
        byte_convolution({1, 3, 4, 4}, {3, 3, 4, 7}, {1, 3, 4, 7}, "size=3x3 pad=1_1x1_1", "u8"),
        server);
  }
}

// Each server, and those of pairs where rows in scratch may take fewer bytes.
std::vector<Server> servers_of_few_bytes() {
  std::vector<Server> out = servers();
  for (const int64_t bytes : {0, 300, 500, 800, 1100, 1600, 2400, 4000}) {
    out.push_back({kDotAccumulate2, *preset("cortex-m4f")});
    out.back().target.decisions.packed_bytes = bytes;
  }
  return out;
}

// Pixels of a tile whose windows overlap, and what stands just outside of that.
TEST_CASE("convolutions whose windows share columns", "[lowering]") {
  for (const Server& server : servers_of_few_bytes()) {
    const auto check = [&](const std::vector<int64_t>& input, const std::vector<int64_t>& window,
                           const std::vector<int64_t>& output, const std::string& how) {
      const int64_t inputs = input[3], outputs = output[3];
      gives_the_same(byte_convolution(input, {window[0], window[1], inputs, outputs}, output,
                                      cat("size=", window[0], "x", window[1], " ", how)),
                     server);
    };
    for (const int64_t inputs : {16, 32, 64})
      for (const int64_t width : {4, 5, 6})
        check({2, 4, width, inputs}, {3, 3}, {2, 4, width, 8}, "pad=1_1x1_1");
    for (const int64_t stride : {2, 3})
      check({1, 9, 4 * stride, 16}, {3, 3}, {1, 4, 4, 6}, cat("stride=2x", stride, " pad=0_0x0_1"));
    check({1, 7, 9, 8}, {2, 4}, {1, 7, 8, 4}, "pad=2_1x1_1 rhs_dilate=3x1");
    check({1, 3, 4, 16}, {1, 2}, {1, 3, 4, 5}, "pad=0_0x0_1");
    check({1, 2, 2, 16}, {5, 5}, {1, 2, 2, 4}, "pad=2_2x2_2");
    check({1, 1, 4, 16}, {1, 3}, {1, 1, 10, 4}, "pad=0_0x4_4");
    check({1, 1, 8, 64}, {1, 3}, {1, 1, 8, 1}, "pad=0_0x1_1");
    check({1, 1, 8, 64}, {1, 3}, {1, 1, 8, 3}, "pad=0_0x1_1");
  }
}

// Four pixels in pairs, four one by one, two, one: the first whose bytes are allowed.
TEST_CASE("windows share columns in the bytes that are allowed", "[lowering]") {
  const auto scratch_bytes = [](int64_t width, int64_t stride, std::optional<int64_t> bytes) {
    Target target = *preset("cortex-m4f");
    target.decisions.packed_bytes = bytes;
    const kernel::Program program = lowered(
        module_from(byte_convolution({1, 1, width, 64}, {1, 3, 64, 8}, {1, 1, width / stride, 8},
                                     cat("size=1x3 stride=1x", stride, " pad=0_0x1_1"))),
        target);
    REQUIRE(program.kernels.size() == 1);
    int64_t scratch = 0;
    for (const kernel::Buffer& buffer : program.kernels[0].buffers)
      if (buffer.direction == kernel::Direction::kScratch)
        scratch += buffer.elements * kernel::scalar_bytes(buffer.element);
    return scratch;
  };
  // A column has 64 steps of two bytes. Pairs: five of six columns, each beside its neighbour.
  constexpr int64_t kColumn = 128;
  CHECK(scratch_bytes(16, 1, {}) == 10 * kColumn);
  CHECK(scratch_bytes(16, 1, 10 * kColumn) == 10 * kColumn);
  CHECK(scratch_bytes(16, 1, 10 * kColumn - 1) == 6 * kColumn);
  CHECK(scratch_bytes(16, 1, 6 * kColumn) == 6 * kColumn);
  CHECK(scratch_bytes(16, 1, 6 * kColumn - 1) == 4 * kColumn);
  CHECK(scratch_bytes(16, 1, 4 * kColumn) == 4 * kColumn);
  CHECK(scratch_bytes(16, 1, 4 * kColumn - 1) == 3 * kColumn);
  // Every second pixel: nine columns, of which pairs have seven.
  CHECK(scratch_bytes(16, 2, {}) == 14 * kColumn);
  CHECK(scratch_bytes(16, 2, 14 * kColumn - 1) == 9 * kColumn);
  CHECK(scratch_bytes(16, 2, 9 * kColumn - 1) == 5 * kColumn);
  // Four don't divide six pixels; no two windows share every third pixel's columns.
  CHECK(scratch_bytes(6, 1, 10 * kColumn) == 4 * kColumn);
  CHECK(scratch_bytes(18, 3, 4 * kColumn) == 3 * kColumn);
}

// The last pixels of 1x1 convolutions are made twice (costs::choose_overlapping_tile), but not
// where what is written may stand on what is read.
TEST_CASE("pixels made twice", "[lowering]") {
  for (const char* name : {"rv32imc", "rv32imafc", "cortex-m3", "cortex-m0"})
    for (const int64_t height : {25, 24, 3}) {
      const Server server{kOuterProduct, *preset(name)};
      const std::string text =
          byte_convolution({1, height, 5, 6}, {1, 1, 6, 16}, {1, height, 5, 16}, "size=1x1");
      gives_the_same(text, server);
      const std::string shape = "s32" + dims({1, height, 5, 16}),
                        sum = text.substr(0, text.find("ROOT")) +
                              text.substr(text.find("ROOT") + 5) + "\n y = " + shape +
                              " parameter(1)\n ROOT t = " + shape + " add(r, y)";
      gives_the_same(sum, server);
    }
}

// What follows is fused, with all that it asks by feature, by pixel and by element.
TEST_CASE("micro-kernels with epilogues", "[lowering]") {
  for (const Server& server : servers()) {
    gives_the_same("x = s8[1,3,5,8] parameter(0)\n w = " + bytes_constant({1, 1, 8, 6}, "s8") +
                       "\n c = s32[1,3,5,6] convolution(x, w), window={size=1x1}, "
                       "dim_labels=b01f_01io->b01f\n b = s32[6] constant({1,-20,300,4,-5000,60})\n"
                       " bb = s32[1,3,5,6] broadcast(b), dimensions={3}\n"
                       " ROOT r = s32[1,3,5,6] add(c, bb)",
                   server);
    gives_the_same("x = s8[2,3,4,5] parameter(0)\n w = " + bytes_constant({1, 1, 5, 6}, "s8") +
                       "\n c = s32[2,3,4,6] convolution(x, w), window={size=1x1}, "
                       "dim_labels=b01f_01io->b01f\n i = s32[3] iota(), iota_dimension=0\n"
                       " bi = s32[2,3,4,6] broadcast(i), dimensions={1}\n"
                       " ROOT r = s32[2,3,4,6] multiply(c, bi)",
                   server);
  }
}

// A row that nobody has: tiles of three rows by four columns by two steps, on a chip that has no
// instruction for them.
namespace own {

using namespace lowering;

constexpr int kRows = 3, kColumns = 4, kKStep = 2;

Accumulators start(Emitter& e, const Tile&, const Beginning&) {
  return {e.b.zero({Scalar::kS32, kRows * kColumns})};
}
Accumulators step(Emitter& e, const Tile& tile, Accumulators sums, const Operands& operands,
                  const Affine& k) {
  const WeightStream& stream = *operands.stream;
  kernel::ValueId rows = e.b.zero({Scalar::kS8, kRows * kKStep});
  for (int r = 0; r < kRows; ++r) {
    const kernel::ValueId k_step = operands.a(r, k, kKStep).re;
    for (int n = 0; n < kKStep; ++n)
      rows = e.b.insert(rows, e.b.extract(k_step, n), r * kKStep + n);
  }
  const kernel::ValueId columns = e.b.load(
      stream.weights, tile.column.times(stream.depth).plus(k.times(kColumns)), kColumns * kKStep);
  return {e.b.matrix_accumulate(sums[0], rows, columns)};
}
Element finish(Emitter& e, const Tile&, const Accumulators& sums, int row, int column) {
  const int first = row * kColumns + column;
  return {e.b.shuffle(sums[0], sums[0], {first, first + 1, first + 2, first + 3})};
}

// In the place of another row.
constexpr kernel::MicroKernel kPlace = kMatrixAccumulate8;
constexpr costs::MicroKernel kRow = {kPlace,
                                     kKStep,
                                     costs::LeftForm::kBytes,
                                     costs::RightForm::kBytes,
                                     [](const costs::ContractionForm& form, const Target&) {
                                       return form.rows % kRows == 0 &&
                                              form.columns % kColumns == 0 && form.right_known;
                                     },
                                     [](const costs::ContractionForm&, const Target&) {
                                       return costs::MicroTile{kRows, 1, kColumns};
                                     },
                                     [](const costs::ContractionForm&, const costs::MicroTile&,
                                        const Target&) { return costs::MicroCost{.cycles = 1}; }};
constexpr MicroKernelEmitter kEmitter = {pack_k_steps, start, step, lanes_across, finish};

}  // namespace own

TEST_CASE("a micro-kernel that a test brings", "[lowering]") {
  const auto at = static_cast<size_t>(own::kPlace);
  std::vector<costs::MicroKernel> rows(costs::micro_kernels().begin(),
                                       costs::micro_kernels().end());
  std::vector<const lowering::MicroKernelEmitter*> emitters(
      lowering::micro_kernel_emitters().begin(), lowering::micro_kernel_emitters().end());
  rows[at] = own::kRow;
  emitters[at] = &own::kEmitter;
  for (const char* chip : {"cortex-m0", "cortex-a53"})
    for (const int64_t depth : {1, 2, 7, 32})
      for (const int64_t rows_of : {3, 6})
        for (const int64_t columns : {4, 12}) {
          const Server server{own::kPlace, *preset(chip)};
          CHECK(forced_dot_gives_the_same(byte_dot(rows_of, depth, columns), server,
                                          {rows, emitters}));
        }
}

TEST_CASE("what a micro-kernel does not claim", "[lowering]") {
  for (const Server& server : servers()) {
    CAPTURE(kernel::micro_kernel_name(server.row), server.target.name);
    CHECK(takes(byte_dot(3, 16, 8), server));
    // Sums of 8 bits wrap early, wide numbers do not fit, and a right side that is not known cannot
    // be packed.
    CHECK(!takes(byte_dot(3, 16, 8, "s8", "s8", "s8"), server));
    CHECK(
        !takes("x = s8[3,16] parameter(0)\n w = s8[16,8] parameter(1)\n ROOT r = s32[3,8] dot(x, "
               "w), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
               server));
    CHECK(!takes("x = s16[3,16] parameter(0)\n w = " + constant({16, 8}, "s16") +
                     "\n ROOT r = s32[3,8] dot(x, w), lhs_contracting_dims={1}, "
                     "rhs_contracting_dims={0}",
                 server));
    Target without = server.target;
    without.isa = {};
    without.scalar_registers = 12;
    CHECK(!takes(byte_dot(3, 16, 8), {server.row, without}));
  }
}

TEST_CASE("the cheapest micro-kernel", "[lowering]") {
  const auto chosen = [](const Target& target, int64_t rows, int64_t depth, int64_t columns) {
    return costs::choose_micro_kernel({.left = Scalar::kS8,
                                       .right = Scalar::kS8,
                                       .sum = Scalar::kS32,
                                       .rows = rows,
                                       .depth = depth,
                                       .columns = columns,
                                       .left_contiguous = true,
                                       .right_known = true},
                                      target)
        .kernel->id;
  };
  for (const Server& server : servers()) {
    if (server.row != kDotAccumulate2InPlace)
      CHECK(chosen(server.target, 125, 64, 64) == server.row);
    // One step has nothing that several could be taken of.
    CHECK(chosen(server.target, 9, 1, 4) == kOuterProduct);
  }
  // One row alone is brought to scratch as far as the stack has room.
  CHECK(chosen(*preset("cortex-m4"), 1, 508, 128) == kDotAccumulate2);
  CHECK(chosen(*preset("cortex-m4"), 1, 512, 128) == kDotAccumulate2InPlace);
  CHECK(chosen(*preset("cortex-m4"), 2, 128, 128) == kDotAccumulate2);
  // Where code is dear, and of cores whose tiles have more registers, or whose numbers are narrow.
  Target small = *preset("cortex-m0");
  small.options.level = Level::kOs;
  CHECK(chosen(small, 125, 64, 64) == kOuterProduct);
  CHECK(chosen(*preset("cortex-m0"), 125, 15, 64) == kOuterProduct);
  CHECK(chosen(*preset("cortex-m0"), 125, 16, 64) == kMultiplyAccumulateOffset);
  Target roomy = *preset("cortex-m0");
  roomy.scalar_registers = 8;
  CHECK(chosen(roomy, 125, 64, 64) == kOuterProduct);
  CHECK(chosen(*preset("avr-mega2560"), 125, 64, 64) == kOuterProduct);
  for (const char* neon : {"cortex-a53", "cortex-a7-linux"})
    for (const int rows : {1, 125})
      CHECK(chosen(*preset(neon), rows, 64, 64) == kPairwiseAccumulate16);
  for (const char* plain : {"cortex-m3", "rv32imc", "riscv64v-linux"})
    CHECK(chosen(*preset(plain), 125, 64, 64) == kOuterProduct);
}

}  // namespace hlocc::tests
