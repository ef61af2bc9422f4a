// Reads the reference time series of tests/reference (CSV with one comment line and a header).
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tenon::test {

struct Series {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  double at(size_t row, const std::string& column) const {
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] == column) return rows[row][i];
    }
    ADD_FAILURE() << "no column " << column;
    return 0;
  }
};

inline Series load_series(const std::string& name) {
  Series series;
  std::ifstream file(std::string(TENON_REFERENCE_DIR) + "/" + name);
  EXPECT_TRUE(file) << "cannot read " << name;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    std::string cell;
    if (series.columns.empty()) {
      while (std::getline(cells, cell, ',')) series.columns.push_back(cell);
      continue;
    }
    series.rows.emplace_back();
    while (std::getline(cells, cell, ',')) series.rows.back().push_back(std::stod(cell));
  }
  EXPECT_FALSE(series.rows.empty());
  return series;
}

}  // namespace tenon::test
