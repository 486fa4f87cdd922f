// See body_writer.h.
#include "backends/c/body_writer.h"

#include <algorithm>
#include <utility>

#include "kernel/legalize/math_functions.h"
#include "kernel/legalize/packed_words.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Access;
using kernel::Affine;
using kernel::Op;
using kernel::OpKind;
using kernel::Region;
using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

Diagnostic no_c_for(const Op& op, const kernel::Kernel& kernel, Type type) {
  return error(DiagnosticKind::kInternal, cat("backend c: no C for ", kernel::op_name(op.kind),
                                              " of ", to_string(type), " in kernel ", kernel.name));
}

// Moves values from lane to lane, or makes one of several.
bool crosses_lanes(const Op& op, const kernel::Kernel& kernel) {
  if (!op.regions.empty() || op.results.empty() || is_lane_wise(kernel, op)) return false;
  return kernel::op_group(op.kind) == kernel::OpGroup::kVector &&
         (kernel.type(op.result()).is_vector() ||
          std::any_of(op.operands.begin(), op.operands.end(),
                      [&](ValueId id) { return kernel.type(id).is_vector(); }));
}

std::vector<bool> unshared_of(const std::vector<BufferText>& buffers) {
  std::vector<bool> out;
  for (const BufferText& buffer : buffers) out.push_back(buffer.unshared);
  return out;
}

std::vector<bool> readable_of(const std::vector<BufferText>& buffers) {
  std::vector<bool> out;
  for (const BufferText& buffer : buffers) out.push_back(buffer.held != Held::kParts);
  return out;
}

// A tile's sums, pointers and a number of each side are all registers of a small core. Words keep
// their own order.
bool sums_one_by_one(const Target& target) {
  return target.vector_bits == 0 && !target.constants_apart && !target.has_cache() &&
         !kernel::has_packed_words(target);
}

// On rows that multiply pairs of 16 bits and have no vectors.
PackedSimd words_in(const kernel::Kernel& kernel, const Target& target,
                    const std::vector<BufferText>& buffers, bool single_values) {
  if (!kernel::has_packed_words(target) || single_values) return {};
  return {kernel, readable_of(buffers), target};
}

VectorValues vectors_in(const kernel::Kernel& kernel, const Target& target,
                        const std::vector<BufferText>& buffers, bool single_values) {
  if (vector_unit(target) == VectorUnit::kNone || single_values) return {};
  return {kernel, readable_of(buffers), target};
}

}  // namespace

BodyWriter::BodyWriter(const kernel::Kernel& kernel, const KernelSite& site,
                       std::vector<BufferText> buffers, bool single_values)
    : kernel_(kernel),
      site_(site),
      buffers_(std::move(buffers)),
      single_values_(single_values),
      uses_(kernel),
      words_(words_in(kernel, site.target, buffers_, single_values)),
      vectors_(vectors_in(kernel, site.target, buffers_, single_values)),
      vector_functions_(site.target, site.prelude),
      runs_(kernel, unshared_of(buffers_),
            [&](const Op& op) { return words_.takes(op) || vectors_.takes(op); }),
      known_(kernel.types.size()) {
  // Rows that multiply by a lane are those with NEON.
  if (site.target.multiply_by_lane && !site.target.constants_apart &&
      vector_unit(site.target) == VectorUnit::kNone)
    find_widened(kernel.body);
  if (sums_one_by_one(site.target)) find_sums(kernel.body);
}

const Code& BodyWriter::take_over(ValueId id, Known& into) {
  const Known& from = known(id);
  into.reads_memory = into.reads_memory || from.reads_memory;
  into.variables.insert(from.variables.begin(), from.variables.end());
  return from.code;
}

Code BodyWriter::affine(const Affine& affine, Known& into) {
  Code out{"", Binds::kPrimary};
  for (const Affine::Term& term : affine.terms) {
    const Code& value = take_over(term.value, into);
    const int64_t scale = term.scale < 0 ? -term.scale : term.scale;
    const bool first = out.text.empty();
    const std::string product =
        scale == 1 ? value.at(first && term.scale > 0 ? Binds::kSum : Binds::kProduct)
                   : cat(index_text(scale), " * ", value.at(Binds::kUnary));
    if (first) {
      out = {term.scale < 0 ? "-" + product : product, scale != 1       ? Binds::kProduct
                                                       : term.scale < 0 ? Binds::kUnary
                                                                        : value.binds};
      if (term.scale < 0 && scale == 1) out.text = "-" + value.at(Binds::kPrimary);
    } else {
      out = {cat(out.text, term.scale < 0 ? " - " : " + ", product), Binds::kSum};
    }
  }
  if (out.text.empty())
    return {index_text(affine.offset), affine.offset < 0 ? Binds::kUnary : Binds::kPrimary};
  if (affine.offset != 0)
    out = {cat(out.at(Binds::kSum), affine.offset < 0 ? " - " : " + ",
               index_text(affine.offset < 0 ? -affine.offset : affine.offset)),
           Binds::kSum};
  return out;
}

std::string BodyWriter::element(const Access& access, int lanes, Known& into) {
  const auto& [name, unshared, held, aligned] = buffers_[static_cast<size_t>(access.buffer)];
  if (single_values_) return name;
  std::string at;
  const bool from_start = access.at.is_constant() && access.at.offset == 0;
  if (access.lane_indices != kernel::kNone) {
    const Code& index = take_over(access.lane_indices, into);
    const bool is_index = kernel_.type(access.lane_indices).scalar == Scalar::kIndex;
    const std::string number =
        is_index ? index.at(Binds::kProduct) : "(ptrdiff_t)" + index.at(Binds::kUnary);
    at = from_start ? number : cat(affine(access.at, into).at(Binds::kSum), " + ", number);
  } else if (lanes > 1 && access.lane_stride != 0) {
    const int64_t stride = access.lane_stride < 0 ? -access.lane_stride : access.lane_stride;
    const std::string step = stride == 1 ? "l" : cat(index_text(stride), " * l");
    at = from_start && access.lane_stride > 0 ? step
                                              : cat(affine(access.at, into).at(Binds::kSum),
                                                    access.lane_stride < 0 ? " - " : " + ", step);
  } else {
    at = affine(access.at, into).text;
  }
  const Scalar type = kernel_.buffers[static_cast<size_t>(access.buffer)].element;
  if (held == Held::kMemory) return cat(name, "[", at, "]");
  return cat(site_.prelude.read(type), held == Held::kParts ? "_PARTS(" : "(", memory_type(type),
             ", ", name, ", ", at, ")");
}

Status BodyWriter::write_region(const Region& region) {
  const std::vector<WordPointer> outer = std::exchange(word_pointers_, {});
  std::vector<ValueId> spilled = std::exchange(spilled_, {});
  for (const Op& op : region.ops)
    if (!uses_.is_dead(op)) HLOCC_TRY(write_op(op));
  close_lanes();
  spilled_.swap(spilled);
  for (const ValueId id : spilled) known(id).code = {}, known(id).array.clear();
  word_pointers_ = outer;
  unfinished_.clear();
  return {};
}

Status BodyWriter::write_op(const Op& op) {
  if (runs_.run_of(op) != open_run_) {
    close_lanes();
    open_run_ = runs_.run_of(op);
    run_stores_ = false;
  }
  if (words_.takes(op)) return write_words(op), Status{};
  if (vectors_.takes(op)) return write_vectors(op);
  if (op.regions.empty()) spill(op.operands);
  if (is_free(kernel_, op)) return write_free(op);
  if (crosses_lanes(op, kernel_)) return write_across(op);
  switch (op.kind) {
    case OpKind::kLoop: return write_loop(op);
    case OpKind::kIf: return write_if(op);
    case OpKind::kWhile: return write_while(op);
    case OpKind::kStore: return write_store(op);
    case OpKind::kPrefetch: return {};
    case OpKind::kLoad: return write_load(op);
    default: return write_value(op);
  }
}

std::string BodyWriter::keep(Type type, const std::string& text) {
  const std::string name = fresh_name();
  line(cat("const ", value_type(type.scalar), " ", name, " = ", text, ";"));
  return name;
}

// Sums of 32 bits of at least as many products as a tile has.
void BodyWriter::find_sums(const Region& region) {
  constexpr size_t kTile = 4;
  std::set<ValueId> multiplied, added;
  for (const Op& op : region.ops) {
    for (const Region& inner : op.regions) find_sums(inner);
    if (op.results.size() != 1) continue;
    const Type type = kernel_.type(op.result());
    if (type != Type{Scalar::kS32, 1} && type != Type{Scalar::kU32, 1}) continue;
    if (op.kind == OpKind::kMul && uses_.memory_stays_until_use(op.result()))
      multiplied.insert(op.result());
    if (op.kind != OpKind::kAdd) continue;
    const bool first = multiplied.contains(op.operands[0]),
               second = multiplied.contains(op.operands[1]);
    if (first != second) added.insert(op.operands[first ? 0 : 1]);
  }
  if (added.size() >= kTile) products_.merge(added);
}

void BodyWriter::write_sum(const Op& op, int product) {
  const Type type = kernel_.type(op.result());
  const std::vector<std::string>& factors = known(op.operands[product]).factors;
  known(op.result()) = {
      .code = {
          keep(type, cat(site_.prelude.function(OpKind::kMulAdd, type.scalar), "(", factors[0],
                         ", ", factors[1], ", ", known(op.operands[1 - product]).code.text, ")"))}};
}

// Gives the value its text, or a variable.
void BodyWriter::define(const Op& op, Known made) {
  const ValueId id = op.result();
  const Type type = kernel_.type(id);
  if (uses_.count(id) == 0) return;
  const bool is_constant = op.kind == OpKind::kConstant && !type.is_vector();
  const bool stays = made.reads_memory ? uses_.memory_stays_until_use(id) : uses_.moves_to_use(id);
  const bool movable = stays && !(type.is_vector() && runs_.escapes(id));
  if (is_constant || (movable && made.code.text.size() <= kLongestText)) {
    known(id) = std::move(made);
    return;
  }
  if (!type.is_vector()) {
    known(id) = {.code = {keep(type, made.code.text)}};
  } else if (!runs_.escapes(id)) {
    const std::string name = fresh_name();
    lane_line(type.lanes,
              cat("const ", value_type(type.scalar), " ", name, " = ", made.code.text, ";"));
    known(id) = {.code = {name}};
  } else {
    const auto carried = accumulates_.find(id);
    const std::string array =
        carried == accumulates_.end() ? new_array(type) : known(carried->second).array;
    lane_line(type.lanes, cat(array, "[l] = ", made.code.text, ";"));
    known(id) = {.code = {array + "[l]"}, .array = array};
  }
}

Status BodyWriter::write_value(const Op& op) {
  Known made;
  std::vector<Code> operands;
  std::vector<Type> types;
  for (const ValueId id : op.operands) {
    operands.push_back(take_over(id, made));
    types.push_back(kernel_.type(id));
  }
  const Type type = kernel_.type(op.result());
  if (op.operands.size() == 1 && !known(op.operands[0]).widened.empty()) {
    const std::string& array = known(op.operands[0]).widened;
    known(op.result()) = {.code = {array + "[l]"}, .array = array};
    return {};
  }
  for (const int side : {0, 1})
    if (op.operands.size() == 2 && products_.contains(op.operands[side]))
      return write_sum(op, side), Status{};
  if (products_.contains(op.result())) {
    made.factors = {operands[0].text, operands[1].text};
    known(op.result()) = std::move(made);
    return {};
  }
  // Lane by lane, so that the function of one value serves vectors.
  if (kernel::is_math_function(op.kind, type.scalar_type())) {
    const std::string function = site_.math(op.kind, type.scalar);
    if (function.empty()) return no_c_for(op, kernel_, type);
    std::vector<std::string> texts;
    for (const Code& operand : operands) texts.push_back(operand.text);
    made.code = {cat(function, "(", join(texts, ", "), ")")};
  } else {
    made.code = expression({op, type, types, operands, site_.target, site_.prelude});
  }
  if (made.code.text.empty()) return no_c_for(op, kernel_, type);
  define(op, std::move(made));
  return {};
}

Status BodyWriter::write_load(const Op& op) {
  const Access& access = op.access();
  const Scalar element_type = kernel_.buffers[static_cast<size_t>(access.buffer)].element;
  const Scalar type = kernel_.type(op.result()).scalar;
  Known made;
  made.reads_memory = true;
  // In front of the loop over lanes: what it stores must not be read here.
  if (widened_.contains(op.result()) && !run_stores_) {
    made.widened = new_array({kernel::is_signed(type) ? Scalar::kS32 : Scalar::kU32, 4});
    line(cat(site_.prelude.widen_four(type), "(", made.widened, ", &", element(access, 1, made),
             ");"));
    known(op.result()) = std::move(made);
    return {};
  }
  made.code = {element(access, kernel_.type(op.result()).lanes, made)};
  if (type == Scalar::kPred && !single_values_)
    made.code = {made.code.text + " != 0", Binds::kCompare};
  else if (value_type(type) != value_type(element_type))
    made.code = {cat("(", value_type(type), ")", made.code.text), Binds::kUnary};
  if (access.mask != kernel::kNone) {
    const Code& mask = take_over(access.mask, made);
    const Code otherwise = access.otherwise == kernel::kNone ? constant_text(type, 0)
                                                             : take_over(access.otherwise, made);
    made.code = {
        cat(mask.at(Binds::kOr), " ? ", made.code.at(Binds::kOr), " : ", otherwise.at(Binds::kOr)),
        Binds::kChoice};
  }
  define(op, std::move(made));
  return {};
}

Status BodyWriter::write_store(const Op& op) {
  const Access& access = op.access();
  const Type type = kernel_.type(access.stored);
  const auto write = [&](const std::string& text) {
    type.is_vector() ? lane_line(type.lanes, text) : line(text);
  };
  Known unused;
  run_stores_ = run_stores_ || type.is_vector();
  const std::string to = element(access, type.lanes, unused);
  const Scalar element_type = kernel_.buffers[static_cast<size_t>(access.buffer)].element;
  Code value = known(access.stored).code;
  if (value_type(type.scalar) != value_type(element_type))
    value = {cat("(", value_type(element_type), ")", value.at(Binds::kUnary)), Binds::kUnary};
  if (access.mask == kernel::kNone) {
    write(cat(to, " = ", value.text, ";"));
    return {};
  }
  write(cat("if (", known(access.mask).code.text, ") {"));
  write(cat("  ", to, " = ", value.text, ";"));
  write("}");
  return {};
}

}  // namespace hlocc::backends
