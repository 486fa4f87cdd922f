// Constants of several plans in one pool: equal ones lie there once, at an address that suits all,
// and each plan still computes what it did.
#include "planning/shared_constants.h"

#include "planning/constants_by_type.h"
#include "planning/layout.h"
#include "planning/moved_runs.h"
#include "programs.h"

namespace hlocc::planning {
namespace {

std::vector<int32_t> counted(int64_t count, int32_t first) {
  std::vector<int32_t> out;
  for (int64_t n = 0; n < count; ++n) out.push_back(first + 3 * static_cast<int32_t>(n));
  return out;
}

std::vector<std::vector<std::byte>> run(const Program& program, const Plan& plan) {
  const std::vector<Bytes> arguments = {
      bytes_of(counted(program.signature.arguments[0].shape.element_count(), 5))};
  const auto out = execute(program, plan, arguments);
  REQUIRE(out);
  return *out;
}

}  // namespace

TEST_CASE("constants of two plans that are equal lie in one pool once") {
  const std::vector<int32_t> both = counted(40, 1), mine = counted(40, 2), other = counted(40, 3);
  const Program programs[] = {with_constants({both, mine}), with_constants({other, both, other})};
  std::vector<Plan> plans = {planned(programs[0]), planned(programs[1])};
  const std::vector<Plan> alone = plans;
  CHECK(alone[0].constant_bytes == 320);
  CHECK(alone[1].constant_bytes == 320);
  CHECK(share_constants(plans) == 160);
  CHECK(plans[0].constant_bytes == 480);
  CHECK(plans[1].constant_bytes == 480);
  for (const size_t n : {0, 1}) {
    CHECK(validate(programs[n], plans[n]).ok());
    CHECK(run(programs[n], plans[n]) == run(programs[n], alone[n]));
  }
}

TEST_CASE("a pool of plans without equal constants holds all of them") {
  const Program programs[] = {with_constants({counted(5, 1)}), with_constants({counted(7, 1)})};
  std::vector<Plan> plans = {planned(programs[0]), planned(programs[1])};
  CHECK(share_constants(plans) == 0);
  CHECK(plans[0].constant_bytes >= 48);
  CHECK(validate(programs[1], plans[1]).ok());
}

TEST_CASE("a shared constant lies as far aligned as any plan asks") {
  std::vector<Program> programs = {with_constants({counted(40, 1), counted(40, 9)}),
                                   with_constants({counted(40, 9)})};
  programs[1].kernels[0].buffers[1].alignment = 64;
  std::vector<Plan> plans = {planned(programs[0]), planned(programs[1])};
  CHECK(share_constants(plans) == 160);
  CHECK(plans[0].constant_align == 64);
  const auto constant = [](const Plan& plan) {
    for (size_t i = 0; i < plan.values.size(); ++i)
      if (plan.values[i].role == ValueRole::kConstant &&
          *plan.values[i].data == bytes_of(counted(40, 9)))
        return plan.places[i].offset;
    return int64_t{-1};
  };
  CHECK(constant(plans[0]) == 192);
  CHECK(constant(plans[1]) == 192);
  for (const size_t n : {0, 1}) CHECK(validate(programs[n], plans[n]).ok());
}

TEST_CASE("one width of constants each, the widest of a place, and runs that lie apart") {
  Plan plan;
  const auto add = [&](Scalar element, int64_t n, Place where) {
    plan.values.push_back({.name = "v", .element = element, .elements = n});
    where.bytes = plan.values.back().bytes();
    plan.places.push_back(where);
    return static_cast<Id>(plan.values.size() - 1);
  };
  const Id first = add(Scalar::kS32, 4, {Region::kConstant, 0, 0});
  add(Scalar::kS32, 2, {Region::kConstant, 0, 0});
  add(Scalar::kF32, 4, {Region::kConstant, 0, 0});
  add(Scalar::kS8, 3, {Region::kConstant, 16, 0});
  add(Scalar::kU8, 1, {Region::kConstant, 24, 0});
  add(Scalar::kF64, 0, {Region::kConstant, 32, 0});
  const Id near = add(Scalar::kF32, 7, {Region::kArena, 0, 0});
  CHECK(constants_by_type(plan) ==
        std::map<std::string, int64_t>{{"s32", 16}, {"s8", 3}, {"u8", 1}});
  const Id joined = add(Scalar::kS32, 4, {Region::kArena, 0, 0});
  const auto moved = [&](Id from, int64_t offset) {
    return moved_runs({.runs = {{from, offset, 16}}, .to = joined}, plan.places).size();
  };
  CHECK(moved(near, 0) == 0);
  CHECK(moved(near, 4) == 1);
  CHECK(moved(first, 0) == 1);
  CHECK_FALSE(is_large(1500));
  CHECK(is_large(1501));
}

}  // namespace hlocc::planning
