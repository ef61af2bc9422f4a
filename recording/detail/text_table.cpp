#include "tenon/recording/detail/text_table.h"

#include <algorithm>

namespace tenon::recording_detail {
namespace {

// Characters, not bytes: names may hold any UTF-8.
size_t width(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

std::string format_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths(rows.empty() ? 0 : rows.front().size());
  for (const auto& row : rows)
    for (size_t c = 0; c < widths.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
  std::string text;
  for (const auto& row : rows) {
    for (size_t c = 0; c + 1 < widths.size(); ++c)
      text += row[c] + std::string(widths[c] - width(row[c]) + 2, ' ');
    text += row.back() + "\n";
  }
  return text;
}

}  // namespace tenon::recording_detail
