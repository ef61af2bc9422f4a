#include "tenon/recording/diagnostics_table.h"

#include <bit>
#include <cmath>

namespace tenon {
namespace {

using recording_detail::ColumnType;
using D = StepDiagnostics;

#define TENON_DOUBLE_COLUMN(label, field)                                        \
  DiagnosticColumn {                                                             \
    label, ColumnType::kDouble,                                                  \
        [](const D& d) -> uint64_t { return std::bit_cast<uint64_t>(d.field); }, \
        [](D& d, uint64_t bits) { d.field = std::bit_cast<double>(bits); }       \
  }
#define TENON_COUNT_COLUMN(label, field)                                            \
  DiagnosticColumn {                                                                \
    label, ColumnType::kInteger, [](const D& d) -> uint64_t { return d.field; },    \
        [](D& d, uint64_t bits) { d.field = static_cast<decltype(d.field)>(bits); } \
  }

constexpr DiagnosticColumn kColumns[] = {
    TENON_COUNT_COLUMN("step", step),
    TENON_DOUBLE_COLUMN("time", time),
    TENON_DOUBLE_COLUMN("kinetic_J", mechanics.kinetic_J),
    TENON_DOUBLE_COLUMN("potential_J", mechanics.potential_J),
    TENON_DOUBLE_COLUMN("elastic_J", mechanics.elastic_J),
    TENON_DOUBLE_COLUMN("linear_momentum.x", mechanics.linear_momentum.x),
    TENON_DOUBLE_COLUMN("linear_momentum.y", mechanics.linear_momentum.y),
    TENON_DOUBLE_COLUMN("linear_momentum.z", mechanics.linear_momentum.z),
    TENON_DOUBLE_COLUMN("angular_momentum.x", mechanics.angular_momentum.x),
    TENON_DOUBLE_COLUMN("angular_momentum.y", mechanics.angular_momentum.y),
    TENON_DOUBLE_COLUMN("angular_momentum.z", mechanics.angular_momentum.z),
    TENON_DOUBLE_COLUMN("work_J", work_J),
    TENON_DOUBLE_COLUMN("contact_work_J", contact_work_J),
    TENON_DOUBLE_COLUMN("linear_impulse.x", linear_impulse.x),
    TENON_DOUBLE_COLUMN("linear_impulse.y", linear_impulse.y),
    TENON_DOUBLE_COLUMN("linear_impulse.z", linear_impulse.z),
    TENON_DOUBLE_COLUMN("angular_impulse.x", angular_impulse.x),
    TENON_DOUBLE_COLUMN("angular_impulse.y", angular_impulse.y),
    TENON_DOUBLE_COLUMN("angular_impulse.z", angular_impulse.z),
    TENON_COUNT_COLUMN("contacts", contacts),
    TENON_COUNT_COLUMN("contact_pairs", contact_pairs),
    TENON_COUNT_COLUMN("candidate_pairs", candidate_pairs),
    TENON_DOUBLE_COLUMN("penetration_m", penetration_m),
    TENON_COUNT_COLUMN("contact_sweeps", contact_sweeps),
    TENON_DOUBLE_COLUMN("contact_residual", contact_residual),
    TENON_DOUBLE_COLUMN("joint_gap_m", joint_gap_m),
    TENON_DOUBLE_COLUMN("joint_gap_rel", joint_gap_rel),
    TENON_DOUBLE_COLUMN("joint_angle_rad", joint_angle_rad),
    TENON_COUNT_COLUMN("worst_joint", worst_joint),
    TENON_COUNT_COLUMN("joint_iterations", joint_iterations),
    TENON_COUNT_COLUMN("bisections", bisections),
    TENON_COUNT_COLUMN("softened_steps", softened_steps),
    TENON_COUNT_COLUMN("substeps", substeps),
    TENON_COUNT_COLUMN("fallbacks", fallbacks),
    TENON_COUNT_COLUMN("integrator_steps", integrator_steps),
    TENON_COUNT_COLUMN("rejected_steps", rejected_steps),
    TENON_COUNT_COLUMN("minimum_steps", minimum_steps),
    TENON_COUNT_COLUMN("joint_events", joint_events),
    TENON_COUNT_COLUMN("impacts", impacts),
    TENON_COUNT_COLUMN("impact_steps", impact_steps),
    TENON_COUNT_COLUMN("capped_impacts", capped_impacts),
    TENON_DOUBLE_COLUMN("approach_left", approach_left),
    TENON_COUNT_COLUMN("lcp_solves", lcp_solves),
    TENON_COUNT_COLUMN("lcp_failures", lcp_failures),
    TENON_COUNT_COLUMN("unconverged_joints", unconverged_joints),
    TENON_COUNT_COLUMN("sleeping_bodies", sleeping_bodies),
    TENON_COUNT_COLUMN("frozen_bodies", frozen_bodies),
};

#undef TENON_DOUBLE_COLUMN
#undef TENON_COUNT_COLUMN

}  // namespace

std::span<const DiagnosticColumn> diagnostic_columns() { return kColumns; }

std::vector<std::string> timing_column_names() {
  std::vector<std::string> names{column_label("step", ColumnType::kInteger)};
  for (int i = 0; i < kPhaseCount; ++i) {
    const std::string phase = std::string("ns.") + name(static_cast<Phase>(i));
    names.push_back(column_label(phase.c_str(), ColumnType::kInteger));
  }
  return names;
}

std::vector<uint64_t> timing_row(const StepDiagnostics& diagnostics) {
  std::vector<uint64_t> row{diagnostics.step};
  for (double ms : diagnostics.phase_ms) {
    // a clock that jumped back counts as no time; nothing takes longer than 100 days
    const double ns = ms * 1e6;
    row.push_back(ns > 0 && ns < 1e16 ? static_cast<uint64_t>(ns + 0.5) : 0);
  }
  return row;
}

std::string column_label(const char* name, ColumnType type) {
  return std::string(name) + (type == ColumnType::kInteger ? ":u64" : ":f64");
}

}  // namespace tenon
