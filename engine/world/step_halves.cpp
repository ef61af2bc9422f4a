#include "tenon/engine/world/step_halves.h"

#include <algorithm>

#include "tenon/engine/world/halved.h"
#include "tenon/engine/world/schedule.h"
#include "tenon/engine/world/step_trial.h"

namespace tenon {
namespace {

// Impulses of these bodies over a part of a step -> over a part of another length, with the same
// forces.
void scale_impulses(WorldData& data, const BodyMask& who, double factor) {
  for (Contact& c : data.contacts) {
    if (who[c.body_a] == 0 && who[c.body_b] == 0) continue;
    for (double& p : c.holding) p *= factor;
    c.rub_W *= factor;
    c.roll_W *= factor;
    c.spin *= factor;
  }
}

EarlierHalf keep_half(const StepContext& half, const WorldData& data, const BodyMask& who) {
  EarlierHalf kept{who, data.pushes, data.contacts, data.ended};
  // those of others are for the whole step already
  const auto is_of_others = [&](const auto& x) {
    return is_idle(half, x.body_a) || is_idle(half, x.body_b);
  };
  std::erase_if(kept.contacts, is_of_others);
  std::erase_if(kept.pushes, is_of_others);
  return kept;
}

// How far the next contacts of those that are not left out are looked for: as far as parts have to
// be short now, or twice as far where nothing in this one was near its bound.
void choose_next_part(StepContext& context, std::span<const double> overruns) {
  constexpr double kCalm = 0.35;
  const bool near = std::any_of(overruns.begin(), overruns.end(), [](double x) { return x > 0; });
  if ((context.halvings == 0 || !near) && context.next_halvings.empty()) return;
  context.next_halvings.resize(overruns.size(), 0);
  for (uint32_t slot = 0; slot < overruns.size(); ++slot) {
    if (is_left_out(context, slot)) continue;
    const bool longer = overruns[slot] < kCalm;
    const bool whole = !(overruns[slot] > 0) || context.halvings == 0;
    context.next_halvings[slot] =
        whole ? uint8_t{0} : static_cast<uint8_t>(context.halvings - (longer ? 1 : 0));
  }
}

}  // namespace

void arrive(StepContext& context, WorldData& data) {
  const double h = context.h;
  context.h = context.last_h;
  run_schedule(kArrival, context, data);
  context.h = h;
  for (const EarlierHalf& half : context.earlier) {
    data.pushes = add_pushes(half.pushes, data.pushes);
    add_impulses(half.contacts, data.contacts);
    add_impulses(half.contacts, data.ended);
    data.ended = merge_ended(half.ended, data.ended);
    scale_impulses(data, half.bodies, 2);
  }
  context.earlier.clear();
}

void add_counters(const StepDiagnostics& from, StepDiagnostics& to) {
  to.joint_iterations = std::max(from.joint_iterations, to.joint_iterations);
  to.contact_sweeps = std::max(from.contact_sweeps, to.contact_sweeps);
  to.contact_residual = std::max(from.contact_residual, to.contact_residual);
  to.substeps = std::max(from.substeps, to.substeps);
  to.bisections += from.bisections;
  to.fallbacks += from.fallbacks;
  to.softened_steps += from.softened_steps;
}

bool move_by_halves(StepContext& whole, WorldData& data, const Beginning& beginning, int halvings) {
  const BodyMask who = find_active(whole, data);
  beginning.restore(whole, data, who, whole.left_out.empty());
  scale_impulses(data, who, 0.5);
  EarlierHalf earlier;
  StepDiagnostics first;
  const double middle = 0.5 * (whole.t_begin + whole.t_end);
  for (const bool second : {false, true}) {
    StepContext half = whole;
    half.h = 0.5 * whole.h;
    half.halvings = static_cast<uint8_t>(whole.halvings + 1);
    half.kinematic_begin.clear();
    half.given.clear();
    half.ends_step = whole.ends_step && second;
    half.t_begin = second ? middle : whole.t_begin;
    half.t_end = second ? whole.t_end : middle;
    beginning.apply_given(data, who);
    if (!move_part(half, data, halvings)) {
      whole.met = std::move(half.met);
      return false;
    }
    if (!second) {
      arrive(half, data);
      earlier = keep_half(half, data, who);
      first = data.diagnostics;
      continue;
    }
    whole.earlier = std::move(half.earlier);
    whole.asleep = std::move(half.asleep);
    whole.next_halvings = half.next_halvings;
    whole.last_h = half.last_h;
  }
  add_counters(first, data.diagnostics);
  ++data.diagnostics.bisections;
  whole.earlier.push_back(std::move(earlier));
  return true;
}

bool move_part(StepContext& context, WorldData& data, int halvings) {
  context.last_h = context.h;
  Halved halved(context, data);
  const auto all_by_halves = [&] {
    context.left_out = halved.outer();
    return move_by_halves(context, data, Beginning(context, data), halvings - 1);
  };
  if (halvings > 0 && !data.halvings.empty()) {
    update_mechanisms(data, *context.mechanisms);  // crowds are joined by joints
    halved.add(context, data, [&](uint32_t slot) {
      return slot < data.halvings.size() && data.halvings[slot] > context.halvings;
    });
    if (halved.any() && halved.is_everyone()) return all_by_halves();
  }
  run_schedule(kPrepare, context, data);
  for (uint32_t slot = 0; slot < halved.outer().size(); ++slot) {
    if (halved.outer()[slot] != LeftOut::kNo) data.applied[slot] = {};
  }
  const std::vector<double> overruns = calc_mesh_overruns(context, data);
  if (halvings > 0 &&
      halved.add(context, data, [&](uint32_t slot) { return overruns[slot] > 1; })) {
    if (halved.is_everyone()) return all_by_halves();
    run_schedule(kFewer, context, data);
  }
  choose_next_part(context, overruns);
  const bool fast = halvings > 0 && jointed_bodies_may_pass(context, data);
  const bool partly = !context.left_out.empty() && !context.next_halvings.empty();
  if (fast || partly || (halvings > 0 && contacts_may_not_settle(context))) {
    return Trial(context, data, halvings, fast, halved).run();
  }
  run_schedule(kForces, context, data);
  run_schedule(kMotion, context, data);
  run_schedule(kRest, context, data);
  return true;
}

}  // namespace tenon
