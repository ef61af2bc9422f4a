#include "tenon/render/report/summary.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tenon::report {
namespace {

class Collector {
 public:
  Collector(RunSummary& summary, const RunRecord& run) : summary_(summary), run_(run) {}

  void add(const StepDiagnostics& d) {
    RunSummary& s = summary_;
    const RunSummary::Energy now{d.mechanics.kinetic_J, d.mechanics.potential_J,
                                 d.mechanics.elastic_J, d.work_J, d.contact_work_J};
    const Vec3 p = d.mechanics.linear_momentum - d.linear_impulse;
    const Vec3 l = d.mechanics.angular_momentum - d.angular_impulse;
    if (s.steps++ == 0) {
      s.first = now;
      p_ = p;
      l_ = l;
    }
    s.last = now;
    s.balance_error_J = std::max(s.balance_error_J, std::fabs(now.balance() - s.first.balance()));
    s.largest_kinetic_J = std::max(s.largest_kinetic_J, now.kinetic);
    s.linear_error = std::max(s.linear_error, norm(p - p_));
    s.angular_error = std::max(s.angular_error, norm(l - l_));
    if (d.joint_gap_rel > s.gap_rel.max && d.worst_joint < run_.joint_names.size())
      s.worst_joint = run_.joint_names[d.worst_joint];
    s.gap_m.add(d.time, d.joint_gap_m);
    s.gap_rel.add(d.time, d.joint_gap_rel);
    s.angle_rad.add(d.time, d.joint_angle_rad);
    s.penetration_m.add(d.time, d.penetration_m);
    s.contacts.add(d.time, d.contacts);
    s.iterations.add(d.time, d.joint_iterations);
    s.sweeps.add(d.time, d.contact_sweeps);
    s.unconverged_steps += d.unconverged_joints > 0;
    s.softened_steps += d.softened_steps;
    s.frozen_bodies = d.frozen_bodies;
    s.sleeping_bodies_end = d.sleeping_bodies;
    for (size_t i = 0; i < kPhaseCount; ++i) s.phase_ms[i] += d.phase_ms[i];
  }

 private:
  RunSummary& summary_;
  const RunRecord& run_;
  Vec3 p_, l_;
};

}  // namespace

void Course::add(double time, double value) {
  if (!std::isfinite(value)) return;
  if (value > max) {
    max = value;
    max_time = time;
  }
  sum_of_squares += value * value;
  end = value;
  ++count;
}

double Course::rms() const {
  return count > 0 ? std::sqrt(sum_of_squares / static_cast<double>(count)) : 0;
}

double RunSummary::step_ms() const {
  double sum = 0;
  for (const double ms : phase_ms) sum += ms;
  return sum;
}

Result<RunSummary> summarize(RecordingReader& reader) {
  RunSummary summary;
  auto info = read_info(reader);
  if (!info) return info.error();
  summary.info = std::move(*info);
  Collector collector(summary, reader.run());
  uint64_t next = 0;
  for (const ChunkEntry& entry : reader.chunks()) {
    const ChunkHeader& header = entry.header;
    if (header.kind != kChunkDiagnostics || header.last_step < next) continue;
    const uint64_t first = std::exchange(next, header.last_step + 1);
    const auto rows = reader.read_diagnostics(first, header.last_step);
    if (!rows) return rows.error();
    for (const StepDiagnostics& d : *rows) collector.add(d);
  }
  for (double& ms : summary.phase_ms)
    ms /= static_cast<double>(std::max<uint64_t>(summary.steps, 1));
  const auto events = reader.read_events(0, reader.end().step);
  if (!events) return events.error();
  for (const RecordedEvent& event : *events) ++summary.events[event.kind];
  if (reader.frame_count() > 0) {
    const auto last = reader.read_frame(reader.frame_count() - 1);
    if (!last) return last.error();
    summary.state_hash = last->state_hash;
  }
  return summary;
}

}  // namespace tenon::report
