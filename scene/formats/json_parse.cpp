#include <string>
#include <unordered_map>

#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/formats/utf8.h"

namespace tenon::scene {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '+' || c == '-' || c == '$';
}

// Line of each key seen in an object; only looked up, never walked.
using KeyLines = std::unordered_map<std::string, int>;

class Parser {
 public:
  Parser(std::string_view text, std::string_view file, const JsonLimits& limits)
      : text_(text), file_(file), limits_(limits) {}

  ParsedJson run();

 private:
  std::string_view text_;
  std::string_view file_;
  const JsonLimits& limits_;
  size_t at_ = 0;
  Place here_{1, 1};
  bool stopped_ = false;  // a mistake after which the structure is unknown
  ParsedJson result_;

  bool end() const { return at_ >= text_.size(); }
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void advance();
  void error(Place place, std::string message, std::string value = "", std::string accepted = "");
  void stop(Place place, std::string message, std::string value = "", std::string accepted = "");
  void skip_space();
  void skip_block_comment();
  Json parse_value(int depth);
  Json parse_array(int depth);
  Json parse_object(int depth);
  bool separator(char close, const char* what);
  void parse_member(Json& object, KeyLines& keys, int depth);
  std::string parse_string();
  void parse_escape(std::string& out);
  unsigned parse_hex4();
  Json parse_word();
  Json parse_number(std::string_view word, Place place);
};

// Moves over one byte; continuation bytes of UTF-8 take no column.
void Parser::advance() {
  const auto c = static_cast<unsigned char>(text_[at_++]);
  if (c == '\n') {
    ++here_.line;
    here_.column = 1;
  } else if ((c & 0xc0) != 0x80) {
    ++here_.column;
  }
}

void Parser::error(Place place, std::string message, std::string value, std::string accepted) {
  if (result_.errors.size() >= limits_.max_errors) {
    stopped_ = true;
    return;
  }
  result_.errors.push_back({std::move(message), std::string(file_), place.line, place.column,
                            std::move(value), std::move(accepted)});
}

void Parser::stop(Place place, std::string message, std::string value, std::string accepted) {
  if (stopped_) return;
  error(place, std::move(message), std::move(value), std::move(accepted));
  stopped_ = true;
}

void Parser::skip_block_comment() {
  const Place start = here_;
  advance();
  advance();
  while (!end() && !(peek() == '*' && peek(1) == '/')) advance();
  if (end()) return stop(start, "comment is not closed", "/*", "a */ at its end");
  advance();
  advance();
}

void Parser::skip_space() {
  while (!end() && !stopped_) {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      advance();
    } else if (c == '/' && peek(1) == '/') {
      while (!end() && peek() != '\n') advance();
    } else if (c == '/' && peek(1) == '*') {
      skip_block_comment();
    } else {
      return;
    }
  }
}

Json Parser::parse_value(int depth) {
  const Place place = here_;
  Json json;
  if (depth > limits_.max_depth) {
    stop(place, "nested too deeply", "",
         "at most " + std::to_string(limits_.max_depth) + " levels");
  } else if (end()) {
    stop(place, "the file ends where a value is expected");
  } else if (peek() == '{') {
    json = parse_object(depth);
  } else if (peek() == '[') {
    json = parse_array(depth);
  } else if (peek() == '"') {
    json = Json(parse_string());
  } else if (is_word(peek())) {
    json = parse_word();
  } else {
    stop(place, "unexpected character where a value is expected", quote(text_.substr(at_, 1)),
         "a number, a \"string\", true, false, a list or an object");
  }
  json.place = place;
  return json;
}

// After an entry: true when another one follows. A missing comma is reported and read over.
bool Parser::separator(char close, const char* what) {
  skip_space();
  if (stopped_) return false;
  if (end()) {
    stop(here_, std::string("the file ends inside ") + what, "", std::string(1, close));
    return false;
  }
  if (peek() == ',') {
    advance();
    skip_space();
    if (peek() == ',') {
      error(here_, "a value is missing between two commas");
      while (peek() == ',') {
        advance();
        skip_space();
      }
    }
  } else if (peek() != close) {
    const char c = peek();
    if (c == '}' || c == ']' || c == ':') {
      stop(here_, std::string("unexpected character in ") + what, quote(text_.substr(at_, 1)),
           std::string("',' or '") + close + "'");
      return false;
    }
    error(here_, std::string("a comma is missing in ") + what, quote(text_.substr(at_, 1)),
          std::string("',' or '") + close + "'");
  }
  return !stopped_ && peek() != close;
}

Json Parser::parse_array(int depth) {
  const Place start = here_;
  Json json = Json::array();
  advance();
  skip_space();
  bool more = !end() && peek() != ']';
  while (more && !stopped_) {
    json.items.push_back(parse_value(depth + 1));
    more = !stopped_ && separator(']', "a list");
  }
  if (stopped_) return json;
  if (end()) {
    stop(start, "list is not closed", "[", "a ] at its end");
  } else {
    advance();
  }
  return json;
}

Json Parser::parse_object(int depth) {
  const Place start = here_;
  Json json = Json::object();
  advance();
  skip_space();
  KeyLines keys;
  bool more = !end() && peek() != '}';
  while (more && !stopped_) {
    parse_member(json, keys, depth);
    more = !stopped_ && separator('}', "an object");
  }
  if (stopped_) return json;
  if (end()) {
    stop(start, "object is not closed", "{", "a } at its end");
  } else {
    advance();
  }
  return json;
}

void Parser::parse_member(Json& object, KeyLines& keys, int depth) {
  const Place place = here_;
  if (peek() != '"') {
    stop(place, "a key must be a string in double quotes", quote(text_.substr(at_, 1)),
         "\"key\": value");
    return;
  }
  std::string key = parse_string();
  skip_space();
  if (stopped_) return;
  if (peek() != ':') return stop(here_, "a colon is missing after key " + quote(key), "", "':'");
  advance();
  skip_space();
  if (stopped_) return;
  Json value = parse_value(depth + 1);
  const auto [first, fresh] = keys.try_emplace(key, place.line);
  if (!fresh) {
    return error(place, "key " + quote(key) + " stands twice in this object", "",
                 "one of the two (the first is in line " + std::to_string(first->second) + ")");
  }
  object.members.push_back({std::move(key), std::move(value), place});
}

unsigned Parser::parse_hex4() {
  unsigned value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = peek();
    unsigned digit = 0;
    if (c >= '0' && c <= '9')
      digit = static_cast<unsigned>(c - '0');
    else if (c >= 'a' && c <= 'f')
      digit = static_cast<unsigned>(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F')
      digit = static_cast<unsigned>(c - 'A' + 10);
    else
      return 0x110000;
    value = value * 16 + digit;
    advance();
  }
  return value;
}

void Parser::parse_escape(std::string& out) {
  const Place place = here_;
  advance();
  const char c = peek();
  static constexpr std::string_view kFrom = "\"\\/bfnrt", kTo = "\"\\/\b\f\n\r\t";
  const size_t simple = end() ? std::string_view::npos : kFrom.find(c);
  if (simple != std::string_view::npos) {
    out += kTo[simple];
    return advance();
  }
  if (c != 'u') {
    error(place, "unknown escape in a string", quote(text_.substr(at_ - 1, end() ? 1 : 2)),
          "\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX");
    return;
  }
  advance();
  unsigned code = parse_hex4();
  if (code >= 0xd800 && code < 0xdc00 && peek() == '\\' && peek(1) == 'u') {
    advance();
    advance();
    const unsigned low = parse_hex4();
    code = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
                                         : 0x110000;
  }
  if (code >= 0x110000 || (code >= 0xd800 && code < 0xe000)) {
    error(place, "bad \\u escape in a string", "", "\\uXXXX with four hexadecimal digits");
    return;
  }
  append_utf8(out, code);
}

std::string Parser::parse_string() {
  const Place start = here_;
  std::string out;
  advance();
  while (!end() && peek() != '"' && peek() != '\n') {
    const auto c = static_cast<unsigned char>(peek());
    if (c == '\\') {
      parse_escape(out);
      continue;
    }
    const size_t length = utf8_length(text_.substr(at_));
    if (length == 0) {
      error(here_, "invalid UTF-8 in a string", "", "text saved as UTF-8");
      advance();
      continue;
    }
    if (c < 0x20) error(here_, "control character in a string", "", "an escape such as \\t");
    out.append(text_.substr(at_, length));
    for (size_t i = 0; i < length; ++i) advance();
  }
  if (peek() != '"') {
    stop(start, "string is not closed in its line", "", "a \" at its end");
  } else {
    advance();
  }
  return out;
}

Json Parser::parse_word() {
  const Place place = here_;
  const size_t begin = at_;
  while (!end() && is_word(peek())) advance();
  const std::string_view word = text_.substr(begin, at_ - begin);
  if (word == "true") return Json(true);
  if (word == "false") return Json(false);
  if (word == "null") return {};
  const bool numeric = word.find_first_of("0123456789") < 2;
  if (numeric) return parse_number(word, place);
  error(place, "unknown word", std::string(word.substr(0, 60)),
        word.find("nf") != word.npos || word == "NaN" || word == "nan"
            ? "a finite number"
            : "true, false, null, a number, or a \"string\" in double quotes");
  return {};
}

Json Parser::parse_number(std::string_view word, Place place) {
  const bool negative = word[0] == '-';
  const std::string_view digits = word.substr(negative ? 1 : 0);
  const ParsedNumber number = parse_decimal(digits);
  const bool leading_zero =
      digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
  if (number.length == 0 || number.length != digits.size() || digits[0] == '.' || leading_zero) {
    error(place, "malformed number", std::string(word.substr(0, 60)),
          "digits such as 12, -0.5 or 1e-3; units and expressions go into a \"string\"");
    return {};
  }
  if (number.overflow) {
    error(place, "number is too large", std::string(word.substr(0, 60)),
          "magnitudes up to 1.79e308");
    return {};
  }
  return Json(negative ? -number.value : number.value);
}

ParsedJson Parser::run() {
  if (text_.size() > limits_.max_bytes) {
    stop({0, 0}, "the file is too large", std::to_string(text_.size()) + " bytes",
         "at most " + std::to_string(limits_.max_bytes) + " bytes");
    return std::move(result_);
  }
  if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;
  skip_space();
  if (!stopped_) result_.root = parse_value(1);
  if (!stopped_) skip_space();
  if (!stopped_ && !end()) {
    stop(here_, "text after the end of the scene", quote(text_.substr(at_, 1)), "nothing");
  }
  result_.complete = !stopped_;
  return std::move(result_);
}

}  // namespace

ParsedJson parse_json(std::string_view text, std::string_view file, const JsonLimits& limits) {
  return Parser(text, file, limits).run();
}

}  // namespace tenon::scene
