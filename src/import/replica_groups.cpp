// Checks first, because the numbers come from a file, then counts through the transposed array.
#include "import/replica_groups.h"

#include <algorithm>

#include "import/limits.h"

namespace hlocc::import {
namespace {

bool is_permutation_of_dims(hlo::Dimensions perm, size_t rank) {
  std::sort(perm.begin(), perm.end());
  for (size_t i = 0; i < perm.size(); ++i)
    if (perm[i] != static_cast<int64_t>(i)) return false;
  return perm.size() == rank;
}

// The number of devices, or zero if the numbers don't fit together.
int64_t device_count(const IotaGroups& iota) {
  int64_t count = 1;
  for (int64_t d : iota.reshape_dims) {
    if (d <= 0 || d > kMaxTupleElements || count > kMaxTupleElements / d) return 0;
    count *= d;
  }
  const bool divides = iota.groups > 0 && iota.groups <= count && count % iota.groups == 0 &&
                       count / iota.groups == iota.devices_per_group;
  return divides ? count : 0;
}

}  // namespace

Result<std::vector<std::vector<int64_t>>> expand_iota_groups(const IotaGroups& iota) {
  hlo::Dimensions perm = iota.transpose_perm;
  if (perm.empty())
    for (size_t i = 0; i < iota.reshape_dims.size(); ++i) perm.push_back(static_cast<int64_t>(i));
  const int64_t count = device_count(iota);
  if (count == 0 || !is_permutation_of_dims(perm, iota.reshape_dims.size()))
    return error(DiagnosticKind::kAttribute, "the replica groups do not divide their devices");
  const hlo::Dimensions strides = hlo::row_major_strides(iota.reshape_dims);
  std::vector<std::vector<int64_t>> groups;
  for (int64_t i = 0; i < count; ++i) {
    int64_t device = 0, rest = i;
    for (size_t d = perm.size(); d-- > 0;) {
      device += rest % iota.reshape_dims[perm[d]] * strides[perm[d]];
      rest /= iota.reshape_dims[perm[d]];
    }
    if (i % iota.devices_per_group == 0) groups.emplace_back();
    groups.back().push_back(device);
  }
  return groups;
}

}  // namespace hlocc::import
