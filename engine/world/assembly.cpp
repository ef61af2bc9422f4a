#include "tenon/engine/world/assembly.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tenon/engine/world/assemble_world.h"
#include "tenon/engine/world/displaced.h"

namespace tenon {
namespace {

using displacement::Outcome;
using displacement::Want;

Error bad_want(size_t index, std::string message, std::string accepted) {
  return {.message = "want " + std::to_string(index) + ": " + std::move(message),
          .accepted = std::move(accepted)};
}

Status check_want(const WorldData& data, size_t index, const AssemblyWant& want) {
  if (!data.body_slots.contains(want.body)) {
    return bad_want(index, "no such body", "the handle of a body of this world");
  }
  if (data.info[want.body.index].motion != MotionKind::kDynamic) {
    return bad_want(index, "the body does not move", "a dynamic body");
  }
  if (!(want.weight > 0) || !(want.weight <= 1e6)) {
    return bad_want(index, "the weight " + std::to_string(want.weight) + " is out of range",
                    "a number above 0, up to 1e6");
  }
  const bool finite = is_finite(want.point_B) && is_finite(want.target_W) && is_finite(want.X_WB) &&
                      is_finite(want.axis_B) && is_finite(want.direction_W);
  if (!finite || !(norm(want.X_WB.q) > 0)) {
    return bad_want(index, "a number is not finite", "finite numbers, a quaternion not zero");
  }
  if (want.kind == Want::Kind::kUpright && (want.axis_B == Vec3{} || want.direction_W == Vec3{})) {
    return bad_want(index, "a direction is zero", "directions of any length but zero");
  }
  return Ok{};
}

Status check_def(const WorldData& data, const AssemblyDef& def) {
  for (size_t i = 0; i < def.wants.size(); ++i) {
    if (Status s = check_want(data, i, def.wants[i]); !s) return s;
  }
  for (const std::vector<BodyHandle>* list : {&def.locked, &def.only}) {
    for (const BodyHandle body : *list) {
      if (!data.body_slots.contains(body)) return Error{.message = "no such body"};
    }
  }
  for (const JointImportance& i : def.importance) {
    if (!data.joint_slots.contains(i.joint)) return Error{.message = "no such joint"};
    if (!(i.weight > 0) || !(i.weight <= 1e6)) {
      return Error{.message = "the importance of a joint is out of range",
                   .value = std::to_string(i.weight),
                   .accepted = "a number above 0, up to 1e6"};
    }
  }
  if (Status s = check_effort(def.effort, def.budget_ms); !s) return s;
  if (def.budget_ms > 0 && data.settings.clock == nullptr) {
    return Error{.message = "a time budget needs a clock",
                 .accepted = "WorldSettings::clock, or no budget"};
  }
  return Ok{};
}

Want make_want(const WorldData& data, const AssemblyWant& want, uint32_t body) {
  const BodyMass& mass = data.mass[want.body.index];
  Want out;
  out.kind = want.kind;
  out.body = body;
  out.point_C = want.point_B - mass.com_B;
  out.target_W = want.target_W;
  out.pose.q = normalized(want.X_WB.q);
  out.pose.p = want.X_WB.p + rotate(out.pose.q, mass.com_B);
  out.axis_B = normalized(want.axis_B);
  out.direction_W = normalized(want.direction_W);
  out.weight = want.weight;
  return out;
}

std::vector<uint32_t> slots_of(std::span<const BodyHandle> bodies) {
  std::vector<uint32_t> slots;
  for (const BodyHandle body : bodies) slots.push_back(body.index);
  std::sort(slots.begin(), slots.end());
  return slots;
}

bool has_any(const DisplacedMechanism& m, std::span<const uint32_t> slots) {
  return std::any_of(m.body_slots.begin(), m.body_slots.end(), [&](uint32_t slot) {
    return std::binary_search(slots.begin(), slots.end(), slot);
  });
}

// One mechanism: solves, and puts what it did into the report.
void assemble_mechanism(WorldData& data, const AssemblyDef& def, DisplacedMechanism& m,
                        displacement::Effort effort, AssemblyReport& report) {
  std::vector<Want> wants;
  std::vector<size_t> places;
  for (size_t i = 0; i < def.wants.size(); ++i) {
    const uint32_t body = m.find(def.wants[i].body.index);
    if (body == DisplacedMechanism::kNoBody || m.bodies[body].inv_mass == 0) continue;
    wants.push_back(make_want(data, def.wants[i], body));
    places.push_back(i);
  }
  for (const JointImportance& i : def.importance) {
    for (size_t j = 0; j < m.joints.size(); ++j) {
      if (m.joint_slots[j] == i.joint.index) m.joints[j].weight = i.weight;
    }
  }
  displacement::Assembler assembler;
  assembler.reset(m.bodies, m.joints, wants, def.limits);
  const displacement::AssemblyResult result = assembler.solve(m.at, effort);
  ++report.mechanisms;
  report.outcome = std::max(report.outcome, result.outcome);
  report.solver = result.solver;
  report.geometric = std::max(report.geometric, static_cast<uint32_t>(result.geometric));
  report.inner += static_cast<uint32_t>(result.inner);
  report.start = std::max(report.start, result.start);
  report.error = std::max(report.error, result.error);
  report.escaped = report.escaped || result.escaped;
  std::vector<displacement::Gap> gaps(m.joints.size());
  assembler.measure(gaps);
  for (size_t j = 0; j < gaps.size(); ++j) {
    if (std::max(gaps[j].gap_m / m.joints[j].size, gaps[j].angle_rad) <= effort.precision) continue;
    report.open.push_back(
        {data.joint_slots.at(m.joint_slots[j]), gaps[j].gap_m, gaps[j].angle_rad});
  }
  std::vector<double> misses(wants.size());
  assembler.measure_wants(misses);
  for (size_t i = 0; i < misses.size(); ++i) report.misses[places[i]] = misses[i];
  store_turns(data, m, assembler.turns());
}

// Joints of bodies that are all locked: whether they fit by themselves.
void judge_immovable(const DisplacedMechanism& m, const AssemblyDef& def, AssemblyReport& report,
                     const WorldData& data) {
  displacement::RowMaker maker;
  displacement::RowSet rows;
  maker.reset(m.bodies, m.joints, {}, def.limits);
  maker.make(m.at, 1, rows);
  const double error = maker.worst(rows);
  report.start = std::max(report.start, error);
  report.error = std::max(report.error, error);
  if (error <= def.effort.precision) return;
  report.outcome = std::max(report.outcome, Outcome::kConflict);
  std::vector<displacement::Gap> gaps(m.joints.size());
  maker.measure(rows, gaps);
  for (size_t j = 0; j < gaps.size(); ++j) {
    if (std::max(gaps[j].gap_m / m.joints[j].size, gaps[j].angle_rad) <= def.effort.precision) {
      continue;
    }
    report.open.push_back(
        {data.joint_slots.at(m.joint_slots[j]), gaps[j].gap_m, gaps[j].angle_rad});
  }
}

// What a body that does not move misses of its want.
double miss_of(const WorldData& data, const AssemblyWant& want) {
  displacement::Body body;
  const double size = data.mass[want.body.index].size;
  if (size > 0) body.size = size;
  const Want one = make_want(data, want, 0);
  const BodyState& state = data.state[want.body.index];
  displacement::Configuration at{{state.x_WC, state.q_WB}};
  displacement::Assembler assembler;
  assembler.reset({&body, 1}, {}, {&one, 1}, false);
  assembler.solve(at, {.geometric = 0});
  double miss = 0;
  assembler.measure_wants({&miss, 1});
  return miss;
}

}  // namespace

Status check_effort(const displacement::Effort& e, double budget_ms) {
  const bool positive = e.precision > 0 && e.damping > 0 && std::isfinite(e.damping);
  if (e.geometric >= 0 && e.inner >= 0 && positive && budget_ms >= 0) return Ok{};
  return Error{.message = "the effort of an assembly or a drag is out of range",
               .accepted = "iterations >= 0, precision and damping > 0, a budget >= 0"};
}

Result<AssemblyReport> assemble_world(WorldData& data, const AssemblyDef& def,
                                      const PlaceBody& place) {
  if (Status s = check_def(data, def); !s) return s.error();
  AssemblyReport report;
  report.misses.assign(def.wants.size(), 0);
  std::vector<BodyHandle> wanted;
  for (const AssemblyWant& want : def.wants) wanted.push_back(want.body);
  const std::vector<uint32_t> locked = slots_of(def.locked), only = slots_of(def.only);
  displacement::Effort effort = def.effort;
  effort.clock = nullptr;
  if (def.budget_ms > 0) {
    effort.clock = data.settings.clock;
    effort.deadline = effort.clock() + 1e-3 * def.budget_ms;
  }
  const std::vector<uint8_t> displaceable = find_displaceable(data, locked);
  for (DisplacedMechanism& m : find_displaced(data, displaceable, slots_of(wanted), def.metric)) {
    if (!only.empty() && !has_any(m, only)) continue;
    const displacement::Configuration before = m.at;
    assemble_mechanism(data, def, m, effort, report);
    for (size_t b = 0; b < m.bodies.size(); ++b) {
      if (m.bodies[b].inv_mass == 0) continue;
      const double distance = norm(m.at[b].p - before[b].p);
      const double angle = norm(log_map(m.at[b].q * conjugate(before[b].q)));
      if (m.at[b] == before[b]) continue;
      place(m.body_slots[b], m.at[b]);
      if (std::max(distance / m.bodies[b].size, angle) <= effort.precision) continue;
      report.moved.push_back({data.body_slots.at(m.body_slots[b]), distance, angle});
    }
  }
  for (size_t i = 0; i < def.wants.size(); ++i) {
    if (displaceable[def.wants[i].body.index] == 0) report.misses[i] = miss_of(data, def.wants[i]);
  }
  const DisplacedMechanism rest = find_immovable(data, displaceable);
  if (!rest.joints.empty() && (only.empty() || has_any(rest, only))) {
    judge_immovable(rest, def, report, data);
  }
  std::sort(report.moved.begin(), report.moved.end(),
            [](const auto& a, const auto& b) { return a.body.index < b.body.index; });
  std::sort(report.open.begin(), report.open.end(), [](const auto& a, const auto& b) {
    const double size_a = std::max(a.gap_m, a.angle_rad), size_b = std::max(b.gap_m, b.angle_rad);
    return size_a != size_b ? size_a > size_b : a.joint.index < b.joint.index;
  });
  return report;
}

}  // namespace tenon
