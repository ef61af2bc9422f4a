// Packs columns of 64-bit words over many frames without loss: predict, keep the difference, keep
// only its significant bytes, sort those by place value. What is left packs well with zstd and is
// small already without it.
#pragma once

#include <optional>
#include <vector>

#include "tenon/engine/base/encoding.h"
#include "tenon/recording/detail/predict.h"

namespace tenon::recording_detail {

// frames x items x channels words. A table is one item with a channel per column; a pose track has
// an item per body with kBodyChannels channels.
struct TrackShape {
  uint32_t frames = 0;
  uint32_t items = 0;
  std::vector<ColumnType> types;  // one per channel
  bool bodies = false;            // channels are those of a body
  double h = 0;                   // s between frames, for bodies
  size_t channels() const { return types.size(); }
};

TrackShape body_track(uint32_t frames, uint32_t bodies, double h);

// Appends the packed form of `words`, ordered [frame][item][channel].
void encode_track(Encoder& out, const TrackShape& shape, std::span<const uint64_t> words);

// Reads it back; nothing when the bytes are malformed or the words fail their checksum
// (`check_crc`). Allocates at most 16 times the bytes that are there.
std::optional<std::vector<uint64_t>> decode_track(Decoder& in, const TrackShape& shape,
                                                  bool check_crc);

}  // namespace tenon::recording_detail
