// What all CSV tables of recordings have in common.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "tenon/recording/export_csv.h"

namespace tenon::recording_detail {

// A time that was printed with nine decimals and typed again still finds its line.
inline constexpr double kCsvSlack_s = 0.5e-9;

// A cell of text, quoted where RFC 4180 asks for it.
std::string csv_quoted(const std::string& text);

// Whether the numbers of the options make sense.
Status check_csv_options(const CsvOptions& options);

// Places of the wanted bodies in RunRecord::body_names, ascending; all if none is named.
Result<std::vector<size_t>> choose_bodies(const RecordingReader& reader, const CsvOptions& options);

// Collects lines and passes them on in large pieces.
class CsvText {
 public:
  CsvText(ByteSink& sink, const char* header) : sink_(sink), text_(header) { text_ += '\n'; }

  // The first cell of a line, then further ones.
  void begin(const std::string& cell) { text_ += cell; }
  void add(const std::string& cell) { (text_ += ',') += cell; }
  void add(std::initializer_list<double> cells);
  Status end_line();
  // Writes what is left; at least the header.
  Status finish();
  uint64_t lines() const { return lines_; }

 private:
  Status flush();
  ByteSink& sink_;
  std::string text_;
  uint64_t lines_ = 0;
};

}  // namespace tenon::recording_detail
