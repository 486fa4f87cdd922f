// Small modules for the tests of import, written as HLO text, and helpers that fail the test where
// reading fails.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "import/proto/wire.h"
#include "import/reader.h"
#include "import/writer.h"
#include "ops/text/printer.h"
#include "support/text.h"

namespace hlocc::import {

inline Result<Imported> read_text(std::string_view text) {
  return read_model(as_bytes(text), "test.hlo");
}

inline hlo::Module module_from(std::string_view text) {
  Result<Imported> imported = read_text(text);
  if (!imported) FAIL(imported.error().to_string());
  return std::move(imported->module);
}

// The diagnostic of text that must not be read.
inline Diagnostic error_of(std::string_view text) {
  const Result<Imported> imported = read_text(text);
  if (imported) FAIL("was read: " + std::string(text));
  return imported.error();
}

// The entry computation's root of a module around the lines of one computation.
inline std::string entry_with(std::string_view lines) {
  return cat("HloModule test\nENTRY main {\n", lines, "\n}\n");
}

// One of everything that has a form of its own in text or proto.
inline constexpr std::string_view kShowcase = R"(
HloModule showcase, input_output_alias={ {0}: (0, {}, must-alias) }, entry_computation_layout={(f32[2,3]{0,1}, s32[])->(f32[2,3]{0,1}, f32[])}

add_f32 (a: f32[], b: f32[]) -> f32[] {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}
body {
  state = (s32[], f32[2,3]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  x = f32[2,3] get-tuple-element(state), index=1
  ROOT out = (s32[], f32[2,3]) tuple(next, x)
}
condition {
  state = (s32[], f32[2,3]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  ten = s32[] constant(10)
  ROOT less = pred[] compare(i, ten), direction=LT
}
ENTRY main {
  x = f32[2,3]{0,1} parameter(0), metadata={op_type="a" op_name="jit(f)/\"x\"" source_file="f.py" source_line=7}
  n = s32[] parameter(1)
  weights = f32[3,2] constant({ {1, -2.5}, {nan(0x200000), inf}, {1e-45, -0} })
  packed = s4[4]{0:E(4)} constant({1, -8, 7, 0})
  z = c64[2] constant({(1, -2), (nan, -inf)})
  zero = f32[] constant(0)
  state = (s32[], f32[2,3]) tuple(n, x)
  loop = (s32[], f32[2,3]) while(state), condition=condition, body=body
  y = f32[2,3]{0,1} get-tuple-element(loop), index=1
  product = f32[2,2] dot(y, weights), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,default}
  padded = f32[5,2] pad(product, zero), padding=1_1_1x0_0
  sliced = f32[2,2] slice(padded), slice={[0:4:2], [0:2]}
  total = f32[] reduce(sliced, zero), dimensions={0,1}, to_apply=add_f32, frontend_attributes={k="v w",json={"a":1}}
  late = f32[] negate(total), control-predecessors={sliced}
  call = f32[] custom-call(late), custom_call_target="noop", api_version=API_VERSION_STATUS_RETURNING, backend_config="q\"\n"
  ROOT result = (f32[2,3]{0,1}, f32[]) tuple(y, call)
}
)";

}  // namespace hlocc::import
