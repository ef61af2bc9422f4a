// Which chunks a file has: from its index, or by walking over the chunk headers.
#pragma once

#include <string>
#include <vector>

#include "tenon/recording/bytes.h"
#include "tenon/recording/chunk.h"
#include "tenon/recording/reader.h"

namespace tenon::recording_detail {

struct ChunkList {
  std::vector<ChunkEntry> entries;  // in file order
  bool from_index = false;
  uint64_t end = kFileHeaderBytes;  // first byte that belongs to no complete chunk
  std::string stopped;  // why the walk ended before the end of the file; empty = it did not
};

// An error that names the source and the place.
Error error_at(const ByteSource& source, uint64_t offset, const Error& cause);

// Unpacks one chunk, after checking sizes (against the file and the options) and checksum.
Result<std::vector<std::byte>> read_payload(ByteSource& source, const ChunkEntry& entry,
                                            const ReadOptions& options);

// The index at the end of the file, or an error when there is none that fits the file exactly.
Result<ChunkList> load_index(ByteSource& source, const ReadOptions& options);

// Walks on from list.end over chunk headers until the file ends or makes no sense any more.
// Fails only when the device does.
Status scan_chunks(ByteSource& source, const ReadOptions& options, ChunkList& list);

}  // namespace tenon::recording_detail
