// Words and numbers on the lines of a text, with places for messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tenon/engine/base/result.h"
#include "tenon/engine/math/vec3.h"

namespace tenon::scene::detail {

// Some programs begin texts in UTF-8 with these bytes, which say nothing.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// The lines of a text, one after another, without their ends.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }
  // False at the end of the text.
  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    ++number_;
    return true;
  }
  int number() const { return number_; }  // of the line, from 1
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

// The next word of a line, taken off it; empty at its end.
std::string_view take_word(std::string_view& line);

// A whole word as a number: [+-] decimal. Infinities and NaN are not numbers.
std::optional<double> to_number(std::string_view word);
std::optional<long long> to_integer(std::string_view word);

Error error_in_line(const std::string& file, int line, std::string message, std::string_view value,
                    std::string accepted = {});
Error error_at_byte(const std::string& file, size_t byte, std::string message,
                    std::string accepted = {});
// Three numbers, taken off the rest of a line; the error says how the line should look.
Result<Vec3> take_vertex(std::string_view& line, const std::string& file, int number,
                         const char* accepted);
Error too_many_triangles(const std::string& file, size_t limit);

}  // namespace tenon::scene::detail
