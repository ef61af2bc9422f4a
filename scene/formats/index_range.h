// The values of an array's index: 15 (0 to 14), {"from": 1, "to": "n"}, or a list ["10 cm", "1 m"].
#pragma once

#include <string>

#include "tenon/scene/formats/reader.h"

namespace tenon::scene {

struct IndexRange {
  double count = 0;
  double from = 0, step = 1;
  const Json* list = nullptr;  // instead of from and step
};

// False (and an error) when the description is no range.
bool read_index_range(Reader& r, const Json& json, const std::string& name, IndexRange& out);

// Sets the index to its k-th value in `scope`.
bool index_value(Reader& r, const IndexRange& range, double k, const std::string& name,
                 Scope& scope);

// The count, if it can be told from `scope` alone; else 1. Reports nothing.
double estimate_count(const Json& json, const Scope& scope);

// 1000000 or 1e+12, without trailing zeros.
std::string format_count(double count);

}  // namespace tenon::scene
