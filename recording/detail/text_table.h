// Tables for a person: columns as wide as their widest cell.
#pragma once

#include <string>
#include <vector>

namespace tenon::recording_detail {

// Rows of equal length, the heading first; two blanks between columns; ends in a newline.
std::string format_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace tenon::recording_detail
