// Products with weights that are known integers times known scales, made in registers or panel by
// panel: the same as the interpreter's over a grid of shapes, types and groups.
#include <cmath>

#include "lowering/harness.h"
#include "support/text.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

struct Weights {
  int64_t rows, depth, columns, group = 0;  // group 0: a scale a column
  std::string type = "s8";
};

// Integers of the type, with both its ends among them; nested as a constant of those sizes.
std::string numbers(const std::vector<int64_t>& sizes, const std::string& type, int64_t& state,
                    size_t dimension = 0) {
  const bool is_signed = type[0] == 's';
  const int64_t values = type.ends_with("4") ? 16 : 256;
  std::string text = "{";
  for (int64_t n = 0; n < sizes[dimension]; ++n) {
    text += n == 0 ? "" : ",";
    if (dimension + 1 < sizes.size()) {
      text += numbers(sizes, type, state, dimension + 1);
    } else {
      state = (state * 75 + 74) % 65537;
      text += cat(state % values - (is_signed ? values / 2 : 0));
    }
  }
  return text + "}";
}

// Scales are powers of two, so that no sum is rounded.
std::string scales(const std::vector<int64_t>& sizes, int64_t& state, size_t dimension = 0) {
  constexpr const char* kScales[] = {"0.25", "0.5", "1", "2"};
  std::string text = "{";
  for (int64_t n = 0; n < sizes[dimension]; ++n) {
    text += n == 0 ? "" : ",";
    state = (state * 75 + 74) % 65537;
    text += dimension + 1 < sizes.size() ? scales(sizes, state, dimension + 1)
                                         : std::string(kScales[state % 4]);
  }
  return text + "}";
}

std::string product_with(const Weights& w) {
  const std::vector<int64_t> sizes = w.group > 0
                                         ? std::vector{w.depth / w.group, w.group, w.columns}
                                         : std::vector{w.depth, w.columns};
  const std::vector<int64_t> of_scales =
      w.group > 0 ? std::vector{w.depth / w.group, w.columns} : std::vector{w.columns};
  int64_t state = 11;
  const std::string shape = dims(sizes), last = dims({w.depth, w.columns});
  std::string text =
      cat("x = f32", dims({w.rows, w.depth}), " parameter(0)\n q = ", w.type, shape, " constant(",
          numbers(sizes, w.type, state), ")\n f = f32", shape, " convert(q)\n s = f32",
          dims(of_scales), " constant(", scales(of_scales, state), ")\n b = f32", shape,
          " broadcast(s), dimensions=", w.group > 0 ? "{0,2}" : "{1}", "\n m = f32", shape,
          " multiply(f, b)\n");
  if (w.group > 0) text += cat(" w = f32", last, " reshape(m)\n");
  return text + cat(" ROOT r = f32", dims({w.rows, w.columns}), " dot(x, ", w.group > 0 ? "w" : "m",
                    "), lhs_contracting_dims={1}, ", "rhs_contracting_dims={0}");
}

// After all passes, for that machine.
kernel::Program program_of(const std::string& text, const std::string& machine) {
  for (const Machine& m : machines()) {
    if (m.name != machine) continue;
    Result<hlo::Module> passed = transforms::run_passes(module_from(text), m.target);
    REQUIRE(passed);
    return lowered(*passed, m.target);
  }
  FAIL("no such machine");
  return {};
}

int64_t bytes_named(const kernel::Program& program, const std::string& name) {
  int64_t bytes = 0;
  for (const kernel::ProgramValue& value : program.values)
    if (value.role == kernel::ValueRole::kConstant && value.name.find(name) != std::string::npos)
      bytes += value.bytes();
  return bytes;
}

int64_t constant_bytes(const kernel::Program& program) { return bytes_named(program, ""); }

}  // namespace

TEST_CASE("products with dequantised weights of every shape", "[lowering]") {
  for (const std::string type : {"s8", "s4", "u8", "u4"})
    for (const int64_t rows : {1, 2, 5})
      for (const int64_t columns : {8, 13, 32})
        agrees(product_with({rows, 48, columns, 0, type}), Passes::kOnlyAll);
}

TEST_CASE("products with scales of groups of rows", "[lowering]") {
  for (const std::string type : {"s8", "s4"})
    for (const int64_t rows : {1, 2, 9})
      for (const int64_t group : {8, 16, 32})
        for (const int64_t columns : {8, 11})
          agrees(product_with({rows, 96, columns, group, type}), Passes::kOnlyAll);
  agrees(product_with({1, 95, 7, 19, "s8"}), Passes::kOnlyAll);
  agrees(product_with({3, 95, 7, 19, "s4"}), Passes::kOnlyAll);
}

// A convolution of f32[batch, sizes..., inputs] by dequantised weights, with a scale a feature.
struct Filter {
  std::vector<int64_t> sizes, window;
  int64_t inputs, outputs, groups = 1, stride = 1, batch = 1;
  std::string type = "s8", more = {};  // of the window
};

std::string convolution_with(const Filter& f) {
  std::vector<int64_t> input{f.batch}, filter = f.window;
  std::string letters, size, strides, pads;
  for (size_t d = 0; d < f.sizes.size(); ++d) {
    input.push_back(f.sizes[d]);
    letters += cat(d);
    size += cat(d == 0 ? "" : "x", f.window[d]);
    strides += cat(d == 0 ? "" : "x", f.stride);
    pads += cat(d == 0 ? "" : "x", f.window[d] / 2, "_", f.window[d] / 2);
  }
  input.push_back(f.inputs);
  filter.push_back(f.inputs / f.groups);
  filter.push_back(f.outputs);
  int64_t state = 11;
  const std::string shape = dims(filter);
  return cat("x = f32", dims(input), " parameter(0)\n q = ", f.type, shape, " constant(",
             numbers(filter, f.type, state), ")\n f = f32", shape, " convert(q)\n s = f32[",
             f.outputs, "] constant(", scales({f.outputs}, state), ")\n b = f32", shape,
             " broadcast(s), dimensions={", filter.size() - 1, "}\n m = f32", shape,
             " multiply(f, b)\n ROOT r = convolution(x, m), window={size=", size,
             " stride=", strides, " pad=", pads, f.more, "}, dim_labels=b", letters, "f_", letters,
             "io->b", letters, "f, feature_group_count=", f.groups);
}

TEST_CASE("convolutions with dequantised weights", "[lowering]") {
  for (const std::string type : {"s8", "s4"}) {
    for (const int64_t outputs : {8, 13}) {
      agrees(convolution_with({{5, 4}, {1, 1}, 24, outputs, 1, 1, 2, type}), Passes::kOnlyAll);
      for (const int64_t stride : {1, 2})
        agrees(convolution_with({{7, 6}, {3, 3}, 5, outputs, 1, stride, 1, type}),
               Passes::kOnlyAll);
      agrees(convolution_with({{19}, {5}, 8, outputs, 1, 1, 2, type}), Passes::kOnlyAll);
    }
    agrees(convolution_with({{7, 9}, {3, 3}, 40, 40, 40, 1, 1, type}), Passes::kOnlyAll);
    agrees(convolution_with({{7, 9}, {5, 5}, 12, 24, 12, 2, 1, type}), Passes::kOnlyAll);
    agrees(convolution_with({{30}, {9}, 32, 32, 32, 1, 1, type}), Passes::kOnlyAll);
    agrees(convolution_with({{6, 6}, {3, 3}, 16, 16, 4, 1, 1, type}), Passes::kOnlyAll);
    agrees(convolution_with({{6, 8}, {3, 3}, 6, 8, 1, 1, 1, type, " rhs_dilate=2x2"}),
           Passes::kOnlyAll);
  }
}

TEST_CASE("filters take the bytes that the model has, and no array of floats", "[lowering]") {
  const auto scratch = [](const kernel::Program& program) {
    int64_t bytes = 0;
    for (const kernel::ProgramValue& value : program.values)
      if (value.role != kernel::ValueRole::kConstant) bytes = std::max(bytes, value.bytes());
    return bytes;
  };
  const std::string text = convolution_with({{4, 4}, {3, 3}, 32, 64});
  const kernel::Program small = program_of(text, "cortex-m4f");
  CHECK(constant_bytes(small) == 9 * 32 * 64 + 64 * 4);
  CHECK(scratch(small) < 9 * 32 * 64);
  const kernel::Program halves =
      program_of(convolution_with({{4, 4}, {1, 1}, 32, 64, 1, 1, 1, "s4"}), "cortex-m4f");
  CHECK(constant_bytes(halves) == 32 * 64 / 2 + 64 * 4);
  // Results that come one by one want it whole.
  const std::string apart =
      convolution_with({{4, 4}, {3, 3}, 32, 64, 1, 2, 1, "s8", " lhs_dilate=2x2"});
  CHECK(scratch(program_of(apart, "cortex-m4f")) >= 9 * 32 * 64 * 4);
  // Where flash is not dear they are made once, before the convolution.
  CHECK(scratch(program_of(text, "cortex-a53")) >= 9 * 32 * 64 * 4);
}

TEST_CASE("weights take the bytes that the model has", "[lowering]") {
  const kernel::Program bytes = program_of(product_with({4, 64, 32}), "cortex-m4f");
  CHECK(constant_bytes(bytes) == 64 * 32 + 32 * 4);
  const kernel::Program rows = program_of(product_with({4, 64, 32, 16, "s4"}), "cortex-m4f");
  CHECK(constant_bytes(rows) == 64 * 32 / 2 + 4 * 32 * 4);
  CHECK(bytes_named(rows, "nibbles") == 64 * 32 / 2);
  // One row looks its integers up.
  const kernel::Program row = program_of(product_with({1, 64, 32, 16, "s4"}), "cortex-m4f");
  CHECK(constant_bytes(row) == 64 * 32 / 2 + 4 * 32 * 4 + 2048);
  CHECK(bytes_named(row, "pairs") == 2048);
  // Where flash is not dear, they lie one to a byte, and bytes hold what all groups of a column
  // come to at one scale.
  const kernel::Program wide = program_of(product_with({4, 64, 32, 16, "s4"}), "cortex-a53");
  CHECK(bytes_named(wide, "nibbles") == 0);
  CHECK(constant_bytes(wide) == 64 * 32 + 32 * 4);
}

TEST_CASE("products of bytes with weights of four bits", "[lowering]") {
  const auto product = [](int64_t rows, int64_t columns) {
    int64_t state = 4;
    return cat("x = s8", dims({rows, 128}), " parameter(0)\n q = s4", dims({128, columns}),
               " constant(", numbers({128, columns}, "s4", state), ")\n w = s8",
               dims({128, columns}), " convert(q)\n ROOT y = s32", dims({rows, columns}),
               " dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  };
  for (const int64_t rows : {1, 2, 5})
    for (const int64_t columns : {8, 13}) agrees(product(rows, columns), Passes::kOnlyAll);
  CHECK(bytes_named(program_of(product(1, 16), "cortex-m4f"), "nibbles") == 128 * 16 / 2);
  CHECK(constant_bytes(program_of(product(3, 16), "cortex-m4f")) == 128 * 16 / 2);
  CHECK(constant_bytes(program_of(product(3, 16), "cortex-a53")) == 128 * 16);
}

TEST_CASE("no array of floats is made of weights", "[lowering]") {
  for (const std::string machine : {"cortex-m4f", "cortex-a53"})
    for (const int64_t rows : {1, 8})
      CHECK(program_of(product_with({rows, 64, 32}), machine).kernels.size() == 1);
}

TEST_CASE("rows of tables of integers of four bits", "[lowering]") {
  for (const int64_t columns : {6, 7, 16}) {
    int64_t state = 5;
    agrees(cat("i = s32[3] parameter(0)\n t = s4", dims({40, columns}), " constant(",
               numbers({40, columns}, "s4", state), ")\n g = s4", dims({3, columns}),
               " gather(t, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
               "index_vector_dim=1, slice_sizes=",
               list({1, columns}), "\n ROOT f = f32", dims({3, columns}), " convert(g)"));
  }
}

TEST_CASE("views of integers of four bits", "[lowering]") {
  int64_t state = 6;
  const std::string known =
      cat("x = s32[6,5] parameter(0)\n q = s4[5,6] constant(", numbers({5, 6}, "s4", state), ")\n");
  for (const std::string view :
       {" v = s4[6,5] transpose(q), dimensions={1,0}\n",
        " r = s4[5,6] reverse(q), dimensions={1}\n v = s4[6,5] reshape(r)\n",
        " s = s4[5,6] reverse(q), dimensions={0}\n v = s4[6,5] reshape(s)\n"})
    agrees(known + view + " c = s32[6,5] convert(v)\n ROOT y = s32[6,5] add(x, c)");
}

}  // namespace hlocc::tests
