// ORC links the object; the rest is common to all code that runs here.
#include "backends/cpu/jit.h"

#include "backends/cpu/linked_object.h"
#include "planning/interface.h"

namespace hlocc::backends {

Result<std::unique_ptr<LoadedProgram>> load(std::span<const std::byte> object,
                                            const kernel::Program& program,
                                            const planning::Plan& plan, const Target& target) {
  HLOCC_TRY(check_callable(plan));
  HLOCC_TRY_ASSIGN(std::unique_ptr<LinkedObject> linked, link_object(object));
  return load_program(std::move(linked), planning::run_symbol(program.signature, plan, target),
                      program, plan);
}

}  // namespace hlocc::backends
