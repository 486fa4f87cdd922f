// A decoder's step keeps the keys and values of all layers in two donated arrays. However a program
// spells their update, they are updated where they lie and read from there: the arena holds no
// layer of them. One that is not donated shows what is spared.
#include <catch2/catch.hpp>
#include <random>

#include "driver/pipeline/pipeline.h"
#include "import/reader.h"
#include "interpreter/interpreter.h"
#include "package/names.h"
#include "planning/execute.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

constexpr int64_t kLayerBytes = 64 * 2 * 4 * 4;  // 64 tokens, two heads of four f32

// Every `from` as `to`.
std::string with(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string weights() {
  std::string rows;
  for (int row = 0; row < 8; ++row) {
    rows += row == 0 ? "{" : ",{";
    for (int column = 0; column < 8; ++column)
      rows += cat(column == 0 ? "" : ",", (row * 3 + column * 5) % 7 - 3, ".25");
    rows += "}";
  }
  return cat(" w = f32[8,8] constant({", rows, "})\n");
}

// Attention of layer `n` over the arrays `k` and `v` of its own; x of the layer before.
std::string attention(const std::string& n, const std::string& before) {
  const std::string text =
      " pN = f32[1,8] dot(xB, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
      " qN = f32[2,4] reshape(pN)\n"
      " sN = f32[2,64] dot(qN, kN), lhs_batch_dims={0}, lhs_contracting_dims={1}, "
      "rhs_batch_dims={1}, rhs_contracting_dims={2}\n"
      " aN = f32[2,64] tanh(sN)\n"
      " oN = f32[2,4] dot(aN, vN), lhs_batch_dims={0}, lhs_contracting_dims={1}, "
      "rhs_batch_dims={1}, rhs_contracting_dims={0}\n"
      " rN = f32[1,8] reshape(oN)\n"
      " xN = f32[1,8] tanh(rN)\n";
  return with(with(text, "N", n), "B", before);
}

// Layer `n` of the donated array `name`, with the row that x makes at `pos`, as `k` or `v` of the
// layer.
std::string updated(const std::string& name, int n, const std::string& before) {
  const std::string text =
      " uAN = f32[1,2,4] reshape(xB)\n"
      " tAN = f32[1,64,2,4] slice(AA), slice={[N:M], [0:64], [0:2], [0:4]}\n"
      " cAN = f32[64,2,4] reshape(tAN)\n"
      " AN = f32[64,2,4] dynamic-update-slice(cAN, uAN, pos, z, z)\n"
      " dAN = f32[1,64,2,4] reshape(AN)\n";
  std::string own = with(text, "AA", cat(name, "s"));
  own = with(own, "M", std::to_string(n + 1));
  own = with(with(own, "A", name), "N", std::to_string(n));
  return with(own, "B", before);
}

std::string entry(const std::string& alias, const std::string& lines) {
  return cat("HloModule m", alias,
             "\nENTRY e {\n ks = f32[2,64,2,4] parameter(0)\n vs = f32[2,64,2,4] parameter(1)\n"
             " x = f32[1,8] parameter(2)\n pos = s32[] parameter(3)\n z = s32[] constant(0)\n"
             " one = s32[] constant(1)\n",
             weights(), lines,
             " ROOT t = (f32[1,8], f32[2,64,2,4], f32[2,64,2,4]) tuple(x1, kn, vn) }\n");
}

const char* const kDonated =
    ", input_output_alias={ {1}: (0, {}, may-alias), {2}: (1, {}, "
    "may-alias) }";

std::string layers() {
  return updated("k", 0, "") + updated("v", 0, "") + attention("0", "") + updated("k", 1, "0") +
         updated("v", 1, "0") + attention("1", "0");
}

std::string stacked(const std::string& alias = kDonated) {
  return entry(alias, layers() +
                          " kn = f32[2,64,2,4] concatenate(dk0, dk1), dimensions={0}\n"
                          " vn = f32[2,64,2,4] concatenate(dv0, dv1), dimensions={0}\n");
}

std::string written_back() {
  return entry(kDonated, layers() +
                             " kb = f32[2,64,2,4] dynamic-update-slice(ks, dk0, z, z, z, z)\n"
                             " vb = f32[2,64,2,4] dynamic-update-slice(vs, dv0, z, z, z, z)\n"
                             " kn = f32[2,64,2,4] dynamic-update-slice(kb, dk1, one, z, z, z)\n"
                             " vn = f32[2,64,2,4] dynamic-update-slice(vb, dv1, one, z, z, z)\n");
}

// A scan: the layers' caches come from one array and go to another, which begins as zeros.
std::string scanned() {
  const std::string state =
      "(s32[], f32[1,8], f32[2,64,2,4], f32[2,64,2,4], f32[2,64,2,4], f32[2,64,2,4], s32[])";
  std::string body = "body { p = " + state + " parameter(0)\n";
  const char* const names[] = {"l = s32[]",          "x = f32[1,8]",       "ks = f32[2,64,2,4]",
                               "vs = f32[2,64,2,4]", "ky = f32[2,64,2,4]", "vy = f32[2,64,2,4]",
                               "pos = s32[]"};
  for (size_t i = 0; i < std::size(names); ++i)
    body += cat(" ", names[i], " get-tuple-element(p), index=", i, "\n");
  body += " z = s32[] constant(0)\n one = s32[] constant(1)\n next = s32[] add(l, one)\n";
  body += weights();
  for (const char* name : {"k", "v"}) {
    const std::string taken = with(updated(name, 0, ""), "slice={[0:1], [0:64], [0:2], [0:4]}",
                                   "dynamic_slice_sizes={1,64,2,4}");
    body += with(taken, cat(" slice(", name, "s)"), cat(" dynamic-slice(", name, "s, l, z, z, z)"));
    body += cat(" ", name, "n = f32[2,64,2,4] dynamic-update-slice(", name, "y, d", name,
                "0, l, z, z, z)\n");
  }
  body += attention("0", "") + " ROOT t = " + state + " tuple(next, x0, ks, vs, kn, vn, pos) }\n";
  const std::string turn =
      "turn { p = " + state +
      " parameter(0)\n l = s32[] get-tuple-element(p), index=0\n"
      " m = s32[] constant(2)\n ROOT c = pred[] compare(l, m), direction=LT }\n";
  const std::string lines =
      " f = f32[] constant(0)\n y = f32[2,64,2,4] broadcast(f), dimensions={}\n s = " + state +
      " tuple(z, x, ks, vs, y, y, pos)\n loop = " + state +
      " while(s), condition=turn, body=body\n x1 = f32[1,8] get-tuple-element(loop), index=1\n"
      " kn = f32[2,64,2,4] get-tuple-element(loop), index=4\n"
      " vn = f32[2,64,2,4] get-tuple-element(loop), index=5\n";
  std::string text = entry(kDonated, lines);
  return text.insert(text.find("ENTRY"), body + turn);
}

driver::Planned planned(const hlo::Module& module, const Target& chip) {
  const Result<kernel::Signature> signature = package::make_signature(module, chip.options);
  REQUIRE(signature.ok());
  Result<driver::Planned> made = driver::plan_module(module, *signature, chip, {});
  if (!made) FAIL(made.error().to_string());
  return std::move(made).value();
}

Target chip_of(const char* name) {
  Target chip = *preset(name);
  chip.options.stem = "m";
  return chip;
}

hlo::Module read(const std::string& text) {
  auto read = import::read_model(std::as_bytes(std::span(text)), "m.hlo");
  if (!read) FAIL(read.error().to_string() << text);
  return std::move(read->module);
}

std::vector<hlo::Literal> arguments_of(const hlo::Module& module, int64_t position) {
  std::mt19937 random(7);
  std::vector<hlo::Literal> arguments;
  for (const hlo::Shape& shape : module.entry_parameters) {
    hlo::Literal value = hlo::Literal::zeros(hlo::with_default_layout(shape));
    if (shape.element_type == hlo::PrimitiveType::kF32)
      for (float& x : value.mutable_data<float>())
        x = static_cast<float>(static_cast<int>(random() % 17) - 8) / 8;
    else
      value.mutable_data<int32_t>()[0] = static_cast<int32_t>(position);
    arguments.push_back(std::move(value));
  }
  return arguments;
}

// At planned places, what the interpreter computes of the module as it was; at positions beyond the
// cache, too.
void check_results(const hlo::Module& module, const driver::Planned& made, int64_t position) {
  const std::vector<hlo::Literal> arguments = arguments_of(module, position);
  const auto expected = interpreter::run(module, arguments);
  REQUIRE(expected.ok());
  std::vector<std::vector<std::byte>> bytes;
  for (const hlo::Literal& argument : arguments)
    bytes.emplace_back(argument.bytes().begin(), argument.bytes().end());
  const Status valid = planning::validate(made.program, made.plan);
  if (!valid) FAIL(valid.error().to_string());
  const auto results = planning::execute(made.program, made.plan, bytes);
  if (!results) FAIL(results.error().to_string());
  const std::vector<hlo::Literal> leaves = hlo::leaves(*expected);
  REQUIRE(leaves.size() == results->size());
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    REQUIRE((*results)[leaf].size() == leaves[leaf].bytes().size());
    const auto* found = reinterpret_cast<const float*>((*results)[leaf].data());
    const auto wanted = leaves[leaf].data<float>();
    for (size_t n = 0; n < wanted.size(); ++n) CHECK(found[n] == Approx(wanted[n]).margin(1e-5));
  }
}

}  // namespace

TEST_CASE("caches of layers are updated where they lie", "[choices]") {
  for (const char* name : {"cortex-m0", "cortex-m4f", "cortex-m55"}) {
    const Target chip = chip_of(name);
    for (const std::string& text : {stacked(), written_back(), scanned()}) {
      INFO(name << text);
      const hlo::Module module = read(text);
      const driver::Planned made = planned(module, chip);
      CHECK(made.plan.arena_bytes < kLayerBytes);
      for (const int64_t position : {0, 63, 70, -3}) check_results(module, made, position);
    }
    CHECK(planned(read(stacked("")), chip).plan.arena_bytes > 4 * kLayerBytes);
  }
}

}  // namespace hlocc::tests
