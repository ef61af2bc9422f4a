#include "tenon/scene/aero/world_words.h"

#include <algorithm>

#include <cmath>

#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene::aero {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v' || c == '\0';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::vector<Word> split_words(std::string_view text) {
  std::vector<Word> words;
  Place here{1, 1};
  bool comment = false;
  size_t begin = std::string_view::npos;
  Place begun;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    if (c == '#') comment = true;
    const bool inside = !comment && !is_blank(c);
    if (inside && begin == std::string_view::npos) {
      begin = i;
      begun = here;
    }
    if (!inside && begin != std::string_view::npos) {
      words.push_back({text.substr(begin, i - begin), begun});
      begin = std::string_view::npos;
    }
    if (c == '\n') {
      comment = false;
      ++here.line;
      here.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) {
      ++here.column;
    }
  }
  return words;
}

std::vector<Remark> find_remarks(std::string_view text) {
  std::vector<Remark> remarks;
  int line = 0;
  while (!text.empty()) {
    ++line;
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), whole.size() + 1));
    const size_t at = whole.find('#');
    if (at == std::string_view::npos || whole.substr(at, 2) != "#:") continue;
    std::string_view rest = whole.substr(at + 2);
    const auto trim = [&] {
      while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
      while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
    };
    trim();
    size_t end = 0;
    while (end < rest.size() && !is_blank(rest[end])) ++end;
    const std::string key(rest.substr(0, end));
    rest.remove_prefix(end);
    trim();
    remarks.push_back({key, std::string(rest), {line, static_cast<int>(at) + 1}});
  }
  return remarks;
}

std::string format_remark(std::string_view key, std::string_view value) {
  std::string text = "#: " + std::string(key) + " " + std::string(value);
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text;
}

std::optional<double> parse_number(std::string_view word) {
  const bool negative = !word.empty() && word[0] == '-';
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  const ParsedNumber number = parse_decimal(word);
  if (number.length == 0 || number.length != word.size() || number.overflow) return {};
  return negative ? -number.value : number.value;
}

std::optional<int> parse_label(std::string_view word, char letter) {
  if (word.size() < 2 || word.size() > 10 || word[0] != letter) return {};
  int number = 0;
  for (const char c : word.substr(1)) {
    if (!is_digit(c)) return {};
    number = 10 * number + (c - '0');
  }
  return number;
}

std::string show(std::string_view word) {
  return format_short(Json(std::string(word.substr(0, 60))), 60);
}

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace tenon::scene::aero
