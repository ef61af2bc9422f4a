#include "tenon/scene/formats/number_text.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "tenon/engine/base/rng.h"

namespace tenon::scene {
namespace {

// glibc's strtod is correctly rounded and the tests run in the "C" locale.
void expect_like_strtod(const std::string& text) {
  const ParsedNumber number = parse_decimal(text);
  const double wanted = std::strtod(text.c_str(), nullptr);
  EXPECT_EQ(number.length, text.size()) << text;
  if (std::isinf(wanted)) {
    EXPECT_TRUE(number.overflow) << text;
  } else {
    EXPECT_FALSE(number.overflow) << text;
    EXPECT_EQ(std::bit_cast<uint64_t>(number.value), std::bit_cast<uint64_t>(wanted)) << text;
  }
}

TEST(Number, HardCasesRoundCorrectly) {
  for (const char* text : {"0",
                           "0.1",
                           "1e22",
                           "1e23",
                           "123456789012345678",
                           "9007199254740993",
                           "9007199254740992.5",
                           "2.2250738585072011e-308",
                           "2.2250738585072012e-308",
                           "2.2250738585072014e-308",
                           "4.9406564584124654e-324",
                           "2.4703282292062327e-324",
                           "2.4703282292062328e-324",
                           "1.7976931348623157e308",
                           "1.7976931348623158e308",
                           "1.7976931348623159e308",
                           "1e309",
                           "1e-400",
                           "0.000000000000000000000000000000000000000000000001",
                           "1e99999999999",
                           "0e99999999999",
                           "1e-99999999999",
                           "6631236846766476e-316",
                           "1448997445238699e-150",
                           "100000000000000016777215",
                           "100000000000000016777216"}) {
    expect_like_strtod(text);
  }
}

TEST(Number, DigitsBeyondEightHundredStillBreakTies) {
  // 1 + 2^-53 is the midpoint of 1 and its successor
  const std::string half = "1.00000000000000011102230246251565404236316680908203125";
  EXPECT_EQ(parse_decimal(half).value, 1.0);
  EXPECT_GT(parse_decimal(half + std::string(900, '0') + "1").value, 1.0);
  expect_like_strtod(std::string(1500, '7') + "e-1500");
}

TEST(Number, RandomDoublesReadBackFromTheirShortestText) {
  Rng rng(1);
  for (int i = 0; i < 3000; ++i) {
    const double value = std::fabs(std::bit_cast<double>(rng.next()));
    if (!std::isfinite(value)) continue;
    expect_like_strtod(format_number(value));
    EXPECT_EQ(parse_decimal(format_number(value)).value, value);
  }
}

TEST(Number, RandomDigitStringsRoundLikeTheLibrary) {
  Rng rng(2);
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    const uint32_t digits = 1 + rng.below(40);
    for (uint32_t k = 0; k < digits; ++k) text += static_cast<char>('0' + rng.below(10));
    if (rng.below(2)) text.insert(1 + rng.below(digits) % text.size(), ".");
    if (text.back() == '.') text += '0';
    text += "e" + std::to_string(static_cast<int>(rng.below(700)) - 350);
    expect_like_strtod(text);
  }
}

TEST(Number, StopsBeforeWhatIsNoNumber) {
  EXPECT_EQ(parse_decimal("12 cm").length, 2u);
  EXPECT_EQ(parse_decimal("2em").length, 1u);
  EXPECT_EQ(parse_decimal("2e").length, 1u);
  EXPECT_EQ(parse_decimal("1.x").length, 1u);
  EXPECT_EQ(parse_decimal("x").length, 0u);
  EXPECT_EQ(parse_decimal("").length, 0u);
}

}  // namespace
}  // namespace tenon::scene
