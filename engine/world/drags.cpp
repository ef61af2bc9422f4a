#include "tenon/engine/world/drags.h"

#include <algorithm>
#include <cmath>

namespace tenon {
namespace {

using displacement::Six;
using displacement::Want;

// A part of a drag: trackers go no farther at once, in sizes of the bodies they hold and in rad.
constexpr double kLead = 0.5;
constexpr int kMostParts = 32;
// A body that turns farther in one part has perhaps changed to another branch: smaller parts then.
constexpr double kJump = 1.2;  // rad
constexpr int kHalvings = 3;
constexpr double kTorn = 1e-2;  // of sizes and rad: joints that a person sees open

// Wants of all kinematic drags in the mechanism: position and orientation, each as its own.
void collect_wants(const WorldData& data, const Drags& drags, DraggedMechanism& m,
                   std::vector<uint32_t>& owners) {
  m.wants.clear();
  owners.clear();
  for (uint32_t slot = 0; slot < drags.drags.size(); ++slot) {
    const Drag& drag = drags.drags[slot];
    if (!drags.slots.live(slot) || drag.def.mode != DragDef::Mode::kKinematic) continue;
    if (!data.body_slots.contains(drag.def.body)) continue;
    const uint32_t body = m.mechanism.find(drag.def.body.index);
    if (body == DisplacedMechanism::kNoBody) continue;
    Want want;
    want.body = body;
    want.weight = drag.def.weight;
    want.point_C = drag.def.point_B - data.mass[drag.def.body.index].com_B;
    want.target_W = drag.target.position_W;
    want.pose.q = drag.target.orientation_W;
    if (drag.def.position) {
      want.kind = Want::Kind::kReach;
      m.wants.push_back(want);
      owners.push_back(slot);
    }
    if (drag.def.orientation) {
      want.kind = Want::Kind::kOrient;
      m.wants.push_back(want);
      owners.push_back(slot);
    }
  }
}

// What a want still asks for, where bodies are.
Six lead_of(const Want& want, const displacement::Configuration& at) {
  const Pose& X = at[want.body];
  if (want.kind == Want::Kind::kOrient) return {{}, log_map(want.pose.q * conjugate(X.q))};
  return {want.target_W - X.p - rotate(X.q, want.point_C), {}};
}

// The last displacement, in proportion to how the trackers go now.
bool extrapolate(const DraggedMechanism& m, std::span<const Six> lead, std::vector<Six>& step) {
  if (!m.has_last || m.last_lead.size() != lead.size()) return false;
  double along = 0, length = 0;
  for (size_t i = 0; i < lead.size(); ++i) {
    along += dot(lead[i], m.last_lead[i]);
    length += dot(m.last_lead[i], m.last_lead[i]);
  }
  if (!(length > 0)) return false;
  const double factor = std::clamp(along / length, -1.5, 1.5);
  step = m.last_step;
  for (Six& s : step) s = {factor * s.x, factor * s.r};
  return true;
}

double largest_turn(const displacement::Configuration& from,
                    const displacement::Configuration& to) {
  double most = 0;
  for (size_t b = 0; b < from.size(); ++b) {
    most = std::max(most, norm(log_map(to[b].q * conjugate(from[b].q))));
  }
  return most;
}

// One part of the way: trackers go a share of what is left.
void advance(DraggedMechanism& m, double share, const displacement::Effort& effort,
             DragReport& report, displacement::Configuration& out) {
  displacement::Configuration at = m.mechanism.at;
  std::vector<Six> lead;
  const std::vector<Want> whole = m.wants;
  for (Want& want : m.wants) {
    Six part = lead_of(want, at);
    part = {share * part.x, share * part.r};
    lead.push_back(part);
    const Pose& X = at[want.body];
    want.target_W = X.p + rotate(X.q, want.point_C) + part.x;
    want.pose.q = normalized(exp_map(part.r) * X.q);
  }
  std::vector<Six> step;
  if (extrapolate(m, lead, step)) displacement::displace(step, m.mechanism.bodies, at);
  m.assembler.reset(m.mechanism.bodies, m.mechanism.joints, m.wants, true);
  const displacement::AssemblyResult result = m.assembler.solve(at, effort);
  report.outcome = result.outcome;
  report.solver = result.solver;
  report.geometric += static_cast<uint32_t>(result.geometric);
  report.inner += static_cast<uint32_t>(result.inner);
  report.error = result.error;
  m.wants = whole;
  out = std::move(at);
  m.last_lead = lead;
}

void accept(DraggedMechanism& m, displacement::Configuration at) {
  m.last_step.resize(at.size());
  for (size_t b = 0; b < at.size(); ++b) {
    m.last_step[b] = {at[b].p - m.mechanism.at[b].p,
                      log_map(at[b].q * conjugate(m.mechanism.at[b].q))};
  }
  m.mechanism.at = std::move(at);
  m.has_last = true;
}

// How many parts the way takes.
double count_parts(const DraggedMechanism& m) {
  double most = 0;
  for (const Want& want : m.wants) {
    const Six lead = lead_of(want, m.mechanism.at);
    most = std::max({most, norm(lead.x) / m.mechanism.bodies[want.body].size, norm(lead.r)});
  }
  return std::clamp(std::ceil(most / kLead), 1.0, static_cast<double>(kMostParts));
}

void follow(DraggedMechanism& m, const displacement::Effort& effort, DragReport& report) {
  const double parts = count_parts(m);
  double done = 0, size = 1 / parts;  // of the whole way
  const double least = size / (1 << kHalvings);
  while (done < 1 - 1e-9) {
    const double share = std::min(1.0, size / (1 - done));
    displacement::Configuration at;
    advance(m, share, effort, report, at);
    // out of time with joints worse than before: it stays where it was
    if (report.outcome == displacement::Outcome::kStopped && report.error > kTorn &&
        report.error > m.last_error) {
      report.error = m.last_error;
      m.has_last = false;
      break;
    }
    const bool jumped = largest_turn(m.mechanism.at, at) > kJump;
    if (jumped && size > least) {
      size *= 0.5;
      m.has_last = false;
      continue;
    }
    report.jumped = report.jumped || jumped;
    done += size;
    accept(m, std::move(at));
    m.last_error = report.error;
    if (is_late(effort)) break;
  }
  report.behind =
      done < 1 - 1e-9 || (report.outcome == displacement::Outcome::kStopped && is_late(effort));
}

DraggedMechanism* find_dragged(const WorldData& data, Drags& drags, uint32_t body_slot) {
  const void* models = data.joint_models.data();
  const bool fresh = drags.dragged != nullptr && drags.topology == data.topology &&
                     drags.models == models &&
                     drags.dragged->mechanism.find(body_slot) != DisplacedMechanism::kNoBody;
  if (!fresh) {
    const std::vector<uint8_t> displaceable = find_displaceable(data, {});
    const uint32_t loners[] = {body_slot};
    for (DisplacedMechanism& m :
         find_displaced(data, displaceable, loners, displacement::Metric::kWays)) {
      const uint32_t body = m.find(body_slot);
      if (body == DisplacedMechanism::kNoBody || m.bodies[body].inv_mass == 0) continue;
      drags.dragged = std::make_unique<DraggedMechanism>();
      drags.dragged->mechanism = std::move(m);
      drags.topology = data.topology;
      drags.models = models;
      return drags.dragged.get();
    }
    return nullptr;
  }
  // bodies may have been moved since
  DraggedMechanism& m = *drags.dragged;
  for (size_t b = 0; b < m.mechanism.at.size(); ++b) {
    const uint32_t slot = m.mechanism.body_slots[b];
    if (slot == kWorldBody) continue;
    const Pose now{data.state[slot].x_WC, data.state[slot].q_WB};
    if (m.mechanism.at[b] == now) continue;
    m.mechanism.at[b] = now;
    m.has_last = false;
  }
  return &m;
}

}  // namespace

void end_all(Drags& drags) {
  for (uint32_t slot = 0; slot < drags.slots.capacity(); ++slot) {
    if (drags.slots.live(slot)) drags.slots.remove(drags.slots.at(slot));
  }
  drags.dragged.reset();
}

DragReport move_kinematic(WorldData& data, Drags& drags, DragHandle drag, const DragTarget& to,
                          const DragEffort& effort, const PlaceBody& place) {
  DragReport report;
  Drag& mine = drags.drags[drag.index];
  mine.target = to;
  DraggedMechanism* m = find_dragged(data, drags, mine.def.body.index);
  if (m == nullptr) {  // frozen: it stays where it is
    report.outcome = displacement::Outcome::kConflict;
    report.behind = true;
    return report;
  }
  displacement::Effort limits = effort.effort;
  limits.clock = nullptr;
  if (effort.budget_ms > 0 && data.settings.clock != nullptr) {
    limits.clock = data.settings.clock;
    limits.deadline = limits.clock() + 1e-3 * effort.budget_ms;
  }
  std::vector<uint32_t> owners;
  collect_wants(data, drags, *m, owners);
  const displacement::Configuration before = m->mechanism.at;
  follow(*m, limits, report);
  for (size_t b = 0; b < before.size(); ++b) {
    if (m->mechanism.bodies[b].inv_mass == 0 || m->mechanism.at[b] == before[b]) continue;
    place(m->mechanism.body_slots[b], m->mechanism.at[b]);
  }
  store_turns(data, m->mechanism, m->assembler.turns());
  for (size_t i = 0; i < m->wants.size(); ++i) {
    if (owners[i] != drag.index) continue;
    const Six miss = lead_of(m->wants[i], m->mechanism.at);
    report.miss_m = std::max(report.miss_m, norm(miss.x));
    report.miss_rad = std::max(report.miss_rad, norm(miss.r));
  }
  return report;
}

}  // namespace tenon
