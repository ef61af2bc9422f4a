// The text of a world file as words: what stands between blanks, without comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/scene/document/json.h"

namespace tenon::scene::aero {

struct Word {
  std::string_view text;
  Place place;
};
// `#` begins a comment that ends with its line.
std::vector<Word> split_words(std::string_view text);

// What Tenon keeps in comments for itself, which AERO skips: "#: key value", to the end of the
// line.
struct Remark {
  std::string key, value;
  Place place;
};
// Those before the first record, and those on the line of one.
std::vector<Remark> find_remarks(std::string_view text);
// "#: key value"; control characters of the value become blanks.
std::string format_remark(std::string_view key, std::string_view value);

// A finite number with an optional sign, the whole word; none otherwise.
std::optional<double> parse_number(std::string_view word);
// "K12" -> 12, for the given letter; none for other words.
std::optional<int> parse_label(std::string_view word, char letter);
// For messages: short, in quotes, without control characters.
std::string show(std::string_view word);
std::string lower(std::string_view word);

}  // namespace tenon::scene::aero
