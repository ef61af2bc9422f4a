// Guesses of the next value of a column from the values before it. A recording stores only how far
// the guess was off (docs/recording-format.md, "tracks").
//
// Both sides must guess the same bits, so a guess is made of + - * on doubles in the written order
// (round to nearest, no fused operations). Predictive coding of doubles: [Lindstrom2006]; the
// guesses for bodies, which know what a velocity is, are ours.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace tenon::recording_detail {

// Stored in files: numbers are for ever.
enum class Predictor : uint8_t {
  kZero = 0,           // 0
  kPrevious = 1,       // the value one frame before
  kIntegerLinear = 2,  // 2a - b on 64-bit integers, modulo 2^64
  kLinear = 3,         // extrapolation of order 1, 2, 3 on doubles
  kQuadratic = 4,
  kCubic = 5,
  kMeanVelocity = 6,   // position + h (v_old + v_new) / 2
  kNewVelocity = 7,    // position + h v_new
  kOldVelocity = 8,    // position + h v_old
  kGreatCircle = 9,    // quaternion: the last turn once more
  kTurnedCircle = 10,  // quaternion: the last turn, changed as it last changed
};
inline constexpr int kPredictorCount = 11;

enum class ColumnType : uint8_t { kInteger = 0, kDouble = 1 };

// Channels of a body, in the order of storage: p (3), q (4: w x y z), v (3), w (3).
inline constexpr int kBodyChannels = 13;
inline constexpr int kFirstQuaternion = 3, kFirstVelocity = 7;

// The columns of one item (a body, or a table), each with all its frames one after another.
struct Columns {
  uint64_t* words;  // [channel][frame], as bits
  uint32_t frames;
  double h;  // s between frames, for the velocity predictors

  uint64_t bits(int channel, uint32_t frame) const {
    return words[static_cast<size_t>(channel) * frames + frame];
  }
  double value(int channel, uint32_t frame) const {
    return std::bit_cast<double>(bits(channel, frame));
  }
};

// Which predictors are allowed for a channel: those that make sense there. Files with others are
// refused.
std::span<const Predictor> candidates(ColumnType type);
std::span<const Predictor> body_candidates(int channel);

// The guess for (channel, frame) as bits. Reads earlier frames; for position channels also the
// velocities of this frame. Where too few frames are known, the predictor falls back to the next
// simpler one; where the guess is not finite, to kPrevious.
uint64_t predict(Predictor predictor, const Columns& columns, int channel, uint32_t frame);

// Doubles as integers in the same order, so that near values have near integers; its own inverse
// is from_ordered.
inline uint64_t to_ordered(uint64_t bits) {
  return bits ^ ((bits >> 63) ? ~uint64_t{0} : uint64_t{1} << 63);
}
inline uint64_t from_ordered(uint64_t ordered) {
  return ordered ^ ((ordered >> 63) ? uint64_t{1} << 63 : ~uint64_t{0});
}
// Signed differences as unsigned numbers with small ones first: 0 -1 1 -2 2 ...
inline uint64_t to_zigzag(uint64_t difference) {
  return (difference << 1) ^ (uint64_t{0} - (difference >> 63));
}
inline uint64_t from_zigzag(uint64_t zigzag) {
  return (zigzag >> 1) ^ (uint64_t{0} - (zigzag & 1));
}

}  // namespace tenon::recording_detail
