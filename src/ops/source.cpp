// Rules of parameter, constant and iota.
#include "ops/source.h"

namespace hlocc::ops {

Result<Shape> infer(Op<Opcode::kParameter>, const Site& site) {
  const int64_t number = site.attributes<hlo::ParameterAttributes>().number;
  HLOCC_TRY(check(number >= 0, kAttribute, "the parameter number is ", number,
                  " and must not be negative"));
  return with_default_layout(site.declared());
}

Result<Shape> infer(Op<Opcode::kConstant>, const Site& site) {
  return with_default_layout(site.attributes<hlo::ConstantAttributes>().value.shape());
}

Result<Shape> infer(Op<Opcode::kIota>, const Site& site) {
  HLOCC_TRY(check_type(site.declared(), kNumbers, "the result"));
  HLOCC_TRY(check_dimension(site.attributes<hlo::IotaAttributes>().dimension,
                            site.declared().rank(), "iota_dimension"));
  return with_default_layout(site.declared());
}

}  // namespace hlocc::ops
