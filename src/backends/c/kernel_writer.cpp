// See kernel_writer.h.
#include "backends/c/kernel_writer.h"

#include <algorithm>
#include <set>

#include "backends/c/body_writer.h"
#include "kernel/legalize/packed_words.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Direction;

// Of a kernel beside whose work a call is nothing.
constexpr int64_t kManyMultiplications = 1024;

std::vector<std::string> buffer_names(const kernel::Kernel& kernel) {
  std::vector<std::string> names;
  std::set<std::string> used;
  for (const kernel::Buffer& buffer : kernel.buffers) {
    const std::string wanted = safe_name(buffer.name);
    std::string name = wanted;
    for (int number = 2; !used.insert(name).second; ++number) name = cat(wanted, "_", number);
    names.push_back(name);
  }
  return names;
}

// Multiplications that one launch does; `known` becomes false where that depends on values, of
// which nothing is counted but one iteration of each loop.
int64_t multiplications(const kernel::Kernel& kernel, const kernel::Region& region, bool& known) {
  int64_t sum = 0;
  for (const kernel::Op& op : region.ops) {
    if (op.kind == kernel::OpKind::kMul || op.kind == kernel::OpKind::kMulAdd ||
        op.kind == kernel::OpKind::kMulHi || op.kind == kernel::OpKind::kMulShiftRight)
      sum += kernel.type(op.result()).lanes;
    if (op.kind == kernel::OpKind::kDotAccumulate) sum += kernel.type(op.operands[1]).lanes;
    int64_t inside = 0;
    for (const kernel::Region& inner : op.regions) inside += multiplications(kernel, inner, known);
    if (inside == 0) continue;
    const auto* loop = std::get_if<kernel::Loop>(&op.payload);
    known = known && op.kind != kernel::OpKind::kWhile;
    if (loop != nullptr) {
      const kernel::Affine trip = loop->upper.plus(loop->lower.times(-1));
      known = known && trip.is_constant();
      if (trip.is_constant())
        inside *= std::max<int64_t>(0, (trip.offset + loop->step - 1) / loop->step);
    }
    sum += inside;
  }
  return sum;
}

std::string comment(const kernel::Kernel& kernel, const std::vector<std::string>& names) {
  std::string out = "/* " + for_c_comment(kernel.name);
  if (!kernel.origin.empty()) out += for_c_comment(": computes " + join(kernel.origin, ", "));
  out += ".\n";
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    const kernel::Buffer& buffer = kernel.buffers[i];
    out += cat(" *   ", names[i], ": ", kernel::direction_name(buffer.direction), " ",
               kernel::scalar_name(buffer.element), "[", buffer.elements, "]\n");
  }
  bool known = true;
  if (const int64_t count = multiplications(kernel, kernel.body, known); known && count > 0)
    out += cat(" * ", count, " multiplications. */\n");
  else
    out += " */\n";
  return out;
}

std::string parameter(const kernel::Buffer& buffer, const BufferText& text, Prelude& prelude) {
  const std::string type = prelude.memory(buffer.element);
  switch (text.held) {
    case Held::kArray: return cat(prelude.from(), "(", type, ") ", text.name);
    case Held::kParts: return cat("const ", prelude.from(), "(", type, ") *", text.name);
    default: break;
  }
  return cat(buffer.direction == Direction::kIn ? "const " : "", type, " *",
             text.unshared ? "restrict " : "", text.name);
}

}  // namespace

Result<std::string> write_kernel(const kernel::Kernel& kernel, const KernelSite& site) {
  const std::vector<std::string> names = buffer_names(kernel);
  std::vector<std::string> parameters;
  std::vector<BufferText> buffers;
  std::string locals;
  const auto bound = static_cast<size_t>(kernel.bound_buffers());
  size_t next = 0;
  for (size_t i = 0; i < kernel.buffers.size(); ++i) {
    const kernel::Buffer& buffer = kernel.buffers[i];
    const std::string type = site.prelude.memory(buffer.element);
    const bool own =
        buffer.direction == Direction::kScratch && buffer.space == kernel::Space::kStack;
    if (own || next >= bound) {
      locals += cat("  ", type, " ", names[i], "[", std::max<int64_t>(buffer.elements, 1), "];\n");
      buffers.push_back({names[i]});
      continue;
    }
    const bool unshared = next < site.unshared.size() && site.unshared[next];
    const Held held = next < site.held.size() ? site.held[next] : Held::kMemory;
    buffers.push_back(
        {names[i], unshared, held, buffer.alignment % 4 == 0 && buffer.alignment > 0});
    ++next;
    parameters.push_back(parameter(buffer, buffers.back(), site.prelude));
    locals += cat("  (void)", names[i], ";\n");
  }
  BodyWriter body(kernel, site, std::move(buffers), false);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const std::string name = cat("n", i);
    parameters.push_back("ptrdiff_t " + name);
    locals += cat("  (void)", name, ";\n");
    body.name_value(kernel.parameters[i], name);
  }
  HLOCC_TRY(body.write_region(kernel.body));
  const std::string order =
      body.keeps_order() && !site.target.out_of_order ? site.prelude.in_order() + " " : "";
  // What is inlined knows where constants lie, which is worth more to tiles of words.
  bool known = true;
  const bool is_long = multiplications(kernel, kernel.body, known) >= kManyMultiplications &&
                       !kernel::has_packed_words(site.target);
  const std::string linkage = is_long ? site.prelude.kernel() : "static",
                    one = site.called_again ? site.prelude.one_copy() + " " : "";
  return wrapped(cat(comment(kernel, names), order, one, linkage, " void ", site.symbol, "(",
                     parameters.empty() ? "void" : join(parameters, ", "), ") {\n", locals,
                     body.take(), "}\n"));
}

Result<std::string> write_function(const kernel::Kernel& kernel, const KernelSite& site) {
  std::vector<BufferText> buffers;
  for (const std::string& name : buffer_names(kernel)) buffers.push_back({name});
  const std::string result = buffers.back().name;
  std::vector<std::string> parameters;
  const std::string type = value_type(kernel.buffers[0].element);
  for (size_t i = 0; i + 1 < buffers.size(); ++i)
    parameters.push_back(cat(type, " ", buffers[i].name));
  BodyWriter body(kernel, site, std::move(buffers), true);
  HLOCC_TRY(body.write_region(kernel.body));
  return wrapped(cat("static ", type, " ", site.symbol, "(", join(parameters, ", "), ") {\n  ",
                     type, " ", result, ";\n", body.take(), "  return ", result, ";\n}\n"));
}

}  // namespace hlocc::backends
