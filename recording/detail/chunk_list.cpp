#include "tenon/recording/detail/chunk_list.h"

#include "tenon/engine/base/encoding.h"
#include "tenon/recording/detail/crc32c.h"

namespace tenon::recording_detail {
namespace {

constexpr size_t kTailBytes = kChunkHeaderBytes + 8;
constexpr size_t kIndexEntryBytes = 8 + kChunkHeaderBytes;

bool verify(const ReadOptions& options) {
  return options.checksums == ReadOptions::Checksums::kVerify;
}

uint64_t end_of(const ChunkEntry& entry) {
  return entry.offset + kChunkHeaderBytes + entry.header.stored_size;
}

Result<ChunkHeader> read_header(ByteSource& source, uint64_t offset, const ReadOptions& options) {
  std::array<std::byte, kChunkHeaderBytes> bytes;
  if (auto status = source.read_at(offset, bytes); !status) return status.error();
  return decode_chunk_header(bytes, verify(options));
}

// The index chunk that the last bytes of the file point to.
Result<ChunkEntry> find_index(ByteSource& source, const ReadOptions& options) {
  const uint64_t size = source.size();
  if (size < kFileHeaderBytes + kTailBytes) return Error{.message = "too short for an index"};
  ChunkEntry tail{size - kTailBytes, {}};
  const auto tail_header = read_header(source, tail.offset, options);
  if (!tail_header) return tail_header.error();
  tail.header = *tail_header;
  if (tail.header.kind != kChunkTail || tail.header.stored_size != 8)
    return Error{.message = "no back-pointer at the end"};
  const auto pointer = read_payload(source, tail, options);
  if (!pointer) return pointer.error();
  ChunkEntry index{Decoder(*pointer).u64(), {}};
  if (index.offset < kFileHeaderBytes || index.offset > tail.offset ||
      tail.offset - index.offset < kChunkHeaderBytes)
    return Error{.message = "the back-pointer leads out of the file"};
  const auto header = read_header(source, index.offset, options);
  if (!header) return header.error();
  index.header = *header;
  if (index.header.kind != kChunkIndex || end_of(index) != tail.offset)
    return Error{.message = "the back-pointer leads to no index"};
  return index;
}

}  // namespace

Error error_at(const ByteSource& source, uint64_t offset, const Error& cause) {
  Error error = cause;
  error.file = source.name();
  error.message += " at byte " + std::to_string(offset);
  return error;
}

Result<std::vector<std::byte>> read_payload(ByteSource& source, const ChunkEntry& entry,
                                            const ReadOptions& options) {
  const ChunkHeader& header = entry.header;
  const auto refuse = [&](Error cause) { return error_at(source, entry.offset, cause); };
  if (entry.offset > source.size() || end_of(entry) > source.size())
    return refuse({.message = "a chunk reaches beyond the end of the file"});
  if (header.raw_size > options.max_chunk_bytes || header.stored_size > options.max_chunk_bytes)
    return refuse({.message = "a chunk claims to be too large",
                   .value = std::to_string(header.raw_size) + " bytes",
                   .accepted = "at most " + std::to_string(options.max_chunk_bytes)});
  std::vector<std::byte> stored(header.stored_size);
  if (auto status = source.read_at(entry.offset + kChunkHeaderBytes, stored); !status)
    return status.error();
  if (verify(options) && crc32c(stored) != header.payload_crc)
    return refuse({.message = "a chunk is damaged (checksum)"});
  if (header.codec == Codec::kRaw && header.stored_size == header.raw_size) return stored;
  auto raw = decompress(header.codec, stored, header.raw_size);
  if (!raw) return refuse(raw.error());
  return raw;
}

Result<ChunkList> load_index(ByteSource& source, const ReadOptions& options) {
  const auto index = find_index(source, options);
  if (!index) return index.error();
  const auto bytes = read_payload(source, *index, options);
  if (!bytes) return bytes.error();
  if (bytes->size() % kIndexEntryBytes != 0) return Error{.message = "the index has an odd size"};
  ChunkList list;
  list.from_index = true;
  list.entries.reserve(bytes->size() / kIndexEntryBytes + 2);
  for (size_t at = 0; at < bytes->size(); at += kIndexEntryBytes) {
    const auto entry = std::span(*bytes).subspan(at, kIndexEntryBytes);
    const uint64_t offset = Decoder(entry).u64();
    const auto header =
        decode_chunk_header(entry.subspan(8).first<kChunkHeaderBytes>(), verify(options));
    if (!header) return header.error();
    // chunks lie side by side, so an index that skips or overlaps is not this file's
    if (offset != list.end) return Error{.message = "the index does not fit the file"};
    list.entries.push_back({offset, *header});
    list.end = end_of(list.entries.back());
  }
  if (list.end != index->offset) return Error{.message = "the index does not fit the file"};
  list.entries.push_back(*index);
  list.end = source.size();
  return list;
}

Status scan_chunks(ByteSource& source, const ReadOptions& options, ChunkList& list) {
  list.stopped.clear();
  const uint64_t size = source.size();
  while (list.end < size) {
    const std::string place = " at byte " + std::to_string(list.end);
    if (size - list.end < kChunkHeaderBytes) {
      list.stopped = "the file ends inside a chunk header" + place;
      return Ok{};
    }
    std::array<std::byte, kChunkHeaderBytes> bytes;
    if (auto status = source.read_at(list.end, bytes); !status) return status;
    const auto header = decode_chunk_header(bytes, verify(options));
    if (!header) {
      list.stopped = header.error().message + place;
      return Ok{};
    }
    const ChunkEntry entry{list.end, *header};
    if (end_of(entry) > size) {
      list.stopped = "the file ends inside a chunk" + place;
      return Ok{};
    }
    list.entries.push_back(entry);
    list.end = end_of(entry);
  }
  return Ok{};
}

}  // namespace tenon::recording_detail
