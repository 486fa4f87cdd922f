// Contractions in groups of threads: over a grid of sizes on both sides of the tiles' borders they
// give what the interpreter gives, on rows of GPUs with little and with much room; what lies just
// outside goes another way; and faults that are put into such a kernel are found.
#include "costs/shared_tiles.h"

#include "kernel/evaluate/evaluator.h"
#include "kernel/mapped.h"
#include "kernel/ranges/prove_groups.h"
#include "kernel/verifier.h"
#include "lowering/harness.h"
#include "support/text.h"
#include "target/gpu.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

Target gpu_row(const std::string& name) { return target_of(**find_gpu(name), {}); }

const std::vector<std::string> kRowsOfGpus = {"vulkan-generic", "vulkan-v3d", "vulkan-nvidia"};

void agrees_on_gpus(const std::string& text) {
  for (const std::string& row : kRowsOfGpus)
    agrees_on(module_from(text), {row, gpu_row(row)}, {.exact = true});
}

std::string way_on_gpu(const std::string& text, const std::string& row = "vulkan-generic") {
  return lowered(module_from(text), gpu_row(row)).kernels.front().choice.to_string();
}

struct Sides {
  std::vector<int64_t> left, right, result;
  std::string attributes = "lhs_contracting_dims={1}, rhs_contracting_dims={0}", type = "f32";

  std::string text(const std::string& after = "ROOT r = ") const {
    return cat(" a = ", type, dims(left), " parameter(0)\n b = ", type, dims(right),
               " parameter(1)\n ", after, type == "s8" ? "s32" : type, dims(result), " dot(a, b), ",
               attributes, "\n");
  }
};
std::string plain_dot(int64_t rows, int64_t depth, int64_t columns, const std::string& type) {
  return Sides{
      .left = {rows, depth}, .right = {depth, columns}, .result = {rows, columns}, .type = type}
      .text();
}

std::string picture(const std::string& type, const std::string& filter, const std::string& window,
                    const std::vector<int64_t>& input, const std::vector<int64_t>& output) {
  return cat(" x = ", type, dims(input), " parameter(0)\n w = ", filter,
             "\n ROOT r = ", type == "s8" ? "s32" : type, dims(output),
             " convolution(x, w), window={", window, "}, dim_labels=b01f_01io->b01f\n");
}

// The kernel of a dot in 33 rows and columns with 17 steps: every side is cut within a tile.
kernel::Kernel cut_kernel() {
  return lowered(module_from(plain_dot(33, 17, 33, "f32")), gpu_row("vulkan-generic")).kernels[0];
}

std::string fault_of(const kernel::Kernel& kernel) {
  std::vector<std::vector<std::byte>> bytes;
  for (int n = 0; n < kernel.bound_buffers(); ++n)
    bytes.emplace_back(static_cast<size_t>(kernel.buffers[n].elements * 4), std::byte{0});
  const std::vector<std::span<std::byte>> spans(bytes.begin(), bytes.end());
  const Status done = kernel::evaluate(kernel, spans, {});
  return done.ok() ? "" : done.error().message;
}

// Calls `change` with each op of that kind and its number; where it says so, the op is taken out.
void for_each_op(kernel::Region& region, kernel::OpKind kind,
                 const std::function<bool(kernel::Op&)>& change) {
  std::erase_if(region.ops, [&](kernel::Op& op) {
    for (kernel::Region& inner : op.regions) for_each_op(inner, kind, change);
    return op.kind == kind && change(op);
  });
}

}  // namespace

TEST_CASE("dots in shared tiles, on both sides of each border", "[lowering]") {
  for (const std::string type : {"f32", "s8"})
    for (const int64_t rows : {8, 31, 32, 65})
      for (const int64_t columns : {9, 16, 33})
        for (const int64_t depth : {16, 17, 48}) {
          const std::string text = plain_dot(rows, depth, columns, type);
          CHECK(way_on_gpu(text) == "dot in shared tiles");
          agrees_on_gpus(text);
        }
}

TEST_CASE("dots in shared tiles of any dimension numbers", "[lowering]") {
  agrees_on_gpus(Sides{.left = {20, 9},
                       .right = {20, 11},
                       .result = {9, 11},
                       .attributes = "lhs_contracting_dims={0}, rhs_contracting_dims={0}"}
                     .text());
  agrees_on_gpus(Sides{.left = {9, 20},
                       .right = {11, 20},
                       .result = {9, 11},
                       .attributes = "lhs_contracting_dims={1}, rhs_contracting_dims={1}"}
                     .text());
  const Sides batched = {.left = {3, 2, 10, 5, 6},
                         .right = {6, 3, 4, 3, 5},
                         .result = {3, 2, 10, 4, 3},
                         .attributes =
                             "lhs_batch_dims={0}, rhs_batch_dims={1}, "
                             "lhs_contracting_dims={3,4}, rhs_contracting_dims={4,0}"};
  CHECK(way_on_gpu(batched.text()) == "dot in shared tiles");
  agrees_on_gpus(batched.text());
  // What follows stands behind the sums of a thread, in the place of what it adds.
  agrees_on_gpus(Sides{.left = {24, 40}, .right = {40, 24}, .result = {24, 24}}.text("d = ") +
                 " c = f32[24,24] parameter(2)\n s = f32[24,24] add(d, c)\n"
                 " ROOT t = f32[24,24] maximum(s, c)\n");
}

TEST_CASE("which dots are shared", "[lowering]") {
  const std::string shared = "dot in shared tiles";
  CHECK(way_on_gpu(plain_dot(8, 16, 8, "f32")) == shared);
  CHECK(way_on_gpu(plain_dot(7, 16, 8, "f32")) == "dot");
  CHECK(way_on_gpu(plain_dot(8, 15, 8, "f32")) == "dot");
  CHECK(way_on_gpu(plain_dot(8, 16, 7, "f32")) == "dot");
  CHECK(way_on_gpu(plain_dot(8, 16, 8, "f64")) == "dot");
  CHECK(way_on_gpu(plain_dot(8, 16, 8, "c64")) == "dot");
  CHECK(lowered(module_from(plain_dot(8, 16, 8, "f32")), *preset("cortex-m4f"))
            .kernels.front()
            .choice.to_string() == "dot");
}

TEST_CASE("convolutions in shared tiles", "[lowering]") {
  const std::string ways = "shared tiles";
  const auto both = [&](const std::string& text) {
    CHECK(way_on_gpu(text) == ways);
    agrees_on_gpus(text);
  };
  for (const std::string type : {"f32", "s8"}) {
    const std::string filter = constant({3, 3, 5, 9}, type);
    both(picture(type, filter, "size=3x3 pad=1_1x1_1", {2, 6, 5, 5}, {2, 6, 5, 9}));
    both(picture(type, filter, "size=3x3 stride=2x1 pad=0_1x2_0", {1, 9, 7, 5}, {1, 4, 7, 9}));
    both(picture(type, filter, "size=3x3 rhs_dilate=2x1 pad=2_2x1_1", {1, 6, 6, 5}, {1, 6, 6, 9}));
    both(picture(type, filter, "size=3x3 lhs_dilate=2x2 pad=1_1x1_1", {1, 4, 4, 5}, {1, 7, 7, 9}));
    both(picture(type, filter, "size=3x3 rhs_reversal=1x1", {1, 8, 8, 5}, {1, 6, 6, 9}));
    both(picture(type, constant({1, 1, 20, 12}, type), "size=1x1", {1, 5, 7, 20}, {1, 5, 7, 12}));
  }
  // Unknown weights may be infinite, and beside the input stand zeros; inside of it they do not.
  const std::string unknown = "f32[3,3,5,9] parameter(1)";
  both(picture("f32", unknown, "size=3x3", {1, 8, 8, 5}, {1, 6, 6, 9}));
  CHECK(way_on_gpu(picture("f32", unknown, "size=3x3 pad=1_0x0_0", {1, 8, 8, 5}, {1, 7, 6, 9})) !=
        ways);
  both(picture("s8", "s8[3,3,5,9] parameter(1)", "size=3x3 pad=1_0x0_0", {1, 8, 8, 5},
               {1, 7, 6, 9}));
}

TEST_CASE("a barrier left out of a contraction is found", "[lowering]") {
  const kernel::Kernel sound = cut_kernel();
  CHECK(fault_of(sound) == "");
  int barriers = 0;
  kernel::Kernel counted = sound;
  for_each_op(counted.body, kernel::OpKind::kBarrier, [&](kernel::Op&) { return ++barriers < 0; });
  REQUIRE(barriers == 2);
  for (int left_out = 0; left_out < barriers; ++left_out) {
    kernel::Kernel broken = sound;
    int number = 0;
    for_each_op(broken.body, kernel::OpKind::kBarrier,
                [&](kernel::Op&) { return number++ == left_out; });
    CHECK(kernel::verify(broken).ok());
    CHECK_THAT(fault_of(broken), Catch::Contains("with no barrier between"));
  }
}

TEST_CASE("grids of a contraction that overlap, and offsets off by one, are found", "[lowering]") {
  const kernel::Kernel sound = cut_kernel();
  CHECK(kernel::prove_groups(sound, {}, {}) == kernel::RangesProof::kApart);
  int grids = 0;
  for (int wanted = 0; wanted < 2; ++wanted) {
    kernel::Kernel broken = sound;
    int number = 0;
    for_each_op(broken.body, kernel::OpKind::kLoop, [&](kernel::Op& op) {
      auto& loop = std::get<kernel::Loop>(op.payload);
      if (loop.mapping == kernel::Mapping::kGrid && number++ == wanted) ++grids, --loop.step;
      return false;
    });
    CHECK(kernel::prove_groups(broken, {}, {}) == kernel::RangesProof::kNone);
    CHECK_THAT(fault_of(broken), Catch::Contains("uses too"));
  }
  CHECK(grids == 2);
  int stores = 0;
  kernel::Kernel counted = sound;
  for_each_op(counted.body, kernel::OpKind::kStore, [&](kernel::Op&) { return ++stores < 0; });
  for (int wanted = 0; wanted < stores; ++wanted) {
    kernel::Kernel broken = sound;
    int number = 0;
    for_each_op(broken.body, kernel::OpKind::kStore, [&](kernel::Op& op) {
      if (number++ == wanted) ++std::get<kernel::Access>(op.payload).at.offset;
      return false;
    });
    CHECK(fault_of(broken) != "");
  }
}

}  // namespace hlocc::tests
