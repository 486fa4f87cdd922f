// The constants of the header for the preprocessor: sizes, shapes, strides, error codes.
#include "package/header_parts.h"
#include "planning/timed_steps.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

// The constants of one leaf below one name: ACME_KWS_ARG0_.
std::string leaf_macros(const HeaderLeaf& l, const std::string& start) {
  const hlo::Shape& shape = l.leaf->shape;
  const hlo::Dimensions strides = strides_of(shape);
  const std::string pairs = l.type.per_element == 2 ? cat(" /* pairs of ", l.type.name, " */") : "";
  std::string out = cat("#define ", start, "BYTES ", l.leaf->bytes(), "\n#define ", start, "COUNT ",
                        shape.element_count(), pairs, "\n#define ", start, "ALIGN ", l.align,
                        "\n#define ", start, "RANK ", shape.rank(), "\n");
  for (int d = 0; d < shape.rank(); ++d)
    out += cat("#define ", start, "DIM", d, " ", shape.dimensions[d], "\n");
  for (int d = 0; d < shape.rank(); ++d)
    out += cat("#define ", start, "STRIDE", d, " ", strides[d], "\n");
  if (shape.rank() > 0)
    out += cat("#define ", start, "SHAPE {", join(shape.dimensions, ", "), "}\n");
  return out;
}

// A name keeps its case, because x and X are two leaves.
std::string macro_name(const HeaderLeaf& l, size_t base) {
  const char* kind = l.is_argument ? "ARG" : "RESULT";
  return base == 0 ? cat(std::string(kind), l.leaf->index, "_")
                   : cat(std::string(kind), "_", l.leaf->name, "_");
}

// What a driver of the device beside must know (hlocc_device.h).
std::string device_macros(const HeaderFacts& facts) {
  if (facts.plan->memories.empty()) return "";
  const planning::DeviceMemory& memory = facts.plan->memories[0];
  return cat("\n/* The device's memory that a run works in. */\n#define @MDEVICE_BYTES ",
             memory.bytes, "\n#define @MDEVICE_ALIGN ", memory.align, "\n");
}

// Rows that a profile needs (hlocc_profile.h).
std::string profile_macros(const HeaderFacts& facts) {
  if (!facts.target->options.profile) return "";
  return cat("\n/* Steps that run tells hlocc_profile_step of. */\n#define @MPROFILE_STEPS ",
             planning::timed_steps(*facts.plan).size(), "\n");
}

}  // namespace

std::string header_macros(const HeaderFacts& facts) {
  const std::string& m = facts.macro();
  std::string out = facts.fill(
      cat("#define @MARENA_BYTES ", facts.arena_bytes, "\n#define @MARENA_ALIGN ",
          facts.plan->arena_align, "\n#define @MSTATE_BYTES ", facts.plan->state_bytes,
          "\n#define @MNUM_ARGS ", facts.arguments.size(), "\n#define @MNUM_RESULTS ",
          facts.results.size(),
          "\n/* Changes whenever state or arguments of another compile would not fit. */\n#define "
          "@MINTERFACE \"",
          facts.hash, "\"\n", memory_macros(facts), device_macros(facts), profile_macros(facts)));
  if (!facts.leaves().empty())
    out += "\n/* Strides count elements. ALIGN is what a buffer of your own must be aligned to. */";
  for (const HeaderLeaf& l : facts.leaves())
    for (size_t base = 0; base < (l.leaf->name.empty() ? 1u : 2u); ++base)
      out += cat("\n", leaf_macros(l, m + macro_name(l, base)));
  return out + stream_macros(facts) +
         facts.fill(
             "\n/* What init, run and set_..._data return. */\n#define @MOK 0\n"
             "#define @MERROR_NULL 1  /* no instance or no arena */\n"
             "#define @MERROR_ALIGN 2 /* the arena, or a buffer, is not aligned */\n") +
         (facts.plan->memories.empty()
              ? ""
              : facts.fill(
                    "#define @MERROR_DEVICE 100 /* there is no driver of the device; what is "
                    "above is the driver's own code: hlocc_device.h */\n"));
}

}  // namespace hlocc::package
