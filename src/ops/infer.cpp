// Dispatch from the op table to the rules of the families: a row without an overload does not
// compile.
#include "ops/infer.h"

#include "ops/batch_norm.h"
#include "ops/check/form.h"
#include "ops/check/locate.h"
#include "ops/collective.h"
#include "ops/control_flow.h"
#include "ops/convolution.h"
#include "ops/data_movement.h"
#include "ops/dot.h"
#include "ops/dynamic.h"
#include "ops/elementwise.h"
#include "ops/fft.h"
#include "ops/gather_scatter.h"
#include "ops/linear_algebra.h"
#include "ops/random.h"
#include "ops/reduce.h"
#include "ops/sort.h"
#include "ops/source.h"
#include "ops/structure.h"
#include "ops/window.h"

namespace hlocc::ops {
namespace {

using Rule = Result<Shape> (*)(const Site&);
constexpr Rule rules[] = {
#define HLOCC_OPCODE(enumerator, ...) \
  [](const Site& site) -> Result<Shape> { return infer(Op<Opcode::enumerator>{}, site); },
#include "hlo/opcodes.def"
};

Result<Shape> infer_unlocated(const Site& site) {
  HLOCC_TRY(check_form(site.module, site.computation, site.instruction));
  return rules[static_cast<int>(site.instruction.opcode)](site);
}

}  // namespace

Result<Shape> infer_shape(const Module& module, const Computation& computation,
                          const Instruction& instruction) {
  Result<Shape> shape = infer_unlocated({module, computation, instruction});
  if (shape.ok()) return shape;
  return locate(std::move(shape).error(), module, computation, instruction);
}

}  // namespace hlocc::ops
