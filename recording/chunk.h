// The frame of every chunk in a recording: 64 bytes of header, then the stored payload.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tenon/recording/codec.h"

namespace tenon {

// A reader refuses another major version; minor versions only add chunk kinds and properties.
inline constexpr uint16_t kFormatMajor = 1;
inline constexpr uint16_t kFormatMinor = 3;  // 1: joints; 2: contacts; 3: files
inline constexpr size_t kFileHeaderBytes = 16;
inline constexpr size_t kChunkHeaderBytes = 64;

// Four letters, read as a little-endian number.
constexpr uint32_t chunk_kind(const char (&letters)[5]) {
  uint32_t kind = 0;
  for (int i = 3; i >= 0; --i) kind = kind << 8 | static_cast<uint8_t>(letters[i]);
  return kind;
}
inline constexpr uint32_t kChunkRun = chunk_kind("RUNS");
inline constexpr uint32_t kChunkScene = chunk_kind("SCEN");
inline constexpr uint32_t kChunkFile = chunk_kind("FILE");
inline constexpr uint32_t kChunkKeyframe = chunk_kind("KEYF");
inline constexpr uint32_t kChunkPoses = chunk_kind("POSE");
inline constexpr uint32_t kChunkEvents = chunk_kind("EVNT");
inline constexpr uint32_t kChunkEventJoints = chunk_kind("EVJT");
inline constexpr uint32_t kChunkEventImpulses = chunk_kind("EVIM");
inline constexpr uint32_t kChunkJoints = chunk_kind("JNTS");
inline constexpr uint32_t kChunkContacts = chunk_kind("CONT");
inline constexpr uint32_t kChunkDiagnostics = chunk_kind("DIAG");
inline constexpr uint32_t kChunkTimings = chunk_kind("TIME");
inline constexpr uint32_t kChunkEnd = chunk_kind("ENDR");
inline constexpr uint32_t kChunkIndex = chunk_kind("INDX");
inline constexpr uint32_t kChunkTail = chunk_kind("TAIL");

struct ChunkHeader {
  uint32_t kind = 0;
  Codec codec = Codec::kRaw;
  uint32_t stored_size = 0;  // bytes that follow the header
  uint32_t raw_size = 0;     // bytes after unpacking
  uint32_t payload_crc = 0;  // CRC-32C of the stored bytes
  uint64_t first_step = 0, last_step = 0;
  double first_time = 0, last_time = 0;  // s
  uint32_t count = 0;                    // frames, rows or events inside; 1 otherwise
  friend bool operator==(const ChunkHeader&, const ChunkHeader&) = default;
};

// A chunk and where its header starts.
struct ChunkEntry {
  uint64_t offset = 0;
  ChunkHeader header;
};

std::array<std::byte, kFileHeaderBytes> encode_file_header();
std::array<std::byte, kChunkHeaderBytes> encode(const ChunkHeader& header);

// Fails (message without place) on a wrong mark or checksum.
Result<ChunkHeader> decode_chunk_header(std::span<const std::byte, kChunkHeaderBytes> bytes,
                                        bool check_crc = true);

// Whether bytes are the begin of a recording, be it one that was cut off in its first bytes.
bool is_recording(std::span<const std::byte> begin);

// The minor version, or why this is no recording that we can read.
Result<uint32_t> decode_file_header(std::span<const std::byte> bytes);

}  // namespace tenon
