// A mutator that knows HloModuleProto: what it makes is read mostly and sound often, so that the
// fuzzer gets behind the verifier. Half of the changes keep to HLO's rules as well as they can (a
// size or a type everywhere, an operand of the same shape, one more instruction), half take a
// field, whichever it is.
#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include "fuzz/libfuzzer/targets.h"
#include "fuzz/random.h"
#include "hlo.pb.h"
#include "hlo/opcode.h"
#include "hlo/primitive_type.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t room);

namespace hlocc::fuzz {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;
using proto::HloComputationProto;
using proto::HloInstructionProto;
using proto::HloModuleProto;
using proto::ShapeProto;

// --- any field ---

struct Spot {
  Message* message;
  const FieldDescriptor* field;
};

// Every field that is there.
void collect_spots(Message& message, std::vector<Spot>& out) {
  std::vector<const FieldDescriptor*> fields;
  const Reflection& reflection = *message.GetReflection();
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    out.push_back({&message, field});
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      collect_spots(*reflection.MutableMessage(&message, field), out);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i)
      collect_spots(*reflection.MutableRepeatedMessage(&message, field, i), out);
  }
}

int64_t other_number(int64_t number, Random& random) {
  static const std::vector<int64_t> edges = {
      0,  1,   -1,  2,   3,         4,         7,         8,
      16, 127, 128, 255, INT32_MAX, INT64_MAX, INT64_MIN, int64_t{1} << 40};
  if (random.chance(50))
    return static_cast<int64_t>(static_cast<uint64_t>(number) + random.bits() % 5 - 2);
  return random.of(edges);
}

void change_bytes(std::string& bytes, Random& random) {
  static const std::vector<std::string> words = {
      "EQ",       "NE",    "LT",     "GE",      "FLOAT", "TOTALORDER",       "SIGNED",
      "UNSIGNED", "kLoop", "kInput", "kCustom", "",      "\xff\"</script>\n"};
  if (bytes.empty() || random.chance(20)) {
    bytes = random.of(words);
  } else {
    bytes[static_cast<size_t>(random.below(static_cast<int64_t>(bytes.size())))] ^=
        static_cast<char>(1 << random.below(8));
  }
}

void change_single(Message& message, const FieldDescriptor* field, Random& random) {
  const Reflection& r = *message.GetReflection();
  if (random.chance(10)) return r.ClearField(&message, field);
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      return r.SetInt64(&message, field, other_number(r.GetInt64(message, field), random));
    case FieldDescriptor::CPPTYPE_INT32:
      return r.SetInt32(&message, field,
                        static_cast<int32_t>(other_number(r.GetInt32(message, field), random)));
    case FieldDescriptor::CPPTYPE_BOOL:
      return r.SetBool(&message, field, !r.GetBool(message, field));
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string bytes = r.GetString(message, field);
      change_bytes(bytes, random);
      return r.SetString(&message, field, bytes);
    }
    default: return;
  }
}

void change_list(Message& message, const FieldDescriptor* field, Random& random) {
  const Reflection& r = *message.GetReflection();
  const int count = r.FieldSize(message, field), at = static_cast<int>(random.below(count));
  const int other = static_cast<int>(random.below(count));
  const int64_t what = random.below(4);
  if (what == 0) return r.RemoveLast(&message, field);
  if (what == 1) return r.SwapElements(&message, field, at, other);
  const bool again = what == 2;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64: {
      const int64_t value = r.GetRepeatedInt64(message, field, at);
      if (again) return r.AddInt64(&message, field, value);
      return r.SetRepeatedInt64(&message, field, at, other_number(value, random));
    }
    case FieldDescriptor::CPPTYPE_BOOL:
      return r.SetRepeatedBool(&message, field, at, !r.GetRepeatedBool(message, field, at));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      if (again) r.AddMessage(&message, field)->CopyFrom(r.GetRepeatedMessage(message, field, at));
      return;
    default: return;
  }
}

void change_any_field(HloModuleProto& module, Random& random) {
  std::vector<Spot> spots;
  collect_spots(module, spots);
  if (spots.empty()) return;
  const Spot spot = random.of(spots);
  if (spot.field->is_repeated())
    change_list(*spot.message, spot.field, random);
  else
    change_single(*spot.message, spot.field, random);
}

// --- changes that know HLO ---

HloComputationProto* some_computation(HloModuleProto& module, Random& random) {
  if (module.computations_size() == 0) return nullptr;
  HloComputationProto* one =
      module.mutable_computations(static_cast<int>(random.below(module.computations_size())));
  return one->instructions_size() > 0 ? one : nullptr;
}
HloInstructionProto& some_instruction(HloComputationProto& computation, Random& random) {
  return *computation.mutable_instructions(
      static_cast<int>(random.below(computation.instructions_size())));
}

// All array shapes of the module.
void collect_shapes(ShapeProto& shape, std::vector<ShapeProto*>& out) {
  if (shape.tuple_shapes_size() == 0) out.push_back(&shape);
  for (ShapeProto& element : *shape.mutable_tuple_shapes()) collect_shapes(element, out);
}
std::vector<ShapeProto*> shapes_of(HloModuleProto& module) {
  std::vector<ShapeProto*> out;
  for (HloComputationProto& computation : *module.mutable_computations())
    for (HloInstructionProto& instruction : *computation.mutable_instructions())
      if (instruction.opcode() != "constant") collect_shapes(*instruction.mutable_shape(), out);
  return out;
}

void change_size_everywhere(HloModuleProto& module, Random& random) {
  const std::vector<ShapeProto*> shapes = shapes_of(module);
  if (shapes.empty()) return;
  const ShapeProto& one = *random.of(shapes);
  if (one.dimensions_size() == 0) return;
  const int64_t from = one.dimensions(static_cast<int>(random.below(one.dimensions_size())));
  const int64_t to = random.chance(10) ? 0 : random.between(1, 9);
  for (ShapeProto* shape : shapes)
    for (int64_t& size : *shape->mutable_dimensions())
      if (size == from) size = to;
}

void change_type_everywhere(HloModuleProto& module, Random& random) {
  const std::vector<ShapeProto*> shapes = shapes_of(module);
  if (shapes.empty()) return;
  const int from = random.of(shapes)->element_type();
  const int to = static_cast<int>(random.between(1, 33));
  for (ShapeProto* shape : shapes)
    if (shape->element_type() == from) shape->set_element_type(to);
}

void change_layout(HloModuleProto& module, Random& random) {
  const std::vector<ShapeProto*> shapes = shapes_of(module);
  if (shapes.empty()) return;
  ShapeProto& shape = *random.of(shapes);
  std::vector<int64_t> order;
  for (int64_t d = shape.dimensions_size(); d-- > 0;) order.push_back(d);
  random.shuffle(order);
  shape.mutable_layout()->mutable_minor_to_major()->Assign(order.begin(), order.end());
}

void change_dynamic(HloModuleProto& module, Random& random) {
  const std::vector<ShapeProto*> shapes = shapes_of(module);
  if (shapes.empty()) return;
  ShapeProto& shape = *random.of(shapes);
  shape.mutable_is_dynamic_dimension()->Resize(shape.dimensions_size(), false);
  if (shape.dimensions_size() == 0) return;
  const int at = static_cast<int>(random.below(shape.dimensions_size()));
  shape.set_is_dynamic_dimension(at, !shape.is_dynamic_dimension(at));
}

// Another instruction with the same shape takes an operand's place.
void change_operand(HloModuleProto& module, Random& random) {
  HloComputationProto* computation = some_computation(module, random);
  if (computation == nullptr) return;
  HloInstructionProto& user = some_instruction(*computation, random);
  if (user.operand_ids_size() == 0) return;
  const int at = static_cast<int>(random.below(user.operand_ids_size()));
  std::string wanted;
  for (const HloInstructionProto& one : computation->instructions())
    if (one.id() == user.operand_ids(at)) wanted = one.shape().SerializeAsString();
  std::vector<int64_t> others;
  for (const HloInstructionProto& one : computation->instructions()) {
    if (one.id() == user.id()) break;
    if (one.shape().SerializeAsString() == wanted) others.push_back(one.id());
  }
  if (!others.empty()) user.set_operand_ids(at, random.of(others));
}

// An opcode of the same number of operands.
void change_opcode(HloModuleProto& module, Random& random) {
  HloComputationProto* computation = some_computation(module, random);
  if (computation == nullptr) return;
  HloInstructionProto& one = some_instruction(*computation, random);
  std::vector<std::string> names;
  const int operands = one.operand_ids_size();
#define HLOCC_OPCODE(enumerator, text, family, min, max, ...) \
  if (min <= operands && (max < 0 || operands <= max)) names.push_back(text);
#include "hlo/opcodes.def"
  if (!names.empty()) one.set_opcode(random.of(names));
}

// A new instruction of one or two operands of a shape, between one and all of its users.
void add_instruction(HloModuleProto& module, Random& random) {
  static const std::vector<std::string> unary = {"negate", "abs",  "exponential", "not",
                                                 "sign",   "copy", "sqrt",        "floor"};
  static const std::vector<std::string> binary = {"add",       "multiply", "subtract", "maximum",
                                                  "divide",    "and",      "xor",      "shift-left",
                                                  "remainder", "power"};
  HloComputationProto* computation = some_computation(module, random);
  if (computation == nullptr) return;
  const int at = static_cast<int>(random.below(computation->instructions_size()));
  const HloInstructionProto old = computation->instructions(at);
  int64_t id = 1;
  for (const HloInstructionProto& one : computation->instructions())
    id = std::max(id, one.id() + 1);
  HloInstructionProto fresh;
  fresh.set_name("fuzzed." + std::to_string(id));
  fresh.set_id(id);
  *fresh.mutable_shape() = old.shape();
  const bool two = random.chance(60);
  fresh.set_opcode(two ? random.of(binary) : random.of(unary));
  fresh.add_operand_ids(old.id());
  if (two) fresh.add_operand_ids(old.id());
  for (HloInstructionProto& one : *computation->mutable_instructions())
    for (int64_t& operand : *one.mutable_operand_ids())
      if (operand == old.id()) operand = id;
  if (computation->root_id() == old.id()) computation->set_root_id(id);
  *computation->add_instructions() = fresh;
  for (int i = computation->instructions_size() - 1; i > at + 1; --i)
    computation->mutable_instructions()->SwapElements(i, i - 1);
}

// Its first operand of the same shape stands for it.
void remove_instruction(HloModuleProto& module, Random& random) {
  HloComputationProto* computation = some_computation(module, random);
  if (computation == nullptr) return;
  const HloInstructionProto gone = some_instruction(*computation, random);
  const std::string shape = gone.shape().SerializeAsString();
  int64_t stand_in = -1;
  for (const HloInstructionProto& one : computation->instructions())
    for (const int64_t operand : gone.operand_ids())
      if (one.id() == operand && one.shape().SerializeAsString() == shape) stand_in = operand;
  if (stand_in < 0) return;
  for (HloInstructionProto& one : *computation->mutable_instructions())
    for (int64_t& operand : *one.mutable_operand_ids())
      if (operand == gone.id()) operand = stand_in;
  if (computation->root_id() == gone.id()) computation->set_root_id(stand_in);
}

// Two neighbours change places: an order that the reader finds again.
template <typename List>
void swap_some(List& list, Random& random) {
  if (list.size() < 2) return;
  const auto at = static_cast<int>(random.below(list.size() - 1));
  list.SwapElements(at, at + 1);
}
void change_order(HloModuleProto& module, Random& random) {
  HloComputationProto* computation = some_computation(module, random);
  if (random.chance(30) || computation == nullptr) {
    swap_some(*module.mutable_computations(), random);
  } else {
    swap_some(*computation->mutable_instructions(), random);
  }
}

// Another computation is called, perhaps the caller itself; or one instruction waits for another.
void change_order_of_calls(HloModuleProto& module, Random& random) {
  HloComputationProto* computation = some_computation(module, random);
  if (computation == nullptr) return;
  HloInstructionProto& one = some_instruction(*computation, random);
  if (one.called_computation_ids_size() > 0) {
    const auto to = static_cast<int>(random.below(module.computations_size()));
    one.set_called_computation_ids(0, module.computations(to).id());
  } else {
    one.add_control_predecessor_ids(some_instruction(*computation, random).id());
  }
}

using Change = void (*)(HloModuleProto& module, Random& random);
constexpr Change changes[] = {
    change_any_field, change_any_field,       change_any_field,       change_any_field,
    change_any_field, change_size_everywhere, change_type_everywhere, change_layout,
    change_dynamic,   change_operand,         change_operand,         change_opcode,
    add_instruction,  remove_instruction,     change_order,           change_order_of_calls};

}  // namespace

size_t mutate_module(uint8_t* data, size_t size, size_t room, unsigned seed) {
  Random random(seed);
  HloModuleProto module;
  const bool is_module = module.ParseFromArray(data, static_cast<int>(size));
  if (!is_module || random.chance(3)) return LLVMFuzzerMutate(data, size, room);
  for (int64_t count = random.between(1, 4); count > 0; --count)
    changes[random.below(static_cast<int64_t>(std::size(changes)))](module, random);
  const std::string out = module.SerializeAsString();
  if (out.size() > room) return size;
  std::copy(out.begin(), out.end(), data);
  return out.size();
}

size_t mutate_proto(uint8_t* data, size_t size, size_t room, unsigned seed) {
  return seed % 2 == 0 ? mutate_module(data, size, room, seed) : LLVMFuzzerMutate(data, size, room);
}

}  // namespace hlocc::fuzz
