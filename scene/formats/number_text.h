// Decimal text <-> double, exact in both directions and the same everywhere.
// Not strtod: it obeys the program's locale (a decimal comma). Not std::from_chars: the standard
// libraries of our WebAssembly build have none for double.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenon::scene {

struct ParsedNumber {
  double value = 0;
  size_t length = 0;      // characters used; 0 = no number stands here
  bool overflow = false;  // the magnitude is above the largest double
};

// The longest unsigned decimal number at the start of `text`: digits [. digits] [e [+-] digits],
// with at least one digit before the exponent. The value is the double nearest to the decimal
// (ties to even), and 0 when it is below the smallest one.
ParsedNumber parse_decimal(std::string_view text);

// The shortest text that parses back to the same double. Precondition: finite.
std::string format_number(double value);

}  // namespace tenon::scene
