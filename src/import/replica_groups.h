// The compact form of replica groups, "[2,4]<=[4,2]T(1,0)": devices 0 .. n-1 in an array,
// transposed, cut into groups.
#pragma once
#include <vector>

#include "hlo/shape.h"
#include "support/result.h"

namespace hlocc::import {

struct IotaGroups {
  int64_t groups = 0, devices_per_group = 0;
  hlo::Dimensions reshape_dims;
  // Empty: not transposed.
  hlo::Dimensions transpose_perm;
};

Result<std::vector<std::vector<int64_t>>> expand_iota_groups(const IotaGroups& iota);

}  // namespace hlocc::import
