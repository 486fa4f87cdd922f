// The hash is taken over a text with one line a fact.
#include "planning/interface.h"

#include <set>

#include "kernel/instance.h"
#include "support/sha256.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

using kernel::Leaf;

// Goes up whenever header and library come to agree on something in another way.
constexpr int kVersion = 1;

std::string text_of(const Place& place) {
  return cat(static_cast<int>(place.region), " ", place.offset, " ", place.bytes);
}

// The leaf's own text first: a shape prints itself with its layout.
std::string text_of(const Leaf& leaf, const Place& place) {
  return cat(leaf.name, " ", to_string(leaf.shape), " ", leaf.donated, " ", leaf.partner, " ",
             text_of(place), "\n");
}

std::string initial_state(const Plan& plan) {
  std::string out;
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const kernel::ProgramValue& value = plan.values[i];
    if (value.role != kernel::ValueRole::kState || value.data == nullptr) continue;
    const std::string_view bytes(reinterpret_cast<const char*>(value.data->data()),
                                 value.data->size());
    out += cat("initial ", text_of(plan.places[i]), " ", sha256(bytes), "\n");
  }
  return out;
}

std::string text_of(const kernel::Signature& signature, const Plan& plan, const Target& target) {
  const kernel::InstanceLayout layout =
      kernel::instance_layout(signature, plan.state_bytes, target.pointer_bits);
  std::string out = cat("interface ", kVersion, "\nconvention ", static_cast<int>(target.float_abi),
                        " ", target.abi, " ", target.pointer_bits, " ",
                        static_cast<int>(target.byte_order), "\nsizes ", plan.arena_bytes, " ",
                        plan.arena_align, " ", plan.state_bytes, " ", layout.bytes(), "\n");
  for (size_t i = 0; i < signature.arguments.size(); ++i)
    out += cat("argument ", plan.argument_alignment(i), " ",
               text_of(signature.arguments[i], plan.argument_places[i]));
  for (size_t i = 0; i < signature.results.size(); ++i)
    out += cat("result ", text_of(signature.results[i], plan.result_places[i]));
  if (signature.stream)
    out += cat("stream ", signature.stream->leaf, " ", signature.stream->axis, " ",
               signature.stream->rows, " ", plan.stream->state_offset, " ", plan.stream->iterations,
               " ", plan.stream->ticket_offset, "\n");
  for (const UserFunction& function : user_functions(plan))
    out += cat("calls ", function.symbol, " ", types_of(function), "\n");
  for (const ArenaPiece& piece : plan.pieces)
    out += cat("piece ", piece.name, " ", piece.begin, " ", piece.bytes, "\n");
  for (const KeptConstant& kept : plan.kept)
    out += cat("kept ", kept.from, " ", kept.to, " ", kept.bytes, "\n");
  for (const DeviceMemory& memory : plan.memories)
    out += cat("device memory ", memory.bytes, " ", memory.align, "\n");
  return out + initial_state(plan);
}

}  // namespace

std::vector<UserFunction> user_functions(const Plan& plan) {
  std::set<UserFunction> out;
  const auto arrays = [&](const std::vector<kernel::ProgramValueId>& values) {
    std::vector<UserFunction::Array> list;
    for (const kernel::ProgramValueId id : values)
      list.push_back({plan.values[id].element, plan.values[id].elements});
    return list;
  };
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (const auto* call = std::get_if<kernel::UserCall>(&step.what))
      out.insert({call->symbol, arrays(call->operands), arrays(call->results)});
  });
  return {out.begin(), out.end()};
}

std::string types_of(const UserFunction& function) {
  const auto text = [](const std::vector<UserFunction::Array>& arrays) {
    std::vector<std::string> list;
    for (const UserFunction::Array& array : arrays)
      list.push_back(cat(scalar_name(array.element), "[", array.elements, "]"));
    return list.empty() ? std::string("nothing") : join(list, ", ");
  };
  return cat(text(function.operands), " -> ", text(function.results));
}

std::string interface_hash(const kernel::Signature& signature, const Plan& plan,
                           const Target& target) {
  return sha256(text_of(signature, plan, target)).substr(0, 16);
}

std::string keep_symbol(const kernel::Signature& signature, const Plan& plan,
                        const Target& target) {
  return cat(signature.prefix, "keep_", interface_hash(signature, plan, target));
}

std::string run_symbol(const kernel::Signature& signature, const Plan& plan, const Target& target) {
  return cat(signature.prefix, "run_", interface_hash(signature, plan, target));
}

}  // namespace hlocc::planning
