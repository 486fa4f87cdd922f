// Spread of bytes: a word of four whose middle two change places is widened to 16 bits, as tiles of
// products read their weights. SXTB16 makes its even bytes two halves and its odd bytes two more.
#include "kernel/legalize/packed_words.h"
#include "kernel/legalize/table.h"
#include "kernel/raise/idioms.h"

namespace hlocc::kernel {

bool raise_spread_bytes(RaiseSite& site) {
  const Type type = site.types[site.op.result()];
  if (!decide(OpKind::kSpreadBytes, type, type, site.target).keep) return false;
  const Op* const taken = site.made(site.op.operands[0], OpKind::kShuffle);
  if (taken == nullptr || !fills_words(type)) return false;
  const ValueId bytes = taken->operands[0];
  if (site.made(bytes, OpKind::kConstant) != nullptr) return false;  // compilers fold what it is
  const int word =
      picked_interleaved_word(site.types[bytes], std::get<Shuffle>(taken->payload).lanes);
  if (word < 0 || scalar_bits(type.scalar) != 16) return false;
  site.bypassed.push_back(taken->result());
  site.finish({.kind = OpKind::kSpreadBytes, .operands = {bytes}, .payload = Lane{word}});
  return true;
}

}  // namespace hlocc::kernel
