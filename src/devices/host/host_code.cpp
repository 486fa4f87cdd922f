// See host_code.h.
#include "devices/host/host_code.h"

#include "backends/common/wire.h"

namespace hlocc::device {
namespace {

using backends::Reader;
using backends::Writer;

void write_leaves(Writer& out, const std::vector<HostCode::LeafPlace>& leaves) {
  out.number(static_cast<int64_t>(leaves.size()));
  for (const HostCode::LeafPlace& leaf : leaves) {
    out.number(static_cast<int64_t>(leaf.place.region));
    out.number(leaf.place.offset);
    out.number(leaf.place.bytes);
    out.number(leaf.alignment);
  }
}

std::vector<HostCode::LeafPlace> read_leaves(Reader& in) {
  std::vector<HostCode::LeafPlace> leaves(in.count(4 * sizeof(int64_t)));
  for (HostCode::LeafPlace& leaf : leaves) {
    leaf.place.region = static_cast<planning::Region>(in.number());
    leaf.place.offset = in.number();
    leaf.place.bytes = in.number();
    leaf.alignment = in.number();
  }
  return leaves;
}

}  // namespace

HostCode host_code(std::vector<std::byte> object, std::string run_symbol,
                   const kernel::Program& program, const planning::Plan& plan) {
  HostCode code{.object = std::move(object),
                .run_symbol = std::move(run_symbol),
                .arena_bytes = plan.arena_bytes,
                .arena_align = plan.arena_align,
                .state_bytes = plan.state_bytes};
  for (size_t i = 0; i < program.arguments.size(); ++i)
    code.arguments.push_back({plan.argument_places[i], plan.argument_alignment(i)});
  for (const planning::Place& place : plan.result_places) code.results.push_back({place, 1});
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const kernel::ProgramValue& value = plan.values[i];
    if (value.role == kernel::ValueRole::kState && value.data != nullptr)
      code.initial_state.push_back({plan.places[i].offset, *value.data});
  }
  return code;
}

std::vector<std::byte> encode(const HostCode& code) {
  Writer out;
  out.bytes(code.object);
  out.text(code.run_symbol);
  for (const int64_t number : {code.arena_bytes, code.arena_align, code.state_bytes})
    out.number(number);
  write_leaves(out, code.arguments);
  write_leaves(out, code.results);
  out.number(static_cast<int64_t>(code.initial_state.size()));
  for (const HostCode::Initial& initial : code.initial_state) {
    out.number(initial.offset);
    out.bytes(initial.bytes);
  }
  return out.take();
}

Result<HostCode> decode_host_code(std::span<const std::byte> bytes) {
  Reader in(bytes);
  HostCode code;
  code.object = in.bytes();
  code.run_symbol = in.text();
  for (int64_t* number : {&code.arena_bytes, &code.arena_align, &code.state_bytes})
    *number = in.number();
  code.arguments = read_leaves(in);
  code.results = read_leaves(in);
  code.initial_state.resize(in.count(2 * sizeof(int64_t)));
  for (HostCode::Initial& initial : code.initial_state) {
    initial.offset = in.number();
    initial.bytes = in.bytes();
  }
  if (in.failed()) return error(DiagnosticKind::kRun, "the code for the device is cut short");
  return code;
}

}  // namespace hlocc::device
