// Numbers of a body that import_mjcf reads as what the scene has, and masses.
#include <cmath>

#include "tenon/scene/build/body_parts.h"
#include "tenon/scene/mjcf/exact_numbers.h"
#include "tenon/scene/mjcf/export_plan.h"
#include "tenon/scene/model/angles.h"
#include "tenon/scene/model/import.h"
#include "tenon/scene/model/segments.h"

namespace tenon::scene::mjcf {
namespace {

constexpr int kMostSettled = 16;
constexpr double kPointRadius = 0.01;  // m, of the ball whose inertia a mass without extent gets

using model::Dof;

// As the reader has it: normalised when it is read, and again when it is put in its place.
Quat as_read(const Quat& q) { return normalized(normalized(q)); }

// The frame of the joint that freedoms first to first + count become.
std::optional<Pose> frame_of(const std::vector<Dof>& dofs, size_t first, size_t count) {
  const auto begin = dofs.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<Dof> read(begin, begin + static_cast<std::ptrdiff_t>(count));
  for (Dof& dof : read) dof.axis = normalized(dof.axis, {0, 0, 1});
  const auto segments = model::find_segments(read);
  if (segments.size() != 1) return std::nullopt;
  return segments.front().X_LF;
}

// Directions of the freedoms of one joint that give its frame again.
bool settle_axes(const Quat& q_BC, size_t first, size_t count, std::vector<Dof>& dofs) {
  const std::vector<Dof> as_they_are = dofs;
  for (int digits = 0; digits <= kMostSettled; ++digits) {
    bool good = true;
    for (size_t d = first; d < first + count; ++d) {
      const Vec3& a = as_they_are[d].axis;
      dofs[d].axis = {model::rounded(a.x, digits) + 0.0, model::rounded(a.y, digits) + 0.0,
                      model::rounded(a.z, digits) + 0.0};
      good = good && norm(dofs[d].axis) > 0;
    }
    const std::optional<Pose> X = good ? frame_of(dofs, first, count) : std::nullopt;
    if (X && X->q == q_BC) return true;
  }
  dofs = as_they_are;
  const std::optional<Pose> X = frame_of(dofs, first, count);
  if (count == 1 && X) {
    return find_vector(
        [&](const Vec3& a) { return norm(a) > 0 && model::x_to(normalized(a)) == q_BC; },
        dofs[first].axis);
  }
  return X && X->q == q_BC;
}

// The pose of the body in its parent, by what the reader makes of it.
bool settle_pose(const std::function<Pose(const Pose&)>& read, const Pose& target, Pose& X) {
  Quat q = X.q;
  const bool turned =
      find_quat([&](const Quat& c) { return read({{}, as_read(c)}).q == target.q; }, q);
  if (turned) X.q = q;
  Vec3 p = X.p;
  const bool moved =
      find_vector([&](const Vec3& c) { return read({c, as_read(X.q)}).p == target.p; }, p);
  if (moved) X.p = p;
  return turned && moved;
}

// The whole of a link that an import divided among several bodies.
double whole_of(double body, double middle, double left) {
  double whole = body / left;
  find_number([&](double x) { return left * x == body && kMiddleShare * x == middle; }, whole);
  return whole;
}

MassProperties unfold(const OutLink& out, const MassProperties& part) {
  const double left = 1 - static_cast<double>(out.middles.size()) * kMiddleShare;
  const Body& middle = *out.middles.front();
  MassProperties whole = part;
  whole.mass = whole_of(part.mass, *middle.mass, left);
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const auto entry = [&](const Mat3& m) { return (i == 0 ? m.r0 : i == 1 ? m.r1 : m.r2)[j]; };
      const double x = whole_of(entry(part.inertia), entry(*middle.inertia), left);
      (i == 0 ? whole.inertia.r0 : i == 1 ? whole.inertia.r1 : whole.inertia.r2)[j] = x;
      (j == 0 ? whole.inertia.r0 : j == 1 ? whole.inertia.r1 : whole.inertia.r2)[i] = x;
    }
  }
  return whole;
}

// As it is said, or of the shapes as a run has it.
std::optional<MassProperties> find_mass(Export& e, const Body& body) {
  if (body.mass && body.inertia && body.center_of_mass)
    return MassProperties{*body.mass, *body.center_of_mass, *body.inertia};
  const Result<std::vector<BodyPart>> parts = make_parts(e.flat, body, e.meshes);
  if (!parts) return std::nullopt;
  const Result<MassProperties> mass = calc_body_mass(body, *parts);
  return mass ? std::optional(*mass) : std::nullopt;
}

}  // namespace

void settle_link(Export& e, OutLink& out) {
  if (!out.still) return;  // counted from elsewhere: nothing to be equal to
  size_t first = 0;
  bool exact = true;
  for (size_t k = 0; k < out.chain.size(); ++k) {
    size_t count = 0;
    while (first + count < out.origins.size() && out.origins[first + count].joint == out.chain[k]) {
      ++count;
    }
    const Quat q_BC = find_frames(e.plan, *out.chain[k]).on_bodies.X_BC.q;
    const bool ball = count == 1 && out.link.dofs[first].kind == model::DofKind::kBall;
    if (count > 0 && !ball) exact = settle_axes(q_BC, first, count, out.link.dofs) && exact;
    if (k == 0 && count > 0) {
      const std::optional<Pose> X = frame_of(out.link.dofs, 0, count);
      if (X) out.X_LF = *X;
    }
    first += count;
  }
  const Body& body = *out.body;
  const bool held = out.chain.empty() || (out.parent < 0 && out.link.dofs.empty());
  const Pose target = held ? Pose{body.position, body.orientation}
                           : find_frames(e.plan, *out.chain.front()).on_bodies.X_BP;
  const Pose X_LF = held ? Pose{} : out.X_LF;
  const auto read = [&](const Pose& X) -> Pose {
    const Pose in_parent = X * X_LF;
    if (out.parent < 0) return model::to_scene(in_parent);
    return {in_parent.p, normalized(in_parent.q)};
  };
  exact = settle_pose(read, target, out.link.X_PL) && exact;
  e.out.inexact += exact ? 0 : 1;
}

void weigh_link(Export& e, OutLink& out) {
  const Body& body = *out.body;
  if (body.motion != Motion::kDynamic) return;
  std::optional<MassProperties> mass = find_mass(e, body);
  if (!mass) {
    e.warn(body.place, "a mesh file is needed for the mass; a body of 1 kg is written", body.name);
    mass = MassProperties{1, {}, Mat3::diagonal({0.1, 0.1, 0.1})};
  }
  if (!out.middles.empty()) mass = unfold(out, *mass);
  if (!(trace(mass->inertia) > 0)) {
    const double I = 0.4 * mass->mass * kPointRadius * kPointRadius;
    mass->inertia = Mat3::diagonal({I, I, I});
    e.warn(body.place, "a mass without extent gets the inertia of a ball of 1 cm", body.name);
  }
  out.link.inertial = model::Inertial{mass->mass, mass->com, mass->inertia};
}

}  // namespace tenon::scene::mjcf
