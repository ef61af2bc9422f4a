// The tables of events and of diagnostics.
#include <algorithm>
#include <utility>

#include "tenon/recording/detail/csv.h"
#include "tenon/recording/detail/text.h"

namespace tenon {
namespace {

using namespace recording_detail;

// Calls `use(first, last)` for ranges of steps that together cover all chunks of a kind, each step
// once, so that only few chunks are in memory at a time. A step whose rows are spread over two
// chunks belongs to the range that ends with it.
template <class Use>
Status for_step_ranges(const RecordingReader& reader, uint32_t kind, const CsvOptions& options,
                       Use use) {
  uint64_t next = 0;
  for (const ChunkEntry& entry : reader.chunks()) {
    const ChunkHeader& header = entry.header;
    if (header.kind != kind || header.last_step < next) continue;
    const uint64_t first = std::exchange(next, header.last_step + 1);
    if (header.last_time < options.from_s - kCsvSlack_s) continue;
    if (header.first_time > options.to_s + kCsvSlack_s) break;
    if (auto status = use(first, header.last_step); !status) return status;
    if (next == 0) break;  // the largest number there is
  }
  return Ok{};
}

bool in_range(double time, const CsvOptions& options) {
  return time >= options.from_s - kCsvSlack_s && time <= options.to_s + kCsvSlack_s;
}

// Empty for none and for one that came later.
std::string joint_name(const RunRecord& run, uint32_t place) {
  return place < run.joint_names.size() ? csv_quoted(run.joint_names[place]) : std::string();
}

void add_row(CsvText& text, const StepDiagnostics& d, const RunRecord& run) {
  const Mechanics& m = d.mechanics;
  const Vec3 &p = m.linear_momentum, &l = m.angular_momentum;
  text.begin(number(d.time));
  text.add(std::to_string(d.step));
  text.add({m.kinetic_J, m.potential_J, d.work_J, m.kinetic_J + m.potential_J - d.work_J});
  text.add({p.x, p.y, p.z, l.x, l.y, l.z});
  text.add(std::to_string(d.contacts));
  text.add(std::to_string(d.contact_pairs));
  text.add({d.penetration_m, d.joint_gap_m, d.joint_gap_rel, d.joint_angle_rad});
  text.add(std::to_string(d.frozen_bodies));
  text.add(joint_name(run, d.worst_joint));
  for (const uint32_t count :
       {d.joint_iterations, d.bisections, d.softened_steps, d.unconverged_joints})
    text.add(std::to_string(count));
}

}  // namespace

Result<uint64_t> export_events_csv(RecordingReader& reader, ByteSink& sink,
                                   const CsvOptions& options) {
  if (auto status = check_csv_options(options); !status) return status.error();
  const auto places = choose_bodies(reader, options);
  if (!places) return places.error();
  const auto& body_names = reader.run().body_names;
  // a body that is not recorded has an empty name
  const auto name_of = [&](uint32_t place) {
    return place < body_names.size() ? csv_quoted(body_names[place]) : std::string();
  };
  const auto wanted = [&](const RecordedEvent& event) {
    return options.bodies.empty() ||
           std::binary_search(places->begin(), places->end(), size_t{event.a}) ||
           std::binary_search(places->begin(), places->end(), size_t{event.b});
  };
  CsvText text(sink, "t,step,event,a,b,value,joint");
  const auto add_steps = [&](uint64_t first, uint64_t last) -> Status {
    const auto events = reader.read_events(first, last);
    if (!events) return events.error();
    for (const RecordedEvent& event : *events) {
      if (!in_range(event.time, options) || !wanted(event)) continue;
      text.begin(number(event.time));
      text.add(std::to_string(event.step));
      for (const std::string& cell : {csv_quoted(event.kind), name_of(event.a), name_of(event.b),
                                      number(event.value), joint_name(reader.run(), event.joint)})
        text.add(cell);
      if (auto status = text.end_line(); !status) return status;
    }
    return Ok{};
  };
  if (auto status = for_step_ranges(reader, kChunkEvents, options, add_steps); !status)
    return status.error();
  if (auto status = text.finish(); !status) return status.error();
  return text.lines();
}

Result<uint64_t> export_diagnostics_csv(RecordingReader& reader, ByteSink& sink,
                                        const CsvOptions& options) {
  if (auto status = check_csv_options(options); !status) return status.error();
  // Counted like frames: from the initial state, which has no line here, where that is in the
  // range; else from the first line. So both tables have the same times.
  const RunRecord& run = reader.run();
  bool counting = in_range(run.first_time, options);
  uint64_t start = run.first_step;
  CsvText text(
      sink,
      "t,step,kinetic_J,potential_J,work_J,balance_J,px,py,pz,lx,ly,lz,contacts,"
      "contact_pairs,penetration_m,joint_gap_m,joint_gap_rel,joint_angle_rad,"
      "frozen_bodies,worst_joint,joint_iterations,bisections,softened_steps,unconverged_joints");
  const auto add_steps = [&](uint64_t first, uint64_t last) -> Status {
    const auto rows = reader.read_diagnostics(first, last);
    if (!rows) return rows.error();
    for (const StepDiagnostics& row : *rows) {
      if (!in_range(row.time, options)) continue;
      if (!std::exchange(counting, true)) start = row.step;
      if ((row.step - start) % options.every != 0) continue;
      add_row(text, row, run);
      if (auto status = text.end_line(); !status) return status;
    }
    return Ok{};
  };
  if (auto status = for_step_ranges(reader, kChunkDiagnostics, options, add_steps); !status)
    return status.error();
  if (auto status = text.finish(); !status) return status.error();
  return text.lines();
}

}  // namespace tenon
