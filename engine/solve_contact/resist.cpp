// Contacts and overlaps: Gauss-Seidel sweeps over patches, each solved as a whole.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"
#include "tenon/engine/solve_contact/rubbing.h"

namespace tenon {
namespace {

// A sweep that changes no velocity by more than this part of what gravity does in a step is the
// last one; after kCareful sweeps, kFairRest is enough. A first sweep that changes less than kLoose
// shows that the impulses of the last step still hold.
constexpr double kStill = 1e-7, kFairRest = 1e-6, kLoose = 2e-6;
constexpr double kAtRest = 0.1;  // of that speed: slower islands are at rest
constexpr int kCareful = 16;
// Where bodies are in motion: the same, and this part of their speed.
constexpr double kMovingStill = 1e-5, kMoving = 1e-4;
constexpr double kWild = 0.1, kDiverging = 100;  // of the speeds that there are: no solution
// Where something is moved against what joints hold, impulses have grown so much and the residual
// has not fallen to this part, it cannot be: it would be more and more of the same. Then what was
// there before they grew. (Rows of loose bodies that are pushed need many sweeps and get there.)
constexpr double kGrown = 3, kProgress = 0.5;
// Of the momentum of all bodies at the largest speed that there is, and of what forces and motors
// give in a step: no lever makes more of it.
constexpr double kMostImpulse = 1e3;
constexpr double kUnconfirmed = 0.03;  // of that: of solves at once, which no sweep has confirmed
// The same for overlaps, of their largest.
constexpr double kSeparated = 1e-2;
constexpr double kUnvisited = 0.1;  // of that: what has changed by less is not visited again
constexpr int kFewSweeps = 8;       // of so many, none is for going faster
// Sweeps after which small islands are solved at once if they have not come nearer by this factor.
constexpr int kBeforeAtOnce = 6;
constexpr double kCreeping = 0.2;
constexpr double kWorthIt = 1e-3;  // of what gravity does in a step
constexpr int kMostTimesAtOnce = 3;
constexpr int kPlainSweeps = 4;  // before what came before is used to go faster
constexpr int kPatience = 6;     // sweeps without progress, after which what cannot be is given up

double sum_of(std::span<const double> z) {
  double sum = 0;
  for (const double x : z) sum += std::fabs(x);
  return sum;
}

}  // namespace

IslandResult Island::resist(const IslandSettings& settings) {
  for (IslandPatch& c : patches) c.lost = faceted ? kLost : kNeverLost;
  for (const IslandGroup& g : groups) {
    if (!g.answer.empty() && !g.predicted) project_group(g, true);
  }
  const double before = kinetic_of(motion);
  loose_base_.assign(motion.begin(), motion.end());
  base_.clear();
  begin_bounds(false, settings.tolerance);
  base_.assign(motion.begin(), motion.end());
  base_rates_ = rates_;
  const IslandResult result = solve_contacts(settings);
  if (!gains_too_much(settings, before)) return result;
  // Coulomb's law with large coefficients need not have a solution that sweeps find [Painleve1895]:
  // without friction there is always one
  for (IslandPatch& c : patches) {
    c.static_friction = c.sliding_friction = c.spinning = c.rolling = 0;
    c.rub = c.roll = {};
    for (uint32_t i = c.first; i < c.first + c.count; ++i) points[i].p = 0;
  }
  release_all();
  for (IslandRow& r : bounds) r.p = 0;
  prepare_patches();
  motion.assign(loose_base_.begin(), loose_base_.end());
  hold_springs();
  start_held(false);
  base_.assign(motion.begin(), motion.end());
  base_rates_ = rates_;
  return solve_contacts(settings);
}

IslandResult Island::stop_together(const IslandSettings& settings) {
  for (IslandPatch& c : patches) {
    c.rub = c.roll = {};
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      IslandPoint& x = points[i];
      x.p = 0;
      x.least = -std::max(x.gap, 0.0) / settings.h;
    }
  }
  return resist(settings);
}

IslandResult Island::solve_contacts(const IslandSettings& settings) {
  load_records();
  apply_all();
  const double fall = settings.gravity * settings.h;
  const bool rests = settings.speed < kAtRest * fall;
  const double still = rests ? kStill * fall : kMovingStill * fall + kMoving * settings.speed;
  const double fair = rests && !settings.thorough ? kFairRest * fall : still;
  const double loose = settings.thorough ? still : kLoose * fall;
  const double fine = kStill * (rests ? fall : fall + settings.speed);
  IslandResult result;
  best_ = kNever;
  best_g_.clear();
  bool backwards = false, accelerates = false, released_before = false;
  const bool unequal = heavy_on_light(rests);
  int at_once = 0, given_up = 0;
  double stuck = kNever;  // residual before the last patches slipped
  double calmest = kNever, halved = kNever, residual_before = kNever, calmest_before = kNever;
  const double scale = fall + settings.speed, outside = fastest_outside();
  const double fastest = std::max(scale, fall + fastest_touch());
  const double most = kMostImpulse * (fastest * mass() + impulse_of_forces(settings.h));
  gather(halved_z_);
  calmest_z_ = halved_z_;
  while (result.sweeps < settings.max_sweeps) {
    const double limit = result.sweeps < kCareful ? still : fair;
    if (!backwards) {
      accelerates = result.sweeps >= kPlainSweeps && settings.max_sweeps > kFewSweeps;
      if (accelerates) gather(z_);
    }
    released_ = false;
    result.residual = sweep_contacts(backwards, limit, fine);
    ++result.sweeps;
    if (result.sweeps % kBeforeAtOnce == kBeforeAtOnce / 2) residual_before = result.residual;
    // where a row is held no longer, what was found before is for other rows, and contacts notice
    // in the next sweep; meshes in several patches go back all the same, for what they press with
    // drifts along their patches
    const bool let_go = released_ && !faceted;
    const bool disturbed = let_go || released_before;
    released_before = let_go;
    if (let_go || result.residual < calmest) {
      calmest = let_go ? kNever : result.residual;
      gather(calmest_z_);
      calmest_roll_.clear();
      for (const IslandPatch& c : patches) calmest_roll_.push_back(c.roll);
    }
    if ((let_go || result.residual < kProgress * halved) && sum_of_impulses() <= most) {
      halved = let_go ? kNever : result.residual;
      gather(halved_z_);
    }
    const bool diverges = !disturbed && !(result.residual < kDiverging * scale);
    const bool creeps = unequal && result.sweeps % kBeforeAtOnce == 0 &&
                        result.residual > kWorthIt * fall &&
                        result.residual > kCreeping * residual_before;
    if ((diverges || creeps) && at_once < kMostTimesAtOnce) {
      ++at_once;
      gather(g_);
      const std::vector<double> before = g_;
      bool found = solve_at_once(g_, still);
      if (found && !(sum_of(g_) <= kUnconfirmed * most)) {
        // no motor can do that: once more with those that cannot at their bounds
        scatter(g_);
        apply_all();
        found = bound_motors();
        gather(g_);
        found = found && solve_at_once(g_, still) && sum_of(g_) <= kUnconfirmed * most;
        if (!found) {
          scatter(before);
          apply_all();
        }
      }
      if (found) {
        scatter(g_);
        apply_all();
        best_ = calmest = kNever;
        best_g_.clear();
        backwards = false;
        continue;
      }
    }
    if (diverges) break;
    if (settings.wedged && rests && result.sweeps % kPatience == 0 &&
        result.sweeps < settings.max_sweeps) {
      const bool jammed = calmest > limit && !(calmest < kProgress * calmest_before);
      calmest_before = calmest;
      if (jammed) {
        // from the calmest on in any case: what came before does not lead there
        if (give_up(given_up++ > 0)) calmest = kNever;
        best_ = kNever;
        best_g_.clear();
        backwards = false;
        continue;
      }
    }
    backwards = !backwards;
    // nor while motors move bodies that contacts have let go
    const bool enough =
        (result.sweeps == 1 ? rests && result.residual <= loose : result.residual <= limit) &&
        motors_change_ <= limit;
    if (enough && !released_) {
      // what rests is to be solved with what slips as well, or sticks until there is time for that
      if (faceted && rests && 2 * result.sweeps > settings.max_sweeps) break;
      if (!let_slip()) break;
      stuck = result.residual;
      best_ = calmest = kNever;
      backwards = false;
      continue;
    }
    if (accelerates && !backwards) accelerate(result.sweeps >= settings.max_sweeps);
  }
  // friction of large coefficients may lead ever farther away: back to where it was best. What is
  // wedged and rests would be thrown by any last combination that went astray
  if (!(result.residual <=
        std::max(kAstray * calmest, settings.wedged && rests ? 0 : kWild * scale))) {
    go_back_to_calmest();
    result.residual = calmest;
  }
  if (faceted && rests && stuck < kNever && result.residual > kWorthIt * fall) {
    stick_again();
    result.residual = stuck;
  }
  const double size = sum_of_impulses();
  const bool in_vain = !groups.empty() && outside > 0 && result.residual > kWild * fastest &&
                       size > kGrown * sum_of(halved_z_);
  if (in_vain || !(size <= most)) {
    scatter(halved_z_);
    for (IslandPatch& c : patches) c.roll = {};
    apply_all();
    result.residual = std::min(halved, fastest);
  }
  store_records();
  share_pressure();
  rub_what_is_held(scale);
  drop_if_not_finite();
  complete_groups();
  return result;
}

// Of all rows, whatever their units.
double Island::sum_of_impulses() const {
  double sum = 0;
  for (const SweptPatch& p : records_.patches) sum += sum_of({records_.z_of(p), p.rows});
  for (size_t i = 0; i < bounds.size(); ++i) {
    sum += std::fabs(bounds[i].held ? rates_[i] : bounds[i].p);
  }
  return sum;
}

IslandResult Island::separate(const IslandSettings& settings) {
  double deepest = 0;
  for (IslandPatch& c : patches) {
    c.rub = c.roll = {};
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      IslandPoint& x = points[i];
      x.p = 0;
      x.least = -x.gap;
      deepest = std::max(deepest, x.least - rate_of(c, x));
    }
  }
  IslandResult result;
  if (!(deepest > settings.tolerance)) {
    for (IslandRow& r : bounds) r.p = 0;
    return result;
  }
  records_.clear();
  base_.clear();
  for (IslandRow& r : bounds) r.offset = 0;
  begin_bounds(true, settings.tolerance);
  for (IslandRow& r : bounds) r.p = 0;
  softness_ = settings.softness;
  load_records();
  const double enough = kSeparated * deepest;
  for (; result.sweeps < settings.max_sweeps; ++result.sweeps) {
    const bool backwards = result.sweeps % 2 != 0;
    result.residual = sweep_patches(backwards, kUnvisited * enough, 0);
    for (size_t i = 0; i < bounds.size(); ++i) {
      const IslandRow& r = bounds[i];
      if (!(r.gap < kNever)) continue;
      records_.moved[bodies.size() + r.group] += resist_row(i, -std::max(r.gap, 0.0), enough);
    }
    project_groups(false);
    if (result.residual <= enough) {
      ++result.sweeps;
      break;
    }
  }
  store_records();
  softness_ = 0;
  return result;
}

}  // namespace tenon
