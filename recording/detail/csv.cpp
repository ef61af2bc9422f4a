#include "tenon/recording/detail/csv.h"

#include <algorithm>

#include "tenon/recording/detail/text.h"

namespace tenon::recording_detail {

std::string csv_quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.empty() && text.front() != ' ' &&
      text.back() != ' ')
    return text;
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

Status check_csv_options(const CsvOptions& options) {
  if (options.every == 0) return Error{.message = "every n-th frame needs n >= 1", .value = "0"};
  if (!(options.from_s <= options.to_s))
    return Error{.message = "the time range is empty or no number",
                 .value = number(options.from_s) + " to " + number(options.to_s)};
  return Ok{};
}

Result<std::vector<size_t>> choose_bodies(const RecordingReader& reader,
                                          const CsvOptions& options) {
  const auto& names = reader.run().body_names;
  std::vector<size_t> places;
  for (const auto& wanted : options.bodies)
    if (std::find(names.begin(), names.end(), wanted) == names.end())
      return Error{.message = "the recording has no body of this name",
                   .file = reader.source().name(),
                   .value = wanted,
                   .accepted = names.empty()       ? "none"
                               : names.size() == 1 ? "its only body, " + names.front()
                                                   : "one of its " + std::to_string(names.size()) +
                                                         " bodies, such as " + names.front()};
  for (size_t i = 0; i < names.size(); ++i)
    if (options.bodies.empty() ||
        std::find(options.bodies.begin(), options.bodies.end(), names[i]) != options.bodies.end())
      places.push_back(i);
  return places;
}

void CsvText::add(std::initializer_list<double> cells) {
  for (double cell : cells) add(number(cell));
}

Status CsvText::end_line() {
  text_ += '\n';
  ++lines_;
  return text_.size() < (size_t{1} << 16) ? Status(Ok{}) : flush();
}

Status CsvText::finish() { return flush(); }

Status CsvText::flush() {
  if (text_.empty()) return Ok{};
  auto status = sink_.write(std::as_bytes(std::span(text_)));
  text_.clear();
  return status;
}

}  // namespace tenon::recording_detail
