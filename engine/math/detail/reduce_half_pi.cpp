#include "tenon/engine/math/detail/reduce_half_pi.h"

#include <array>
#include <cfloat>
#include <cmath>

static_assert(FLT_EVAL_METHOD == 0, "double arithmetic must round to double after each operation");

namespace tenon::detail {
namespace {

// pi/2 in parts of 33 bits, so that a multiple below 2^20 of a part is exact; each tail is the
// rounded rest after that part.
constexpr double kPart1 = 0x1.921fb544p+0, kTail1 = 0x1.0b4611a626331p-34;
constexpr double kPart2 = 0x1.0b4611a6p-34, kTail2 = 0x1.3198a2e037073p-69;
constexpr double kPart3 = 0x1.3198a2ep-69, kTail3 = 0x1.b839a252049c1p-104;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kMediumLimit = 0x1.8p+20;  // n stays below 2^20

// Cody-Waite reduction [CodyWaite1980, ch. 8] in the staged form of [Fdlibm1993, e_rem_pio2.c]:
//   rest = ((x - n P1) - n P2) - n P3 ..., n = round(x 2/pi)
// A stage is added only where the one before cancelled too many leading bits.
Reduced reduce_medium(double x) {
  constexpr double kRound = 0x1.8p+52;  // adding and subtracting it rounds to an integer
  const double n = (x * kTwoOverPi + kRound) - kRound;
  double r = x - n * kPart1;
  double w = n * kTail1;
  double hi = r - w;
  const int exponent = biased_exponent(x);
  if (exponent - biased_exponent(hi) > 16) {
    const double r1 = r;
    w = n * kPart2;
    r = r1 - w;
    w = n * kTail2 - ((r1 - r) - w);
    hi = r - w;
    if (exponent - biased_exponent(hi) > 49) {
      const double r2 = r;
      w = n * kPart3;
      r = r2 - w;
      w = n * kTail3 - ((r2 - r) - w);
      hi = r - w;
    }
  }
  return {static_cast<int>(n) & 3, {hi, (r - hi) - w}};
}

// The fraction bits of 2/pi behind 64 zeros; enough for the largest double.
constexpr std::array<uint32_t, 42> kTwoOverPiBits = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
    0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
    0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
    0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
    0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
    0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

constexpr int kWords = 6;
using Wide = std::array<uint32_t, kWords>;  // 192 bits, most significant word first

// Bits first, first + 1, ... of 2/pi, where bit 1 weighs 1/2 and bits below 1 are zero.
Wide bits_from(int first) {
  const int offset = first + 63;
  const int shift = offset % 32;
  Wide w{};
  for (int i = 0; i < kWords; ++i) {
    const size_t at = static_cast<size_t>(offset / 32 + i);
    const uint64_t pair = static_cast<uint64_t>(kTwoOverPiBits[at]) << 32 | kTwoOverPiBits[at + 1];
    w[static_cast<size_t>(i)] = static_cast<uint32_t>(pair >> (32 - shift));
  }
  return w;
}

// The lower 192 bits of a * m.
Wide multiply(const Wide& a, uint64_t m) {
  const uint64_t m0 = m & 0xffffffffu, m1 = m >> 32;
  Wide product{};
  uint64_t carry = 0;
  for (int i = kWords - 1; i >= 0; --i) {
    const size_t k = static_cast<size_t>(i);
    const uint64_t low = a[k] * m0;
    const uint64_t high = i + 1 < kWords ? a[k + 1] * m1 : 0;
    // a column's sum is below 2^66: add the halves apart
    const uint64_t lower = (low & 0xffffffffu) + (high & 0xffffffffu) + (carry & 0xffffffffu);
    product[k] = static_cast<uint32_t>(lower);
    carry = (low >> 32) + (high >> 32) + (carry >> 32) + (lower >> 32);
  }
  return product;
}

Wide negated(Wide a) {
  uint64_t carry = 1;
  for (int i = kWords - 1; i >= 0; --i) {
    const size_t k = static_cast<size_t>(i);
    carry += static_cast<uint32_t>(~a[k]);
    a[k] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  return a;
}

// The 53 bits behind the first `skip` bits, as an integer; zeros beyond the end.
double window(const Wide& a, int skip) {
  const auto word = [&](int i) -> uint64_t { return i < kWords ? a[static_cast<size_t>(i)] : 0; };
  const int at = skip / 32, shift = skip % 32;
  const uint64_t top = word(at) << 32 | word(at + 1);
  return static_cast<double>((top << shift | word(at + 2) << shift >> 32) >> 11);
}

// A fraction of 192 bits as two doubles: 53 bits behind the leading zeros, then 53 more.
DoubleDouble to_double_double(const Wide& fraction) {
  int zeros = 0;
  for (size_t k = 0; k < kWords; ++k) {
    zeros += std::countl_zero(fraction[k]);
    if (fraction[k] != 0) break;
  }
  if (zeros > 128) return {};  // no double comes that close to a multiple of pi/2
  const double hi = window(fraction, zeros);
  const double lo = window(fraction, zeros + 53);
  return {hi * power_of_two(-53 - zeros), lo * power_of_two(-106 - zeros)};
}

// Payne-Hanek reduction [PayneHanek1983]: with x = m 2^e, m an integer of 53 bits,
//   x 2/pi mod 4 = (m * bits e-1 .. e+190 of 2/pi) 2^-190 mod 4
// because the bits before weigh multiples of 4 and those behind less than 2^-137. No double is
// closer to a multiple of pi/2 than 2^-61 [Muller2016, sec. 11.3.2], so 75 good bits are left.
Reduced reduce_large(double x) {
  const int e = biased_exponent(x) - 1075;
  const uint64_t m = (bits_of(x) & 0xfffffffffffffull) | 0x10000000000000ull;
  Wide turn = multiply(bits_from(e - 1), m);
  // quadrant in the two leading bits; shift it out
  int quadrant = static_cast<int>(turn[0] >> 30);
  for (size_t k = 0; k < kWords; ++k) {
    turn[k] = turn[k] << 2 | (k + 1 < kWords ? turn[k + 1] >> 30 : 0);
  }
  // round to the nearest quadrant
  const bool above_half = turn[0] >> 31 != 0;
  if (above_half) {
    turn = negated(turn);
    ++quadrant;
  }
  DoubleDouble rest =
      to_double_double(turn) * DoubleDouble{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  if (above_half != (x < 0)) rest = {-rest.hi, -rest.lo};
  return {(x < 0 ? -quadrant : quadrant) & 3, rest};
}

}  // namespace

Reduced reduce_half_pi(double x) {
  const double magnitude = std::fabs(x);
  if (magnitude <= 0x1.921fb54442d18p-1) return {0, {x, 0}};
  return magnitude < kMediumLimit ? reduce_medium(x) : reduce_large(x);
}

}  // namespace tenon::detail
