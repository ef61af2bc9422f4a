// Cameras, and the list of what MJCF cannot say.
#include <cmath>

#include "tenon/scene/mjcf/exact_numbers.h"
#include "tenon/scene/mjcf/export_sections.h"
#include "tenon/scene/model/import.h"

namespace tenon::scene::mjcf {
namespace {

// Looks along -z, with y up.
Quat look_along(const Vec3& forward, const Vec3& up) {
  const Vec3 z = -normalized(forward, {0, 0, -1});
  const Vec3 x = normalized(cross(up, z), {1, 0, 0});
  return to_quat(Mat3::from_columns(x, cross(z, x), z));
}

// The frame that tendons.cpp reads a camera in.
struct ReadIn {
  Pose X;
  bool mounted = false, world = false;
  Vec3 direction(const Vec3& v) const {
    if (mounted) return v;
    return world ? model::to_scene(v) + Vec3{} : rotate(X.q, v);
  }
  Vec3 point(const Vec3& p) const { return mounted ? p : X.p + direction(p); }
  Vec3 local(const Vec3& v) const {
    if (mounted) return v;
    return world ? model::from_scene(v) : rotate(conjugate(X.q), v);
  }
};

void add_camera(Export& e, const Camera& c, int link, Tag tag, Sections& s) {
  ReadIn in;
  in.mounted = c.type == CameraType::kMounted;
  in.world = link < 0;
  if (link >= 0) {
    const Body& body = *e.plan.links[static_cast<size_t>(link)].body;
    in.X = {body.position, body.orientation};
  }
  Vec3 p = in.mounted ? c.position : in.local(c.position - in.X.p);
  find_vector([&](const Vec3& x) { return in.point(x) == c.position; }, p);
  Quat q = look_along(in.local(c.look_at - c.position), in.local(c.up));
  find_quat(
      [&](const Quat& candidate) {
        const Quat read = normalized(candidate);
        return in.point(p + rotate(read, Vec3{0, 0, -1})) == c.look_at &&
               in.direction(rotate(read, Vec3{0, 1, 0})) == c.up;
      },
      q);
  double fovy = c.fov * 180 / kPi;
  find_number([&](double x) { return x * kPi / 180 == c.fov; }, fovy);
  tag.unless_zero("pos", p).unless_unit("quat", q).add("fovy", fovy);
  s.cameras[link].push_back(tag);
}

// Members that are not what a document starts with.
std::string unsaid_settings(const WorldSettings& w) {
  const WorldSettings usual;
  std::string all;
  const auto tell = [&](bool other, const char* what) {
    if (other) all += (all.empty() ? "" : ", ") + std::string(what);
  };
  tell(w.method != usual.method, "method");
  tell(w.tolerance != usual.tolerance, "tolerance");
  tell(w.joint_solver != usual.joint_solver, "joint_solver");
  tell(w.integration != usual.integration, "integration");
  tell(w.gravity_noise != 0, "gravity_noise");
  tell(w.duration != usual.duration, "duration");
  tell(w.seed != usual.seed, "seed");
  tell(!w.sleeping, "sleeping");
  return all;
}

void tell_body(Export& e, const Body& body) {
  const auto tell = [&](bool is, const char* what) {
    if (is) e.warn(body.place, std::string(what) + ": NOT HONOURED", body.name);
  };
  tell(body.air.has_value(), "air resistance is left out");
  tell(body.sensor, "a sensor touches as any other body");
  tell(body.one_way.has_value(), "MuJoCo has no sides that let through");
  tell(!(body.surface_velocity == Vec3{}), "a moving surface is left out");
  tell(body.motion == Motion::kKinematic && (!body.keyframes.empty() || body.turn),
       "a mocap body stands until a program moves it");
  tell(body.motion == Motion::kKinematic && body.release.has_value(),
       "a body that is let go stays where it is");
}

void tell_joint(Export& e, const Joint& joint) {
  const auto tell = [&](bool is, const char* what) {
    if (is) e.warn(joint.place, std::string(what) + ": NOT HONOURED", joint.name);
  };
  tell(joint.break_force || joint.break_torque, "joints of MuJoCo do not break");
  for (const JointLaw& law : joint.laws)
    tell(law.restitution > 0, "limits of MuJoCo do not bounce");
  if (joint.swing) {
    e.warn(joint.place, "MuJoCo bounds the whole turn of a ball joint, not only its swing",
           joint.name);
  }
  const auto& laws = joint.laws;
  const bool ball = joint.type == JointType::kPoint;
  tell(ball && !(laws[3] == laws[4] && laws[4] == laws[5]),
       "a ball joint has one law for its axes");
  tell(ball && laws[3].limits, "limits of a ball joint along its axes are left out");
}

}  // namespace

void add_views(Export& e, Sections& s) {
  for (const Camera& c : e.flat.cameras) {
    if (c.automatic) continue;
    const auto found = e.plan.index.find(c.body.name);
    const int link = found == e.plan.index.end() ? -1 : found->second;
    Tag tag("camera");
    tag.add("name", c.name);
    if (c.type == CameraType::kOrbit || c.type == CameraType::kPath) {
      e.warn(c.place, "MuJoCo has no cameras that move by themselves; left out", c.name);
    } else if (c.type == CameraType::kFixed && link >= 0) {
      tag.add("mode", "targetbody")
          .add("target", e.plan.links[static_cast<size_t>(link)].body->name);
      add_camera(e, c, -1, tag, s);
    } else if (c.type == CameraType::kFixed) {
      add_camera(e, c, -1, tag, s);
    } else if (link >= 0) {
      if (c.type == CameraType::kFollow) tag.add("mode", "track");
      add_camera(e, c, link, tag, s);
    }
  }
}

void tell_losses(Export& e) {
  const Document& d = e.flat;
  const std::string settings = unsaid_settings(d.world);
  if (!settings.empty()) e.warn({}, "settings of the run have no place in MJCF", settings);
  for (const Body& body : d.bodies) tell_body(e, body);
  for (const Joint& joint : d.joints) tell_joint(e, joint);
  for (const Force& f : d.forces)
    e.warn(f.place, "forces on a timeline are left out: NOT HONOURED", f.name);
  for (const Rule& r : d.rules) e.warn(r.place, "a rule is left out: NOT HONOURED", r.name);
  for (const Light& l : d.lights) e.warn(l.place, "lights are left out", l.name);
  if (!d.shots.empty()) e.warn(d.shots.front().place, "cuts of a film are left out", "shots");
}

}  // namespace tenon::scene::mjcf
