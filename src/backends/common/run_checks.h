// What code of `run` may take for granted of a plan's steps, checked; and what its copies amount
// to. See planning/plan.h for the promises.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "planning/plan.h"
#include "support/result.h"

namespace hlocc::backends {

bool in_one_place(const planning::Plan& plan, kernel::ProgramValueId a, kernel::ProgramValueId b);

// Binding the state of a while or the results of a branch needs no code: values on both sides lie
// in one place. A plan that keeps them apart is a bug of ours.
Status check_bindings(const planning::Plan& plan);

// kUnlessHome: within one place, for an argument that the caller may have elsewhere: only if the
// two addresses differ.
enum class CopyNeed : uint8_t { kNever, kUnlessHome, kAlways };
CopyNeed need_of(const kernel::Copy& copy, const planning::Plan& plan);

// The user's functions that the steps call, in order of the calls.
std::vector<std::string> user_symbols(const planning::Plan& plan);

// What `run` returns if it is given no instance, or one without an arena: <PREFIX>ERROR_NULL of the
// header.
inline constexpr int kErrorNull = 1;
// What the hooks of hlocc_device.h return where they are not defined: HLOCC_DEVICE_ERROR_NONE.
inline constexpr int kErrorDevice = 100;

// void hlocc_parallel_for(int32_t count, void (*body)(void *context, int32_t range), void
// *context), which `run` of a build with threads calls: body(context, i) for each i from 0 to count
// - 1.
inline constexpr const char* kThreadsHook = "hlocc_parallel_for";
bool has_ranges(const planning::Plan& plan);

// void hlocc_profile_step(const char *identity, int32_t step), which `run` of a --profile build
// calls: HLOCC_PROFILE_BEGIN and _END of hlocc_profile.h, else the number of the step that begins.
inline constexpr const char* kProfileHook = "hlocc_profile_step";
inline constexpr int32_t kProfileBegin = -1, kProfileEnd = -2;

}  // namespace hlocc::backends
