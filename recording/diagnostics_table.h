// The columns of the per-step tables in a recording. Columns have names, so that diagnostics can
// gain and lose fields without a new format version.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tenon/engine/world/diagnostics.h"
#include "tenon/recording/detail/predict.h"

namespace tenon {

struct DiagnosticColumn {
  const char* name;  // stored in files: never rename
  recording_detail::ColumnType type;
  uint64_t (*get)(const StepDiagnostics& from);  // as bits
  void (*set)(StepDiagnostics& to, uint64_t bits);
};

// All fields that two equal runs have in common. `step` and `time` come first.
std::span<const DiagnosticColumn> diagnostic_columns();

// The measured ones: the step, then nanoseconds per phase. Stored rounded to whole nanoseconds.
std::vector<std::string> timing_column_names();
std::vector<uint64_t> timing_row(const StepDiagnostics& diagnostics);

// The column as text "name:u64" or "name:f64", as the run's description lists it.
std::string column_label(const char* name, recording_detail::ColumnType type);

}  // namespace tenon
