// <actuator> and <keyframe>.
//
// A motor of a scene that holds a speed or a position does so exactly, within its largest force.
// MuJoCo's servos are springs and dampers: F = kp (target - q) - kv qdot. Their gains are those
// that give what hangs on the joint, with the inertia I about its axis as the scene starts, the
// frequency w and damping ratio z of the motor:
//   kp = I w^2, kv = 2 z I w;  to hold a speed: kv = I / 20 ms                              (1)
#include <cmath>

#include "tenon/scene/mjcf/export_sections.h"
#include "tenon/scene/model/import.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::mjcf {
namespace {

using model::DofKind;

constexpr double kSpeedTime = 0.02;  // s, in which a motor that holds a speed reaches it
constexpr double kNoRate = 1e-12;    // m/s or rad/s: at rest

// Inertia about the axis, or mass along it, of a link and all that hangs on it.
double calc_load(const Plan& plan, size_t link, const DofOrigin& dof, bool slides) {
  double sum = 0;
  std::vector<bool> below(plan.links.size(), false);
  for (size_t i = link; i < plan.links.size(); ++i) {
    const int parent = plan.links[i].parent;
    below[i] = i == link || (parent >= 0 && below[static_cast<size_t>(parent)]);
    const auto& m = plan.links[i].link.inertial;
    if (!below[i] || !m) continue;
    const Body& body = *plan.links[i].body;
    const Vec3 a = rotate(conjugate(body.orientation), dof.axis_W);
    const Vec3 r = body.position + rotate(body.orientation, m->com) - dof.anchor_W;
    sum += slides ? m->mass : dot(a, m->inertia * a) + m->mass * norm2(cross(dof.axis_W, r));
  }
  return sum;
}

struct Moving {
  Vec3 v, w;  // of the body frame's origin, in the scene
};

Moving motion_of(const OutLink& link) {
  const Body& body = *link.body;
  Moving m{body.velocity, body.angular_velocity};
  if (body.motion == Motion::kStatic) return {};
  if (link.link.inertial) {
    m.v -= cross(m.w, rotate(body.orientation, link.link.inertial->com));
  }
  return m;
}

// Rates of freedoms with the directions `a` whose sum is nearest to `total` (normal equations).
std::vector<double> split(const std::vector<Vec3>& a, const Vec3& total) {
  std::vector<double> rates(a.size(), 0);
  Mat3 G = Mat3::diagonal({1, 1, 1});
  Vec3 b{};
  for (int i = 0; i < static_cast<int>(a.size()) && i < 3; ++i) {
    Vec3& row = i == 0 ? G.r0 : i == 1 ? G.r1 : G.r2;
    b[i] = dot(a[static_cast<size_t>(i)], total);
    for (int j = 0; j < 3; ++j) {
      const bool there = j < static_cast<int>(a.size());
      row[j] = there ? dot(a[static_cast<size_t>(i)], a[static_cast<size_t>(j)]) : 0;
    }
  }
  const double det = dot(G.r0, cross(G.r1, G.r2));
  if (!(std::fabs(det) > 1e-12)) return rates;
  const Mat3 T = transpose(G);
  const Vec3 x{dot(b, cross(T.r1, T.r2)) / det, dot(T.r0, cross(b, T.r2)) / det,
               dot(T.r0, cross(T.r1, b)) / det};
  for (size_t i = 0; i < a.size() && i < 3; ++i) rates[i] = x[static_cast<int>(i)];
  return rates;
}

void add_vector(const Vec3& v, std::vector<double>& out) { out.insert(out.end(), {v.x, v.y, v.z}); }
void add_quat(const Quat& q, std::vector<double>& out) {
  out.insert(out.end(), {q.w, q.x, q.y, q.z});
}

// Velocities of a link along its freedoms.
void add_rates(const Plan& plan, const OutLink& link, std::vector<double>& qvel) {
  const Body& body = *link.body;
  const Moving own = motion_of(link);
  if (link.free) {
    add_vector(model::from_scene(own.v), qvel);
    add_vector(rotate(conjugate(body.orientation), own.w), qvel);
    return;
  }
  Moving above{};
  Vec3 at{};
  if (link.parent >= 0) {
    const OutLink& parent = plan.links[static_cast<size_t>(link.parent)];
    above = motion_of(parent);
    at = parent.body->position;
  }
  const Vec3 w = own.w - above.w;
  std::vector<Vec3> slides, turns;
  for (size_t d = 0; d < link.origins.size(); ++d) {
    const DofKind kind = link.link.dofs[d].kind;
    if (kind == DofKind::kSlide) slides.push_back(link.origins[d].axis_W);
    if (kind == DofKind::kHinge) turns.push_back(link.origins[d].axis_W);
  }
  Vec3 v{};
  if (!link.origins.empty()) {
    // the point that turning does not move
    Vec3 p = link.origins.front().anchor_W;
    for (size_t d = 0; d < link.origins.size(); ++d) {
      if (link.link.dofs[d].kind != DofKind::kSlide) p = link.origins[d].anchor_W;
    }
    v = own.v + cross(own.w, p - body.position) - above.v - cross(above.w, p - at);
  }
  const std::vector<double> along = split(slides, v), about = split(turns, w);
  size_t s = 0, t = 0;
  for (const model::Dof& dof : link.link.dofs) {
    if (dof.kind == DofKind::kBall) {
      add_vector(rotate(conjugate(body.orientation), w), qvel);
    } else {
      qvel.push_back(dof.kind == DofKind::kSlide ? along[s++] : about[t++]);
    }
  }
}

// To 12 digits, so that what is computed from bodies and read back is the same the next time.
double settled(double x) {
  if (std::fabs(x) < kNoRate) return 0;
  const double scale = pow(10, 12 - std::ceil(log(std::fabs(x)) / log(10.0)));
  return std::round(x * scale) / scale;
}

std::string joined(const std::vector<double>& numbers) {
  std::string text;
  for (const double x : numbers) text += (text.empty() ? "" : " ") + format_number(settled(x));
  return text;
}

void add_motor(Export& e, size_t link, size_t d, const JointMotor& motor, Sections& s) {
  const OutLink& out = e.plan.links[link];
  const model::Dof& dof = out.link.dofs[d];
  double control = 0;
  Tag tag(motor.velocity                 ? "velocity"
          : motor.position               ? "position"
          : motor.force.value_or(0) != 0 ? "general"
                                         : "motor");
  tag.add("name", dof.name + "_motor").add("joint", dof.name);
  if (motor.velocity || motor.position) {
    const double load = calc_load(e.plan, link, out.origins[d], dof.kind == DofKind::kSlide);
    const double w = 2 * kPi * motor.frequency;
    control = motor.velocity ? *motor.velocity : *motor.position;
    if (motor.position) tag.add("kp", load * w * w);
    if (motor.velocity) tag.add("kv", load / kSpeedTime);
    if (motor.max) {
      tag.add("forcelimited", "true");
      tag.add("forcerange", format_number(-*motor.max) + " " + format_number(*motor.max));
    }
    e.warn(dof.place,
           motor.position
               ? "a motor is written as MuJoCo's servo: a spring of its frequency for what "
                 "hangs on the joint; its damping is added to the joint's"
               : "a motor is written as MuJoCo's servo, which reaches its speed within 20 ms",
           dof.name);
  } else if (motor.force.value_or(0) != 0) {
    tag.add("biastype", "affine").add("biasprm", format_number(*motor.force) + " 0 0");
  }
  s.actuators.push_back(tag);
  s.controls.push_back(control);
}

}  // namespace

double calc_servo_damping(const Export& e, size_t link, size_t d) {
  const OutLink& out = e.plan.links[link];
  const auto& motor = out.link.dofs[d].law.motor;
  if (!motor || !motor->position) return 0;
  const double load =
      calc_load(e.plan, link, out.origins[d], out.link.dofs[d].kind == DofKind::kSlide);
  return 2 * motor->damping_ratio * load * 2 * kPi * motor->frequency;
}

void add_motors(Export& e, Sections& s) {
  for (size_t i = 0; i < e.plan.links.size(); ++i) {
    const std::vector<model::Dof>& dofs = e.plan.links[i].link.dofs;
    for (size_t d = 0; d < dofs.size(); ++d) {
      if (dofs[d].kind == DofKind::kBall) {
        const Joint& joint = *e.plan.links[i].origins[d].joint;
        for (size_t axis = 3; axis < 6; ++axis) {
          if (!joint.laws[axis].motor) continue;
          e.warn(joint.place, "a motor of a ball joint is left out: NOT HONOURED", joint.name);
        }
      } else if (dofs[d].law.motor) {
        add_motor(e, i, d, *dofs[d].law.motor, s);
      }
    }
  }
}

std::optional<Tag> make_key(Export& e, const Sections& s) {
  std::vector<double> qpos, qvel;
  for (const OutLink& link : e.plan.links) {
    if (link.free) {
      add_vector(link.link.X_PL.p, qpos);
      add_quat(normalized(link.link.X_PL.q), qpos);
    }
    for (const model::Dof& dof : link.link.dofs) {
      if (dof.kind == DofKind::kBall) {
        add_quat({}, qpos);
      } else {
        qpos.push_back(dof.ref);
      }
    }
    add_rates(e.plan, link, qvel);
  }
  const auto any = [](const std::vector<double>& all) {
    for (const double x : all)
      if (std::fabs(x) > kNoRate) return true;
    return false;
  };
  const bool moves = any(qvel), driven = any(s.controls);
  if (!moves && !driven) return std::nullopt;
  Tag key("key");
  std::string places;
  for (const double x : qpos) places += (places.empty() ? "" : " ") + format_number(x + 0.0);
  key.add("name", kStartKey).add("qpos", places);
  if (moves) key.add("qvel", joined(qvel));
  if (driven) {
    std::string controls;  // as the scene says them, to the last bit
    for (const double x : s.controls) controls += (controls.empty() ? "" : " ") + format_number(x);
    key.add("ctrl", controls);
  }
  e.out.key = kStartKey;
  return key;
}

}  // namespace tenon::scene::mjcf
