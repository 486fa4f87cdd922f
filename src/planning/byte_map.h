// Who wrote which bytes last: for each region a map from byte ranges to owners. An owner is a
// number and the index of the owner's byte that lies at the start of the range, so that a shifted
// copy is not taken for the value.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace hlocc::planning {

class ByteMap {
 public:
  using Owner = int;
  struct Segment {
    int64_t end;
    Owner owner;
    int64_t first;  // the owner's byte at the start of the segment
    bool operator==(const Segment&) const = default;
  };

  // The bytes [begin, begin + size) become the owner's bytes 0 .. size.
  void write(int64_t begin, int64_t size, Owner owner);
  // Of no value.
  void clear(int64_t begin, int64_t size);
  void clear_owners(const std::function<bool(Owner)>& which);
  // The bytes at `to` become those at `from` of a map, of whatever values they are.
  void copy(const ByteMap& source, int64_t from, int64_t size, int64_t to);
  // Empty if all these bytes are the owner's from its byte `first` on, in order; else who has the
  // first one that is not: kNobody or an owner.
  static constexpr Owner kNobody = -1;
  std::optional<Owner> other_than(int64_t begin, int64_t size, Owner owner,
                                  int64_t first = 0) const;
  // The owner of the byte.
  Owner owner_at(int64_t at) const;
  // Keeps only what both say.
  void intersect(const ByteMap& other);
  bool operator==(const ByteMap&) const = default;

 private:
  void cut(int64_t at);
  std::map<int64_t, Segment> segments_;  // by begin
};

}  // namespace hlocc::planning
