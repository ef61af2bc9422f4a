#include "tenon/recording/detail/track.h"

#include <algorithm>
#include <array>

#include "tenon/recording/detail/crc32c.h"

namespace tenon::recording_detail {
namespace {

std::span<const Predictor> allowed(const TrackShape& shape, int channel) {
  return shape.bodies ? body_candidates(channel)
                      : candidates(shape.types[static_cast<size_t>(channel)]);
}

uint64_t difference(ColumnType type, uint64_t word, uint64_t guess) {
  if (type == ColumnType::kInteger) return to_zigzag(word - guess);
  return to_zigzag(to_ordered(word) - to_ordered(guess));
}

uint64_t undo_difference(ColumnType type, uint64_t zigzag, uint64_t guess) {
  if (type == ColumnType::kInteger) return guess + from_zigzag(zigzag);
  return from_ordered(to_ordered(guess) + from_zigzag(zigzag));
}

int significant_bytes(uint64_t word) { return (64 - std::countl_zero(word) + 7) / 8; }

// The predictor with the fewest significant bits; the first of equals. Leaves its differences in
// `best`; `trial` is scratch of the same size.
Predictor choose(const TrackShape& shape, const Columns& columns, int channel,
                 std::vector<uint64_t>& best, std::vector<uint64_t>& trial) {
  const ColumnType type = shape.types[static_cast<size_t>(channel)];
  Predictor chosen{};
  uint64_t best_bits = ~uint64_t{0};
  for (Predictor predictor : allowed(shape, channel)) {
    uint64_t bits = 0;
    // frame 0 is the same for all of them
    for (uint32_t f = 0; f < shape.frames && bits < best_bits; ++f) {
      trial[f] =
          difference(type, columns.bits(channel, f), predict(predictor, columns, channel, f));
      if (f > 0) bits += 64 - static_cast<uint64_t>(std::countl_zero(trial[f]));
    }
    if (bits >= best_bits) continue;
    best_bits = bits;
    chosen = predictor;
    std::swap(best, trial);
    if (best_bits == 0) break;
  }
  return chosen;
}

uint32_t words_crc(std::span<const uint64_t> words) {
  uint32_t crc = 0;
  std::array<std::byte, 512> block;
  for (size_t i = 0; i < words.size();) {
    const size_t count = std::min<size_t>(64, words.size() - i);
    for (size_t k = 0; k < count; ++k)
      for (size_t b = 0; b < 8; ++b)
        block[8 * k + b] = static_cast<std::byte>(words[i + k] >> (8 * b));
    crc = crc32c(std::span(block).first(8 * count), crc);
    i += count;
  }
  return crc;
}

// One channel's differences of all items: half a byte of length each, then the significant bytes,
// lowest first, all first bytes before all second bytes and so on.
void encode_channel(Encoder& out, std::span<const uint64_t> differences) {
  std::vector<std::byte> lengths((differences.size() + 1) / 2);
  std::array<size_t, 8> cursor{};
  for (size_t i = 0; i < differences.size(); ++i) {
    const int length = significant_bytes(differences[i]);
    lengths[i / 2] |= static_cast<std::byte>(length << (i % 2 * 4));
    for (int k = 0; k < length; ++k) ++cursor[static_cast<size_t>(k)];
  }
  out.bytes(lengths);
  // counts become starting places
  size_t total = 0;
  for (size_t& place : cursor) {
    const size_t count = place;
    place = total;
    total += count;
  }
  std::vector<std::byte> planes(total);
  for (uint64_t word : differences)
    for (size_t k = 0; word != 0; ++k, word >>= 8)
      planes[cursor[k]++] = static_cast<std::byte>(word & 0xff);
  out.bytes(planes);
}

bool decode_channel(Decoder& in, std::span<uint64_t> differences) {
  const auto lengths = in.bytes((differences.size() + 1) / 2);
  if (!in.ok()) return false;
  const auto length_of = [&](size_t i) {
    return static_cast<size_t>(lengths[i / 2] >> (i % 2 * 4) & std::byte{15});
  };
  std::array<size_t, 8> cursor{};
  for (size_t i = 0; i < differences.size(); ++i) {
    if (length_of(i) > 8) return false;
    for (size_t k = 0; k < length_of(i); ++k) ++cursor[k];
  }
  size_t total = 0;
  for (size_t& place : cursor) {
    const size_t count = place;
    place = total;
    total += count;
  }
  const auto planes = in.bytes(total);
  if (!in.ok()) return false;
  for (size_t i = 0; i < differences.size(); ++i) {
    uint64_t word = 0;
    for (size_t k = 0; k < length_of(i); ++k)
      word |= static_cast<uint64_t>(planes[cursor[k]++]) << (8 * k);
    differences[i] = word;
  }
  return true;
}

// Words of one item, from [frame][item][channel] to [channel][frame] and back.
void gather(const TrackShape& shape, std::span<const uint64_t> words, uint32_t item,
            std::vector<uint64_t>& local) {
  const size_t channels = shape.channels();
  for (uint32_t f = 0; f < shape.frames; ++f)
    for (size_t c = 0; c < channels; ++c)
      local[c * shape.frames + f] = words[(size_t{f} * shape.items + item) * channels + c];
}
void scatter(const TrackShape& shape, const std::vector<uint64_t>& local, uint32_t item,
             std::span<uint64_t> words) {
  const size_t channels = shape.channels();
  for (uint32_t f = 0; f < shape.frames; ++f)
    for (size_t c = 0; c < channels; ++c)
      words[(size_t{f} * shape.items + item) * channels + c] = local[c * shape.frames + f];
}

// Adds the guesses to the differences of one item, in place: [channel][frame] differences in,
// words out. Velocities come before positions, whose guesses use them.
void restore_item(const TrackShape& shape, std::span<const Predictor> predictors,
                  std::vector<uint64_t>& local) {
  const Columns columns{local.data(), shape.frames, shape.h};
  const int channels = static_cast<int>(shape.channels());
  for (int i = 0; i < channels; ++i) {
    const int c = shape.bodies ? (i + kFirstVelocity) % kBodyChannels : i;
    // quaternion components guess from each other, hence frame by frame below
    if (shape.bodies && c >= kFirstQuaternion && c < kFirstVelocity) continue;
    for (uint32_t f = 0; f < shape.frames; ++f) {
      uint64_t& word = local[static_cast<size_t>(c) * shape.frames + f];
      word = undo_difference(shape.types[static_cast<size_t>(c)], word,
                             predict(predictors[static_cast<size_t>(c)], columns, c, f));
    }
  }
  if (!shape.bodies) return;
  for (uint32_t f = 0; f < shape.frames; ++f)
    for (int c = kFirstQuaternion; c < kFirstVelocity; ++c) {
      uint64_t& word = local[static_cast<size_t>(c) * shape.frames + f];
      word = undo_difference(ColumnType::kDouble, word,
                             predict(predictors[static_cast<size_t>(c)], columns, c, f));
    }
}

}  // namespace

TrackShape body_track(uint32_t frames, uint32_t bodies, double h) {
  return {frames, bodies, std::vector<ColumnType>(kBodyChannels, ColumnType::kDouble), true, h};
}

void encode_track(Encoder& out, const TrackShape& shape, std::span<const uint64_t> words) {
  const size_t channels = shape.channels(), per_channel = size_t{shape.items} * shape.frames;
  std::vector<Predictor> chosen(channels * shape.items);      // [channel][item]
  std::vector<uint64_t> differences(channels * per_channel);  // [channel][item][frame]
  std::vector<uint64_t> local(channels * shape.frames), best(shape.frames), trial(shape.frames);
  for (uint32_t item = 0; item < shape.items; ++item) {
    gather(shape, words, item, local);
    const Columns columns{local.data(), shape.frames, shape.h};
    for (size_t c = 0; c < channels; ++c) {
      chosen[c * shape.items + item] = choose(shape, columns, static_cast<int>(c), best, trial);
      std::copy(best.begin(), best.end(),
                differences.begin() +
                    static_cast<std::ptrdiff_t>(c * per_channel + size_t{item} * shape.frames));
    }
  }
  out.u32(words_crc(words));
  for (Predictor predictor : chosen) out.u8(static_cast<uint8_t>(predictor));
  for (size_t c = 0; c < channels; ++c)
    encode_channel(out, std::span(differences).subspan(c * per_channel, per_channel));
}

std::optional<std::vector<uint64_t>> decode_track(Decoder& in, const TrackShape& shape,
                                                  bool check_crc) {
  const size_t channels = shape.channels();
  const uint32_t crc = in.u32();
  // every word takes at least half a byte, so this bounds what is allocated below
  const uint64_t values = uint64_t{shape.items} * shape.frames;
  if (values > 2 * in.left() || values * channels > 2 * in.left()) return std::nullopt;
  if (channels == 0) return std::nullopt;
  if (values == 0) return std::vector<uint64_t>();
  const size_t per_channel = size_t{shape.items} * shape.frames;
  const auto chosen = in.bytes(channels * shape.items);
  std::vector<uint64_t> differences(channels * per_channel);
  for (size_t c = 0; c < channels; ++c) {
    for (uint32_t item = 0; item < shape.items && in.ok(); ++item) {
      const auto predictor = static_cast<Predictor>(chosen[c * shape.items + item]);
      const auto fine = allowed(shape, static_cast<int>(c));
      if (std::find(fine.begin(), fine.end(), predictor) == fine.end()) return std::nullopt;
    }
    if (!in.ok() ||
        !decode_channel(in, std::span(differences).subspan(c * per_channel, per_channel)))
      return std::nullopt;
  }
  std::vector<uint64_t> words(channels * per_channel), local(channels * shape.frames);
  std::vector<Predictor> predictors(channels);
  for (uint32_t item = 0; item < shape.items; ++item) {
    for (size_t c = 0; c < channels; ++c) {
      predictors[c] = static_cast<Predictor>(chosen[c * shape.items + item]);
      const auto from = differences.begin() +
                        static_cast<std::ptrdiff_t>(c * per_channel + size_t{item} * shape.frames);
      std::copy_n(from, shape.frames,
                  local.begin() + static_cast<std::ptrdiff_t>(c * shape.frames));
    }
    restore_item(shape, predictors, local);
    scatter(shape, local, item, words);
  }
  if (check_crc && words_crc(words) != crc) return std::nullopt;
  return words;
}

}  // namespace tenon::recording_detail
