// Between the patches of an island and the records that sweeps go over.
#include <algorithm>
#include <cmath>

#include "tenon/engine/solve_contact/island.h"

namespace tenon {
namespace {

constexpr double kSingular = 1e-12;

// Zero-filled, at the end of those of its size.
template <int R>
PatchRecord<R>& add_record(std::vector<PatchRecord<R>>& list, SweptPatch& s) {
  s.size = R;
  s.place = static_cast<uint32_t>(list.size());
  return list.emplace_back();
}

template <int R>
void set_lever(PatchRecord<R>& r, uint32_t row, const Vec3& A, const Vec3& B) {
  for (int axis = 0; axis < 3; ++axis) {
    r.A[axis][row] = A[axis];
    r.B[axis][row] = B[axis];
  }
}

// How friction answers: the inverse of its 2 x 2 block, and how far a step may go while it slides.
template <int R>
void set_rubbing(PatchRecord<R>& r, uint32_t m) {
  const double a = r.K[m][m], b = r.K[m][m + 1], d = r.K[m + 1][m + 1], det = a * d - b * b;
  if (det > kSingular * a * d) {
    r.inv11 = d / det;
    r.inv12 = -b / det;
    r.inv22 = a / det;
  }
  const double largest = 0.5 * (a + d + std::sqrt((a - d) * (a - d) + 4 * b * b));
  if (largest > 0) r.slide = 1 / largest;
}

template <int R>
void fill_record(PatchRecord<R>& r, const IslandPatch& c, const IslandPoint* points,
                 const double* K, double softness) {
  const uint32_t m = c.count;
  for (uint32_t k = 0; k < m; ++k) {
    const IslandPoint& x = points[k];
    set_lever(r, k, x.aA, x.aB);
    r.least[k] = x.least + x.turning;
    r.z[k] = x.p;
    r.arm[k] = x.arm;
  }
  for (uint32_t j = 0; j < c.rows; ++j) {
    for (uint32_t i = 0; i < c.rows; ++i) r.K[j][i] = K[size_t{j} * c.rows + i];
    if (j < m) r.soft[j] = softness * r.K[j][j];
    if (r.K[j][j] > 0) r.inv[j] = 1 / (r.K[j][j] + r.soft[j]);
  }
  r.n = c.n;
  r.t1 = c.t1;
  r.t2 = c.t2;
  if (c.rows == m) return;
  set_lever(r, m, cross(c.rA, c.t1), cross(c.rB, c.t1));
  set_lever(r, m + 1, cross(c.rA, c.t2), cross(c.rB, c.t2));
  if (c.rows > m + 2) set_lever(r, m + 2, c.n, c.n);
  for (uint32_t k = m; k < c.rows; ++k) r.z[k] = c.rub[static_cast<int>(k - m)];
  r.least[m] = c.aim().y;
  r.least[m + 1] = c.aim().z;
  r.friction = c.slips ? c.sliding_friction : c.static_friction;
  r.spinning = c.spinning;
  r.lost = c.lost;
  r.reach = c.spinning;
  for (uint32_t k = 0; k < m; ++k) r.reach = std::max(r.reach, r.arm[k]);
  set_rubbing(r, m);
}

}  // namespace

void Island::load_records() {
  records_.clear();
  records_.bodies.resize(bodies.size());
  for (size_t b = 0; b < bodies.size(); ++b) {
    const IslandBody& from = bodies[b];
    SweptBody& to = records_.bodies[b];
    to = {from.inv_I, from.inv_mass, 0, 0, nullptr, nullptr, nullptr};
    if (!answers(from)) continue;
    const IslandGroup& g = groups[from.group];
    if (from.place >= g.columns) continue;
    to.columns = 6u * g.columns;
    to.bounds = g.bounds;
    to.answer = &g.answer[6u * from.place * g.numbers()];
    to.motion = &motion[g.first].v.x;
    to.rates = rates_.data() + g.first_bound;
  }
  records_.moved.assign(bodies.size() + groups.size(), 0);
  for (uint32_t i = 0; i < patches.size(); ++i) load_record(i);
  records_.wake();
}

void Island::load_record(uint32_t patch) {
  const IslandPatch& c = patches[patch];
  SweptPatch& s = records_.patches.emplace_back();
  s.a = c.a;
  s.b = c.b;
  s.points = c.count;
  s.rows = c.rows;
  s.acts = c.moves;
  s.rolls = c.rolling > 0 ? patch + 1 : 0;
  const auto mover = [&](uint32_t b, double& weight) {
    const IslandBody& body = bodies[b];
    weight = body.inv_mass > 0 ? 1 : 0;
    s.restless = s.restless || (body.group != kNoGroup && !answers(body));
    return answers(body) ? static_cast<uint32_t>(bodies.size()) + body.group : b;
  };
  s.mover_a = mover(c.a, s.weight_a);
  s.mover_b = mover(c.b, s.weight_b);
  const IslandPoint* x = &points[c.first];
  const double* K = &answers_[c.answer];
  if (c.rows <= 4) {
    fill_record(add_record(records_.small, s), c, x, K, softness_);
  } else if (c.rows <= 8) {
    fill_record(add_record(records_.middle, s), c, x, K, softness_);
  } else {
    fill_record(add_record(records_.large, s), c, x, K, softness_);
  }
}

// Answers of the group have changed.
void Island::refill_records(uint32_t group) {
  for (const uint32_t i : patches_of(group)) {
    IslandPatch& c = patches[i];
    const bool swept = i < records_.patches.size();
    if (swept) store_record(i);
    finish_patch(c);
    if (!swept) continue;
    SweptPatch& s = records_.patches[i];
    const IslandPoint* x = &points[c.first];
    const double* K = &answers_[c.answer];
    if (s.size == 4) fill_record(records_.small[s.place] = {}, c, x, K, softness_);
    if (s.size == 8) fill_record(records_.middle[s.place] = {}, c, x, K, softness_);
    if (s.size == 12) fill_record(records_.large[s.place] = {}, c, x, K, softness_);
    s.acts = c.moves;
    SweepRecords::wake(s);
  }
}

void Island::store_record(size_t patch) {
  IslandPatch& c = patches[patch];
  const double* z = records_.z_of(records_.patches[patch]);
  for (uint32_t k = 0; k < c.count; ++k) points[c.first + k].p = z[k];
  c.rub = {};
  for (uint32_t k = c.count; k < c.rows; ++k) c.rub[static_cast<int>(k - c.count)] = z[k];
}

void Island::store_records() {
  for (size_t i = 0; i < patches.size(); ++i) store_record(i);
  store_bounds();
}

}  // namespace tenon
