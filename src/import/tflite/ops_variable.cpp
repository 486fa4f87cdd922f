// Variables: handles of them, what they begin as, reads and writes.
#include "import/tflite/constants.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

Result<StateName> variable_of(const Op& op) {
  const std::string name = op.graph().handle(op.node().inputs[0]);
  if (name.empty()) return op.wrong("the first operand is no handle of a variable");
  if (op.graph().session().depth > 0 && !op.graph().session().is_initializing)
    return op.unsupported("variables inside a loop or a branch");
  return StateName{cat("variable ", name), name};
}

}  // namespace

Status var_handle(const Op& op) {
  HLOCC_TRY(op.require(0, 0));
  const std::string name = op.options.text(schema::VarHandleOptions::shared_name);
  const std::string container = op.options.text(schema::VarHandleOptions::container);
  if (op.out().type != kResourceType) return op.wrong("the result is no resource");
  op.graph().set_handle(op.node().outputs[0], cat(container, container.empty() ? "" : "/",
                                                  name.empty() ? "variable" : name));
  return {};
}

Status read_variable(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  HLOCC_TRY_ASSIGN(const StateName name, variable_of(op));
  Result<Shape> shape = shape_of_tensor(op.out());
  if (!shape) return op.located(std::move(shape).error());
  return op.set(op.graph().session().read(name, *shape));
}

Status assign_variable(const Op& op) {
  HLOCC_TRY(op.require(2, 2, 0));
  HLOCC_TRY_ASSIGN(const StateName name, variable_of(op));
  Session& session = op.graph().session();
  if (!session.is_initializing) {
    session.assign(name, op.value(1));
    return {};
  }
  std::optional<Literal> value = op.constant(1);
  if (op.b.failure()) return {};
  if (!value) return op.unsupported("a variable that begins as something computed");
  session.set_initial(name, std::move(*value));
  return {};
}

// The graph that gives variables what they begin as: once, before anything reads them.
Status call_once(const Op& op) {
  HLOCC_TRY(op.require(0, 0, 0));
  Session& session = op.graph().session();
  const int32_t index = op.options.number<int32_t>(schema::CallOnceOptions::init_subgraph);
  if (index < 0 || index >= static_cast<int64_t>(session.model.subgraphs.size()))
    return op.wrong(cat("names subgraph ", index, " of ", session.model.subgraphs.size()));
  if (session.depth > 0) return op.unsupported("inside a loop, a branch or another such call");
  session.is_initializing = true;
  ++session.depth;
  const Status status = GraphReader(session, index).run();
  --session.depth;
  session.is_initializing = false;
  return status;
}

}  // namespace hlocc::import::tflite::ops
