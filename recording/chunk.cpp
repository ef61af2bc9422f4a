#include "tenon/recording/chunk.h"

#include <algorithm>
#include <string>

#include "tenon/engine/base/encoding.h"
#include "tenon/recording/detail/crc32c.h"

namespace tenon {
namespace {

using recording_detail::crc32c;

// As in PNG: a byte above 127, the name, and line ends that a text transfer would damage.
constexpr uint8_t kMagic[8] = {0x89, 'T', 'E', 'N', 'O', 'N', '\r', '\n'};
constexpr uint32_t kChunkMark = chunk_kind("TnCk");

template <size_t N>
std::array<std::byte, N> to_array(std::span<const std::byte> bytes) {
  std::array<std::byte, N> out{};
  std::copy_n(bytes.begin(), N, out.begin());
  return out;
}

}  // namespace

std::array<std::byte, kFileHeaderBytes> encode_file_header() {
  Encoder out;
  for (uint8_t b : kMagic) out.u8(b);
  out.u16(kFormatMajor);
  out.u16(kFormatMinor);
  out.u32(crc32c(out.view()));
  return to_array<kFileHeaderBytes>(out.view());
}

std::array<std::byte, kChunkHeaderBytes> encode(const ChunkHeader& header) {
  Encoder out;
  out.u32(kChunkMark);
  out.u32(header.kind);
  out.u32(static_cast<uint32_t>(header.codec));
  out.u32(header.stored_size);
  out.u32(header.raw_size);
  out.u32(header.payload_crc);
  out.u64(header.first_step);
  out.u64(header.last_step);
  out.f64(header.first_time);
  out.f64(header.last_time);
  out.u32(header.count);
  out.u32(crc32c(out.view()));
  return to_array<kChunkHeaderBytes>(out.view());
}

Result<ChunkHeader> decode_chunk_header(std::span<const std::byte, kChunkHeaderBytes> bytes,
                                        bool check_crc) {
  Decoder in(bytes);
  if (in.u32() != kChunkMark) return Error{.message = "no chunk starts here"};
  ChunkHeader header;
  header.kind = in.u32();
  const uint32_t codec = in.u32();
  header.codec = static_cast<Codec>(codec & 0xff);
  header.stored_size = in.u32();
  header.raw_size = in.u32();
  header.payload_crc = in.u32();
  header.first_step = in.u64();
  header.last_step = in.u64();
  header.first_time = in.f64();
  header.last_time = in.f64();
  header.count = in.u32();
  if (check_crc && in.u32() != crc32c(bytes.first(kChunkHeaderBytes - 4)))
    return Error{.message = "the chunk header is damaged (checksum)"};
  if (codec > 0xff) return Error{.message = "unknown codec", .value = std::to_string(codec)};
  return header;
}

bool is_recording(std::span<const std::byte> begin) {
  const size_t compared = std::min(begin.size(), sizeof kMagic);
  for (size_t i = 0; i < compared; ++i)
    if (static_cast<uint8_t>(begin[i]) != kMagic[i]) return false;
  return compared > 0;
}

Result<uint32_t> decode_file_header(std::span<const std::byte> bytes) {
  if (bytes.empty()) return Error{.message = "the file is empty, not a Tenon recording"};
  if (!is_recording(bytes))
    return Error{.message = "not a Tenon recording (wrong first bytes)",
                 .accepted = "what 'tenon run SCENE -o FILE.tenon' writes"};
  if (bytes.size() < kFileHeaderBytes)
    return Error{.message = "the recording was cut off inside its first 16 bytes"};
  Decoder in(bytes.subspan(sizeof kMagic));
  const uint16_t major = in.u16(), minor = in.u16();
  if (in.u32() != crc32c(bytes.first(kFileHeaderBytes - 4)))
    return Error{.message = "the file header is damaged (checksum)"};
  if (major != kFormatMajor)
    return Error{.message = "the recording has a format version that this program cannot read",
                 .value = std::to_string(major) + "." + std::to_string(minor),
                 .accepted = std::to_string(kFormatMajor) + ".x"};
  return uint32_t{minor};
}

}  // namespace tenon
