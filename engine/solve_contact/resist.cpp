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
constexpr double kAstray = 2;  // a residual so many times larger than the best was no progress
constexpr double kWild = 0.1, kDiverging = 100;  // of the speeds that there are: no solution
// Where something is moved against what joints hold, impulses have grown so much and the residual
// has not fallen to this part, it cannot be: it would be more and more of the same. Then what was
// there before they grew. (Rows of loose bodies that are pushed need many sweeps and get there.)
constexpr double kGrown = 3, kProgress = 0.5;
// Of the momentum of all bodies at the largest speed that there is, and of what forces and motors
// give in a step: no lever makes more of it.
constexpr double kMostImpulse = 1e3;
constexpr double kUnconfirmed = 0.03;  // of that: of solves at once, which no sweep has confirmed
constexpr double kNever = 1e300;
constexpr double kMostKinetic = 2;  // of what it was without contacts
constexpr double kAtBound = 1e-9;
// The same for overlaps, of their largest.
constexpr double kSeparated = 1e-2;
constexpr double kUnvisited = 0.1;  // of that: what has changed by less is not visited again
constexpr int kFewSweeps = 8;       // of so many, none is for going faster
// Sweeps after which small islands are solved at once if they have not come nearer by this factor.
constexpr int kBeforeAtOnce = 6;
constexpr double kCreeping = 0.2;
constexpr double kWorthIt = 1e-3;  // of what gravity does in a step
constexpr int kMostTimesAtOnce = 3;
constexpr double kUnequal = 20;  // ratio of masses beyond which sweeps creep
constexpr int kPlainSweeps = 4;  // before what came before is used to go faster
constexpr int kPatience = 6;     // sweeps without progress, after which what cannot be is given up

double sum_of(std::span<const double> z) {
  double sum = 0;
  for (const double x : z) sum += std::fabs(x);
  return sum;
}

}  // namespace

Rubbing Island::rubbing_of(const IslandPatch& c) const {
  Rubbing r{&answers_[c.answer + size_t{c.count} * (c.rows + 1)],
            c.rows,
            c.rows > c.count + 2,
            c.slips ? c.sliding_friction : c.static_friction,
            0,
            0,
            c.spinning,
            c.lost};
  for (uint32_t k = 0; k < c.count; ++k) {
    const IslandPoint& x = points[c.first + k];
    r.normal += x.p;
    r.arm += x.p * x.arm;
  }
  return r;
}

// Normal impulses and friction of one patch, in turns, with everything else as it stands. Returns
// the largest change of a rate.
double Island::resist_patch(IslandPatch& c, int inner, double enough) {
  if (!c.moves) return 0;
  Rows u{}, dz{};
  rates_of(c, u);
  const double* K = &answers_[c.answer];
  const uint32_t m = c.count, rows = c.rows;
  const bool rubs = rows > m, spins = rows > m + 2;
  double largest = 0;
  for (int round = 0; round < inner; ++round) {
    double change = 0;
    for (uint32_t k = 0; k < m; ++k) {
      IslandPoint& x = points[c.first + k];
      const double* column = K + size_t{k} * rows;
      if (!(column[k] > 0)) continue;
      const double next = std::max(0.0, x.p - (u[k] - x.least) / column[k]);
      const double dp = next - x.p;
      if (dp == 0) continue;
      x.p = next;
      dz[k] += dp;
      for (uint32_t i = 0; i < rows; ++i) u[i] += dp * column[i];
      change = std::max(change, std::fabs(dp) * column[k]);
    }
    double normal = 0;
    for (uint32_t k = 0; k < m; ++k) normal += points[c.first + k].p;
    if (rubs && (normal > 0 || !(c.rub == Vec3{}))) {
      const Rubbing rubbing = rubbing_of(c);
      const Vec3 aim = c.aim(), rate{u[m] - aim.y, u[m + 1] - aim.z, spins ? u[m + 2] : 0};
      const Vec3 next = rubbing.solve(c.rub, rate), dq = next - c.rub;
      c.rub = next;
      for (uint32_t j = 0; j < rows - m; ++j) {
        const double d = dq[static_cast<int>(j)];
        if (d == 0) continue;
        dz[m + j] += d;
        const double* column = K + size_t{m + j} * rows;
        for (uint32_t i = 0; i < rows; ++i) u[i] += d * column[i];
        if (j < 2) change = std::max(change, std::fabs(d) * column[m + j]);
      }
    }
    largest = std::max(largest, change);
    if (change <= enough * largest || rows == 1) break;
  }
  if (largest > 0) push_patch(c, dz);
  return largest;
}

// Resistance against rolling: couples of at most lever times normal impulse.                  (7)
// Returns the change of a rate.
double Island::resist_rolling(IslandPatch& c, double normal) {
  const Vec3 w = motion[c.b].w - motion[c.a].w;
  Vec3 next{0, c.roll.y - c.inv_roll[0] * dot(c.t1, w), c.roll.z - c.inv_roll[1] * dot(c.t2, w)};
  const double most = c.rolling * normal, size = std::sqrt(next.y * next.y + next.z * next.z);
  if (size > most) next *= size > 0 ? most / size : 0;
  const Vec3 change = next - c.roll;
  if (change == Vec3{}) return 0;
  const Vec3 t = change.y * c.t1 + change.z * c.t2;
  push(c.a, {}, -t);
  push(c.b, {}, t);
  c.roll = next;
  const double a = bodies[c.a].inv_mass > 0 ? norm2(c.rA) : 0;
  const double radius = std::sqrt(std::max(a, bodies[c.b].inv_mass > 0 ? norm2(c.rB) : 0));
  const double y = c.inv_roll[0] > 0 ? change.y / c.inv_roll[0] : 0;
  const double z = c.inv_roll[1] > 0 ? change.z / c.inv_roll[1] : 0;
  return radius * std::max(std::fabs(y), std::fabs(z));
}

// Impulses of all patches, one after the other; and back, within what friction allows.
void Island::gather(std::vector<double>& z) const {
  z.clear();
  for (const SweptPatch& p : records_.patches) {
    const double* from = records_.z_of(p);
    z.insert(z.end(), from, from + p.rows);
  }
  for (size_t i = 0; i < bounds.size(); ++i) z.push_back(bounds[i].held ? rates_[i] : bounds[i].p);
}

void Island::scatter(std::span<const double> z) {
  size_t i = 0;
  for (size_t k = 0; k < patches.size(); ++k) {
    IslandPatch& c = patches[k];
    for (uint32_t n = 0; n < c.count; ++n) points[c.first + n].p = std::max(0.0, z[i++]);
    for (uint32_t n = c.count; n < c.rows; ++n) c.rub[static_cast<int>(n - c.count)] = z[i++];
    if (c.rows > c.count) {
      c.rub = rubbing_of(c).within(c.rub);
    }
    double* to = records_.z_of(records_.patches[k]);
    for (uint32_t n = 0; n < c.count; ++n) to[n] = points[c.first + n].p;
    for (uint32_t n = c.count; n < c.rows; ++n) to[n] = c.rub[static_cast<int>(n - c.count)];
  }
  for (IslandRow& r : bounds) {
    if (!r.held) r.p = std::clamp(z[i], r.low, r.high);
    ++i;
  }
  records_.wake();
}

// Motion from what it was without contacts and all impulses, those of the patches as they are in
// their points.
void Island::apply_all() {
  std::copy(base_.begin(), base_.end(), motion.begin());
  std::copy(base_rates_.begin(), base_rates_.end(), rates_.begin());
  wrenches_.assign(bodies.size(), {});
  add_wrenches(wrenches_, Kind::kSolve, false);
  for (size_t i = 0; i < bounds.size(); ++i) {
    if (bounds[i].p != 0 && !bounds[i].held) push_row(i, bounds[i].p);
  }
  for (uint32_t b = 0; b < bodies.size(); ++b) {
    const Wrench& t = wrenches_[b];
    // those of a group that nothing touches have no columns
    if (t.force == Vec3{} && t.torque == Vec3{}) continue;
    if (bodies[b].inv_mass > 0) push(b, t.force, t.torque);
  }
  project_groups(true);
}

double Island::visit(SweptPatch& p, double still, double fine) {
  const double change = records_.visit(p, motion, still, fine);
  if (p.rolls == 0) return change;
  double normal = 0;
  const double* z = records_.z_of(p);
  for (uint32_t k = 0; k < p.points; ++k) normal += z[k];
  const double rolling = resist_rolling(patches[p.rolls - 1], normal);
  records_.moved[p.mover_a] += p.weight_a * rolling;
  records_.moved[p.mover_b] += p.weight_b * rolling;
  return std::max(change, rolling);
}

double Island::sweep_patches(bool backwards, double still, double fine) {
  double change = 0;
  std::vector<SweptPatch>& list = records_.patches;
  if (backwards) {
    for (auto p = list.rbegin(); p != list.rend(); ++p) {
      change = std::max(change, visit(*p, still, fine));
    }
  } else {
    for (SweptPatch& p : list) change = std::max(change, visit(p, still, fine));
  }
  return change;
}

double Island::sweep_contacts(bool backwards, double still, double fine) {
  const double change = sweep_patches(backwards, still, fine);
  motors_change_ = 0;
  for (size_t i = 0; i < bounds.size(); ++i) {
    const double more = resist_row(i, bounds[i].rate, still);
    records_.moved[bodies.size() + bounds[i].group] += more;
    if (bounds[i].motor) motors_change_ = std::max(motors_change_, more * reach_of(bounds[i]));
  }
  project_groups(true);
  return change;
}

// Speed of the bodies of a row per rate: their radius of gyration where it turns them, m.
double Island::reach_of(const IslandRow& r) const {
  double reach = 0;
  for (int e = 0; e < 2; ++e) {
    if (r.body[e] == kNoBody) continue;
    const IslandBody& b = bodies[r.body[e]];
    const double trace = b.inv_I(0, 0) + b.inv_I(1, 1) + b.inv_I(2, 2);
    const bool turns = r.f[e] == Vec3{};
    reach = std::max(reach, turns && trace > 0 ? std::sqrt(3 * b.inv_mass / trace) : 1);
  }
  return reach;
}

double Island::mean_speed() const {
  double sum = 0, count = 0;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!(bodies[b].inv_mass > 0)) continue;
    sum += norm2(motion[b].v);
    count += 1;
  }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

double Island::kinetic_of(std::span<const Motion> of) const {
  double sum = 0;
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!(bodies[b].inv_mass > 0)) continue;
    sum += 0.5 * bodies[b].mass * norm2(of[b].v);
    if (!(bodies[b].inv_I(0, 0) > 0)) continue;
    sum += 0.5 * dot(of[b].w, inverse(bodies[b].inv_I) * of[b].w);
  }
  return sum;
}

// Contacts take energy away. Moved bodies, running surfaces and closing gaps may add some.
bool Island::gains_too_much(const IslandSettings& settings, double before) const {
  double fastest = std::max(settings.gravity * settings.h, fastest_outside());
  for (size_t b = 0; b < bodies.size(); ++b) {
    if (!(bodies[b].inv_mass > 0)) fastest = std::max(fastest, norm(motion[b].v));
  }
  const double laws = work_of_laws();
  return !(kinetic_of(motion) <= kMostKinetic * (before + laws) + 10 * mass() * fastest * fastest);
}

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

// Whether a body touches one that is far heavier, or one that a motor presses on it: as long as
// that is held it hardly gives way, like a heavy one.
bool Island::heavy_on_light() const {
  const auto driven = [&](const IslandBody& b) {
    if (b.group == kNoGroup) return false;
    const auto first = bounds.begin() + groups[b.group].first_bound;
    return std::any_of(first, first + groups[b.group].bounds,
                       [](const IslandRow& r) { return r.motor && r.held; });
  };
  return std::any_of(patches.begin(), patches.end(), [&](const IslandPatch& c) {
    const IslandBody &A = bodies[c.a], &B = bodies[c.b];
    const double a = A.inv_mass, b = B.inv_mass;
    if (!(a > 0 && b > 0)) return false;
    return std::max(a, b) > kUnequal * std::min(a, b) ||
           (A.group != B.group && (driven(A) || driven(B)));
  });
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
  const bool unequal = heavy_on_light();
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

double Island::mass() const {
  double sum = 0;
  for (const IslandBody& b : bodies) sum += b.mass;
  return sum;
}

// Of forces on the bodies, and of motors, springs and friction of their joints at the most, in a
// step.
double Island::impulse_of_forces(double h) const {
  double sum = 0;
  for (const IslandBody& b : bodies) sum += h * b.mass * norm(b.a);
  for (const IslandRow& r : bounds) {
    const double most = std::max(std::fabs(r.low), std::fabs(r.high));
    sum += r.soft > 0 && !r.motor ? std::fabs(r.rate) / r.soft : most < kNever ? most : 0;
  }
  return sum;
}

// Of anything where it touches, running surfaces included.
double Island::fastest_touch() const {
  double fastest = 0;
  for (const IslandPatch& c : patches) {
    const Motion &A = motion[c.a], &B = motion[c.b];
    fastest = std::max(
        {fastest, norm(c.drift), norm(A.v + cross(A.w, c.rA)), norm(B.v + cross(B.w, c.rB))});
  }
  return fastest;
}

// Speed of moved bodies and running surfaces where they touch.
double Island::fastest_outside() const {
  double fastest = 0;
  for (const IslandPatch& c : patches) {
    fastest = std::max(fastest, norm(c.drift));
    const Motion &A = motion[c.a], &B = motion[c.b];
    if (!(bodies[c.a].inv_mass > 0)) fastest = std::max(fastest, norm(A.v + cross(A.w, c.rA)));
    if (!(bodies[c.b].inv_mass > 0)) fastest = std::max(fastest, norm(B.v + cross(B.w, c.rB)));
  }
  return fastest;
}

// Sweeps know bodies that are touched: where all others of their groups go as well.
void Island::complete_groups() {
  const auto complete = [](const IslandGroup& g) {
    return g.answer.empty() || g.predicted || g.columns == g.count;
  };
  if (std::all_of(groups.begin(), groups.end(), complete)) return;
  wrenches_.assign(bodies.size(), {});
  add_wrenches(wrenches_, Kind::kSolve, false);
  add_bounds(wrenches_);
  for (const IslandGroup& g : groups) {
    if (complete(g)) continue;
    local_.clear();
    for (const uint32_t b : g.order) {
      const Wrench& t = wrenches_[b];
      local_.push_back({bodies[b].inv_mass * t.force, bodies[b].inv_I * t.torque});
    }
    g.joints->project(local_, false);
    for (size_t i = 0; i < g.order.size(); ++i) {
      const uint32_t b = g.order[i];
      if (b - g.first < g.columns) continue;
      motion[b] = {base_[b].v + local_[i].v, base_[b].w + local_[i].w};
    }
  }
}

// After two sweeps from z_: the combination of what came before that would be the answer if sweeps
// were linear.
void Island::accelerate(bool last) {
  gather(g_);
  if (best_ == kNever) begin_anderson(g_.size());
  const double size = anderson_.measure(z_, g_, weights_);
  if (!best_g_.empty() && !(size <= kAstray * best_)) {
    // it led astray: back to the best, and on without the past
    scatter(best_g_);
    apply_all();
    anderson_.reset(g_.size());
    best_ = kNever;
    best_g_.clear();
    return;
  }
  if (size < best_) {
    best_ = size;
    best_g_ = g_;
  }
  if (last || !anderson_.next(g_, weights_)) return;
  scatter(g_);
  apply_all();
}

// Bodies that are about to leave all bounds must not take along what they touch.
void Island::drop_if_not_finite() {
  gather(z_);
  if (std::all_of(z_.begin(), z_.end(), [](double p) { return std::isfinite(p); })) return;
  std::fill(z_.begin(), z_.end(), 0.0);
  for (IslandPatch& c : patches) c.roll = {};
  scatter(z_);
  apply_all();
  store_bounds();
  for (IslandRow& r : bounds) {
    if (!std::isfinite(r.p)) r.p = 0;
  }
}

// To the impulses of the sweep that changed least.
void Island::go_back_to_calmest() {
  scatter(calmest_z_);
  for (size_t i = 0; i < calmest_roll_.size(); ++i) patches[i].roll = calmest_roll_[i];
  apply_all();
}

// Points that press and do not come apart as they are asked to are asked to stay. Where bodies are
// wedged between many, rates that contradict each other let impulses drift along one another, by
// the same in every sweep; what all are asked for then, they can do. `all`: those as well that do
// as they are asked to, which may be what the others cannot follow. Returns whether there are any.
bool Island::give_up(bool all) {  // (5f)
  constexpr double kDone = 0.5;   // of what it was asked for
  go_back_to_calmest();
  store_records();
  bool any = false;
  for (const IslandPatch& c : patches) {
    for (uint32_t i = c.first; i < c.first + c.count; ++i) {
      IslandPoint& x = points[i];
      if (!(x.p > 0 && x.least > 0) || !(all || rate_of(c, x) < kDone * x.least)) continue;
      x.least = 0;
      x.vain = any = true;
    }
  }
  if (any) load_records();
  return any;
}

// Patches that have come to the bound of static friction slip from now on. Returns whether any
// did. The coefficient changes once at most: everything between is a convex problem.
bool Island::let_slip() {
  const bool may = std::any_of(patches.begin(), patches.end(), [](const IslandPatch& c) {
    return !c.slips && c.static_friction > c.sliding_friction && c.rows > c.count;
  });
  if (!may) return false;
  gather(sticking_z_);
  sticking_.clear();
  for (const IslandPatch& c : patches) sticking_.push_back({c.roll, c.slips});
  store_records();
  bool any = false;
  for (IslandPatch& c : patches) {
    if (c.slips || !(c.static_friction > c.sliding_friction) || c.rows == c.count) continue;
    if (!(rubbing_of(c).size(c.rub) > 1 - kAtBound)) continue;
    c.slips = any = true;
  }
  if (any) load_records();
  return any;
}

// To where the last patches had not slipped yet. One patch that begins to slip may move the load of
// a whole heap to others: impulses that are not found in time would throw what stands still.
void Island::stick_again() {
  for (size_t i = 0; i < patches.size(); ++i) {
    patches[i].slips = sticking_[i].slips;
    patches[i].roll = sticking_[i].roll;
  }
  load_records();
  scatter(sticking_z_);
  apply_all();
}

void Island::begin_anderson(size_t size) {
  weights_.clear();
  for (const IslandPatch& c : patches) {
    for (uint32_t k = 0; k < c.rows; ++k) {
      weights_.push_back(answers_[c.answer + size_t{k} * (c.rows + 1)]);
    }
  }
  for (const IslandRow& r : bounds) {
    weights_.push_back(r.inv_answer > 0 && !r.held ? 1 / r.inv_answer : 0);
  }
  anderson_.reset(size);
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
