// Ops between replicas, with the host, and the asynchronous pairs. We serve one replica and one
// partition: what is checked is what identity needs.
#pragma once
#include "ops/check/checks.h"

namespace hlocc::ops {

// u32[]: the number of this replica or partition.
Result<Shape> infer_device_number(const Site& site);
// The operand, or a tuple of several.
Result<Shape> infer_operands(const Site& site);
// A reduction across replicas: as infer_operands, with a reducer for each operand's type.
Result<Shape> infer_all_reduce(const Site& site);
// all-gather and reduce-scatter: the operand with one dimension made longer or shorter.
Result<Shape> infer_rescaled(const Site& site);
// Tuple of operands and results in flight.
Result<Shape> infer_start(const Site& site);
// The result part of such a tuple.
Result<Shape> infer_done(const Site& site);
// Infeed, send and their kin: taken as stated.
Result<Shape> infer_stated(const Site& site);

Result<Shape> infer(Op<Opcode::kAllToAll>, const Site& site);
Result<Shape> infer(Op<Opcode::kAsyncStart>, const Site& site);
Result<Shape> infer(Op<Opcode::kCopyStart>, const Site& site);
Result<Shape> infer(Op<Opcode::kCopyDone>, const Site& site);

inline Result<Shape> infer(Op<Opcode::kReplicaId>, const Site& s) { return infer_device_number(s); }
inline Result<Shape> infer(Op<Opcode::kPartitionId>, const Site& s) {
  return infer_device_number(s);
}
inline Result<Shape> infer(Op<Opcode::kAllReduce>, const Site& s) { return infer_all_reduce(s); }
inline Result<Shape> infer(Op<Opcode::kAllReduceStart>, const Site& s) {
  return infer_all_reduce(s);
}
inline Result<Shape> infer(Op<Opcode::kAllReduceDone>, const Site& s) { return infer_operands(s); }
inline Result<Shape> infer(Op<Opcode::kCollectiveReduce>, const Site& s) {
  return infer_all_reduce(s);
}
inline Result<Shape> infer(Op<Opcode::kReduceScatter>, const Site& s) { return infer_rescaled(s); }
inline Result<Shape> infer(Op<Opcode::kAllGather>, const Site& s) { return infer_rescaled(s); }
inline Result<Shape> infer(Op<Opcode::kAllGatherStart>, const Site& s) { return infer_start(s); }
inline Result<Shape> infer(Op<Opcode::kAllGatherDone>, const Site& s) { return infer_done(s); }
inline Result<Shape> infer(Op<Opcode::kCollectivePermute>, const Site& s) {
  return infer_operands(s);
}
inline Result<Shape> infer(Op<Opcode::kCollectivePermuteStart>, const Site& s) {
  return infer_start(s);
}
inline Result<Shape> infer(Op<Opcode::kCollectivePermuteDone>, const Site& s) {
  return infer_done(s);
}
inline Result<Shape> infer(Op<Opcode::kCollectiveBroadcast>, const Site& s) {
  return infer_operands(s);
}
inline Result<Shape> infer(Op<Opcode::kAsyncUpdate>, const Site& s) {
  return with_default_layout(s.operand(0));
}
inline Result<Shape> infer(Op<Opcode::kAsyncDone>, const Site& s) { return infer_done(s); }
inline Result<Shape> infer(Op<Opcode::kRaggedAllToAll>, const Site& s) { return infer_stated(s); }
inline Result<Shape> infer(Op<Opcode::kInfeed>, const Site& s) { return infer_stated(s); }
inline Result<Shape> infer(Op<Opcode::kOutfeed>, const Site& s) { return infer_stated(s); }
inline Result<Shape> infer(Op<Opcode::kSend>, const Site& s) { return infer_stated(s); }
inline Result<Shape> infer(Op<Opcode::kSendDone>, const Site& s) { return infer_stated(s); }
inline Result<Shape> infer(Op<Opcode::kRecv>, const Site& s) { return infer_stated(s); }
inline Result<Shape> infer(Op<Opcode::kRecvDone>, const Site& s) { return infer_stated(s); }

}  // namespace hlocc::ops
