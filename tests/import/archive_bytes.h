// Zip archives of tests, members stored or packed.
#pragma once
#include <zlib.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace hlocc::import {

inline void put(std::string& out, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i & 0xff);
}

inline std::string deflated(const std::string& text) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(text.size() + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct ZipPart {
  std::string name, content, extra, comment;
  bool is_packed = false;
};

inline std::string zip_of(const std::vector<ZipPart>& parts, const std::string& comment) {
  std::string out, directory;
  for (const ZipPart& part : parts) {
    const std::string packed = part.is_packed ? deflated(part.content) : part.content;
    const auto crc =
        static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(part.content.data()),
                                    static_cast<uInt>(part.content.size())));
    const auto header = static_cast<uint32_t>(out.size());
    const auto common = [&](std::string& to) {
      put(to, 20, 2);
      put(to, 0, 2);
      put(to, part.is_packed ? 8 : 0, 2);
      put(to, 0, 4);
      put(to, crc, 4);
      put(to, static_cast<uint32_t>(packed.size()), 4);
      put(to, static_cast<uint32_t>(part.content.size()), 4);
      put(to, static_cast<uint32_t>(part.name.size()), 2);
      put(to, static_cast<uint32_t>(part.extra.size()), 2);
    };
    put(out, 0x04034b50, 4);
    common(out);
    out += part.name + part.extra + packed;
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    common(directory);
    put(directory, static_cast<uint32_t>(part.comment.size()), 2);
    put(directory, 0, 2);
    put(directory, 0, 2);
    put(directory, 0, 4);
    put(directory, header, 4);
    directory += part.name + part.extra + part.comment;
  }
  const auto start = static_cast<uint32_t>(out.size());
  out += directory;
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, static_cast<uint32_t>(parts.size()), 2);
  put(out, static_cast<uint32_t>(parts.size()), 2);
  put(out, static_cast<uint32_t>(directory.size()), 4);
  put(out, start, 4);
  put(out, static_cast<uint32_t>(comment.size()), 2);
  return out + comment;
}

}  // namespace hlocc::import
