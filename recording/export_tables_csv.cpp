// The tables of events, of contacts and of diagnostics.
#include <algorithm>
#include <cmath>
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

// Empty for a body that is not recorded.
std::string body_name(const RunRecord& run, uint32_t place) {
  return place < run.body_names.size() ? csv_quoted(run.body_names[place]) : std::string();
}

// Whether an event or contact has one of the chosen bodies.
template <class Row>
bool wanted(const Row& row, const std::vector<size_t>& places, const CsvOptions& options) {
  return options.bodies.empty() ||
         std::binary_search(places.begin(), places.end(), size_t{row.a}) ||
         std::binary_search(places.begin(), places.end(), size_t{row.b});
}

// Every n-th step, counted like frames: from the initial state, which has no line in these tables,
// where that is in the range; else from the first step in the range, or from the first line where
// the step varies. So all tables have the same times.
class EveryStep {
 public:
  EveryStep(const RunRecord& run, const CsvOptions& options)
      : every_(options.every),
        start_(run.first_step),
        counting_(in_range(run.first_time, options)) {
    const double steps = std::ceil((options.from_s - kCsvSlack_s - run.first_time) / run.step_s);
    if (counting_ || !(steps > 0 && steps < 1e15)) return;
    start_ += static_cast<uint64_t>(steps);
    counting_ = true;
  }
  bool has(uint64_t step) {
    if (!std::exchange(counting_, true)) start_ = step;
    return (step - start_) % every_ == 0;
  }

 private:
  uint64_t every_, start_;
  bool counting_;
};

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
  text.add(number(d.contact_work_J));
  text.add(std::to_string(d.contact_sweeps));
  text.add(number(d.contact_residual));
  for (const uint32_t count : {d.candidate_pairs, d.substeps, d.fallbacks, d.sleeping_bodies})
    text.add(std::to_string(count));
  text.add(number(m.elastic_J));
}

}  // namespace

Result<uint64_t> export_events_csv(RecordingReader& reader, ByteSink& sink,
                                   const CsvOptions& options) {
  if (auto status = check_csv_options(options); !status) return status.error();
  const auto places = choose_bodies(reader, options);
  if (!places) return places.error();
  const auto name_of = [&](uint32_t place) { return body_name(reader.run(), place); };
  CsvText text(sink, "t,step,event,a,b,value,joint,impulse");
  const auto add_steps = [&](uint64_t first, uint64_t last) -> Status {
    const auto events = reader.read_events(first, last);
    if (!events) return events.error();
    for (const RecordedEvent& event : *events) {
      if (!in_range(event.time, options) || !wanted(event, *places, options)) continue;
      text.begin(number(event.time));
      text.add(std::to_string(event.step));
      for (const std::string& cell : {csv_quoted(event.kind), name_of(event.a), name_of(event.b),
                                      number(event.value), joint_name(reader.run(), event.joint)})
        text.add(cell);
      text.add({event.impulse});
      if (auto status = text.end_line(); !status) return status;
    }
    return Ok{};
  };
  if (auto status = for_step_ranges(reader, kChunkEvents, options, add_steps); !status)
    return status.error();
  if (auto status = text.finish(); !status) return status.error();
  return text.lines();
}

Result<uint64_t> export_contacts_csv(RecordingReader& reader, ByteSink& sink,
                                     const CsvOptions& options) {
  if (auto status = check_csv_options(options); !status) return status.error();
  const auto places = choose_bodies(reader, options);
  if (!places) return places.error();
  const RunRecord& run = reader.run();
  // says so before anything is written
  if (!run.contact_track)
    if (const auto none = reader.read_contacts(0, 0); !none) return none.error();
  EveryStep every(run, options);
  CsvText text(sink, "t,step,a,b,x,y,z,nx,ny,nz,distance_m,jx,jy,jz,acts");
  const auto add_steps = [&](uint64_t first, uint64_t last) -> Status {
    const auto contacts = reader.read_contacts(first, last);
    if (!contacts) return contacts.error();
    for (const RecordedContact& c : *contacts) {
      if (!in_range(c.time, options) || !every.has(c.step)) continue;
      if (!wanted(c, *places, options)) continue;
      const Vec3 &p = c.point_W, &n = c.normal_W, &j = c.impulse_W;
      text.begin(number(c.time));
      for (const std::string& cell :
           {std::to_string(c.step), body_name(run, c.a), body_name(run, c.b)})
        text.add(cell);
      text.add({p.x, p.y, p.z, n.x, n.y, n.z, c.distance, j.x, j.y, j.z});
      text.add(c.acts ? "1" : "0");
      if (auto status = text.end_line(); !status) return status;
    }
    return Ok{};
  };
  if (auto status = for_step_ranges(reader, kChunkContacts, options, add_steps); !status)
    return status.error();
  if (auto status = text.finish(); !status) return status.error();
  return text.lines();
}

Result<uint64_t> export_diagnostics_csv(RecordingReader& reader, ByteSink& sink,
                                        const CsvOptions& options) {
  if (auto status = check_csv_options(options); !status) return status.error();
  const RunRecord& run = reader.run();
  EveryStep every(run, options);
  CsvText text(
      sink,
      "t,step,kinetic_J,potential_J,work_J,balance_J,px,py,pz,lx,ly,lz,contacts,"
      "contact_pairs,penetration_m,joint_gap_m,joint_gap_rel,joint_angle_rad,"
      "frozen_bodies,worst_joint,joint_iterations,bisections,softened_steps,unconverged_joints,"
      "contact_work_J,contact_sweeps,contact_residual,candidate_pairs,substeps,fallbacks,"
      "sleeping_bodies,elastic_J");
  const auto add_steps = [&](uint64_t first, uint64_t last) -> Status {
    const auto rows = reader.read_diagnostics(first, last);
    if (!rows) return rows.error();
    for (const StepDiagnostics& row : *rows) {
      if (!in_range(row.time, options) || !every.has(row.step)) continue;
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
