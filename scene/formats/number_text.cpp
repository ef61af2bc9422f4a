// Correct rounding of decimals.
// Notation: the text is D * 10^e with an integer D.
// Source: [Clinger1990, sec. 3], fast path; the general case here is plain integer division.
//   D <= 2^53 and |e| <= 22:  both D and 10^|e| are doubles, so one rounded operation is exact  (1)
//   otherwise N / M = D * 10^e as big integers, shifted so that 2^63 <= q = N / M < 2^64, and (2)
//   the double is q rounded to 53 bits (fewer for subnormals); the remainder breaks ties. (3)
// Digits beyond the 800th cannot change the rounding except as "not zero": a double and the
// midpoint of two doubles have at most 767 significant digits.
#include "tenon/scene/formats/number_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tenon/engine/base/assert.h"

namespace tenon::scene {
namespace {

constexpr std::array<double, 23> kPowersOfTen{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr size_t kMaxDigits = 800;

// Natural numbers, 32 bits per limb, lowest first, no leading zero limbs.
class Big {
 public:
  void multiply_add(uint32_t factor, uint32_t summand) {
    uint64_t carry = summand;
    for (uint32_t& limb : limbs_) {
      carry += static_cast<uint64_t>(limb) * factor;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry) limbs_.push_back(static_cast<uint32_t>(carry));
  }
  void shift_left(int bits) {
    if (limbs_.empty()) return;
    limbs_.insert(limbs_.begin(), static_cast<size_t>(bits / 32), 0u);
    if (bits % 32) multiply_add(1u << (bits % 32), 0);
  }
  int bit_length() const {
    if (limbs_.empty()) return 0;
    int bits = 0;
    for (uint32_t top = limbs_.back(); top; top >>= 1) ++bits;
    return bits + 32 * static_cast<int>(limbs_.size() - 1);
  }
  bool zero() const { return limbs_.empty(); }
  bool less(const Big& b) const {
    if (limbs_.size() != b.limbs_.size()) return limbs_.size() < b.limbs_.size();
    for (size_t i = limbs_.size(); i-- > 0;) {
      if (limbs_[i] != b.limbs_[i]) return limbs_[i] < b.limbs_[i];
    }
    return false;
  }
  // Precondition: !less(b).
  void subtract(const Big& b) {
    int64_t borrow = 0;
    for (size_t i = 0; i < limbs_.size(); ++i) {
      int64_t d =
          static_cast<int64_t>(limbs_[i]) - borrow - (i < b.limbs_.size() ? b.limbs_[i] : 0);
      borrow = d < 0;
      limbs_[i] = static_cast<uint32_t>(d + (borrow << 32));
    }
    while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  }

 private:
  std::vector<uint32_t> limbs_;
};

// q * 2^exponent with a non-zero rest below q when `sticky`; 2^63 <= q.
double round_to_double(uint64_t q, int exponent, bool sticky) {
  // (3) subnormals keep fewer bits
  int drop = 11;
  if (exponent + drop < -1074) drop = -1074 - exponent;
  if (drop > 64) return 0;
  uint64_t kept = drop == 64 ? 0 : q >> drop;
  const uint64_t half = uint64_t{1} << (drop - 1);
  const uint64_t rest = drop == 64 ? q : q & ((half << 1) - 1);
  if (rest > half || (rest == half && (sticky || (kept & 1)))) ++kept;
  return std::ldexp(static_cast<double>(kept), exponent + drop);
}

double divide_exactly(const std::string& digits, int exponent10) {
  Big numerator, denominator;
  for (char c : digits) numerator.multiply_add(10, static_cast<uint32_t>(c - '0'));
  denominator.multiply_add(1, 1);
  for (int i = 0; i < exponent10; ++i) numerator.multiply_add(10, 0);
  for (int i = 0; i < -exponent10; ++i) denominator.multiply_add(10, 0);

  // (2) align so that the quotient has 64 bits, then one bit at a time
  int exponent = numerator.bit_length() - denominator.bit_length();
  if (exponent > 0) denominator.shift_left(exponent);
  if (exponent < 0) numerator.shift_left(-exponent);
  if (numerator.less(denominator)) {
    numerator.shift_left(1);
    --exponent;
  }
  uint64_t q = 0;
  for (int bit = 63; bit >= 0; --bit) {
    if (!numerator.less(denominator)) {
      numerator.subtract(denominator);
      q |= uint64_t{1} << bit;
    }
    numerator.shift_left(1);
  }
  return round_to_double(q, exponent - 63, !numerator.zero());
}

struct Decimal {
  std::string digits;  // D without leading zeros
  int exponent10 = 0;
  bool lost = false;  // non-zero digits beyond the 800th
  size_t length = 0;
};

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

// Reads the digits before and after the point.
Decimal scan_digits(std::string_view text) {
  Decimal d;
  size_t at = 0;
  bool any = false, fraction = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !fraction) {
      if (at + 1 >= text.size() || !is_decimal(text[at + 1])) break;
      fraction = true;
      continue;
    }
    if (!is_decimal(c)) break;
    any = true;
    if (d.digits.empty() && c == '0') {
      d.exponent10 -= fraction;
    } else if (d.digits.size() < kMaxDigits) {
      d.digits += c;
      d.exponent10 -= fraction;
    } else {
      d.lost |= c != '0';
      d.exponent10 += !fraction;
    }
  }
  d.length = any ? at : 0;
  return d;
}

// Reads "e-12"; leaves `d` alone when no complete exponent stands there.
void scan_exponent(std::string_view text, Decimal& d) {
  size_t at = d.length;
  if (at >= text.size() || (text[at] != 'e' && text[at] != 'E')) return;
  ++at;
  const bool negative = at < text.size() && text[at] == '-';
  if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
  if (at >= text.size() || !is_decimal(text[at])) return;
  int value = 0;
  for (; at < text.size() && is_decimal(text[at]); ++at) {
    if (value < 100000000) value = 10 * value + (text[at] - '0');
  }
  d.exponent10 += negative ? -value : value;
  d.length = at;
}

}  // namespace

ParsedNumber parse_decimal(std::string_view text) {
  Decimal d = scan_digits(text);
  if (d.length == 0) return {};
  scan_exponent(text, d);
  ParsedNumber result;
  result.length = d.length;
  if (d.digits.empty()) return result;

  // magnitudes no double has, before any big arithmetic
  const int64_t magnitude = static_cast<int64_t>(d.digits.size()) + d.exponent10;
  if (magnitude > 310) {
    result.overflow = true;
    return result;
  }
  if (magnitude < -330) return result;

  // (1)
  if (d.digits.size() <= 15 && d.exponent10 >= -22 && d.exponent10 <= 22) {
    double value = 0;
    for (char c : d.digits) value = 10 * value + (c - '0');
    const double power = kPowersOfTen[static_cast<size_t>(std::abs(d.exponent10))];
    result.value = d.exponent10 < 0 ? value / power : value * power;
    return result;
  }
  if (d.lost) {
    d.digits += '1';
    --d.exponent10;
  }
  result.value = divide_exactly(d.digits, d.exponent10);
  result.overflow = !std::isfinite(result.value);
  if (result.overflow) result.value = 0;
  return result;
}

std::string format_number(double value) {
  TENON_DEMAND(std::isfinite(value));
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

}  // namespace tenon::scene
