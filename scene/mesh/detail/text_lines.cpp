#include "tenon/scene/mesh/detail/text_lines.h"

#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene::detail {

std::string_view take_word(std::string_view& line) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; };
  size_t begin = 0;
  while (begin < line.size() && blank(line[begin])) ++begin;
  size_t end = begin;
  while (end < line.size() && !blank(line[end])) ++end;
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::optional<double> to_number(std::string_view word) {
  const bool minus = word.starts_with('-');
  if (minus || word.starts_with('+')) word.remove_prefix(1);
  const ParsedNumber parsed = parse_decimal(word);
  if (parsed.length == 0 || parsed.length != word.size() || parsed.overflow) return std::nullopt;
  return minus ? -parsed.value : parsed.value;
}

std::optional<long long> to_integer(std::string_view word) {
  const bool minus = word.starts_with('-');
  if (minus || word.starts_with('+')) word.remove_prefix(1);
  if (word.empty() || word.size() > 15) return std::nullopt;
  long long value = 0;
  for (const char c : word) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return minus ? -value : value;
}

Error error_in_line(const std::string& file, int line, std::string message, std::string_view value,
                    std::string accepted) {
  std::string shown;
  if (!value.empty()) shown = format_short(Json(std::string(value.substr(0, 60))), 60);
  return {.message = std::move(message),
          .file = file,
          .line = line,
          .value = std::move(shown),
          .accepted = std::move(accepted)};
}

Error error_at_byte(const std::string& file, size_t byte, std::string message,
                    std::string accepted) {
  return {.message = std::move(message),
          .file = file,
          .value = "byte " + std::to_string(byte),
          .accepted = std::move(accepted)};
}

Result<Vec3> take_vertex(std::string_view& line, const std::string& file, int number,
                         const char* accepted) {
  Vec3 v;
  for (int k = 0; k < 3; ++k) {
    const std::string_view word = take_word(line);
    const std::optional<double> value = to_number(word);
    if (!value)
      return error_in_line(file, number, "a vertex needs three finite numbers",
                           word.empty() ? "nothing" : word, accepted);
    v[k] = *value;
  }
  return v;
}

Error too_many_triangles(const std::string& file, size_t limit) {
  return {.message = "the file has too many triangles",
          .file = file,
          .accepted = "up to " + std::to_string(limit) +
                      "; simplify the mesh, or cut it into several files"};
}

}  // namespace tenon::scene::detail
