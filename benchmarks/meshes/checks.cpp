#include "tenon/benchmarks/meshes/checks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tenon/benchmarks/meshes/linking.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

using scene::BuiltScene;

template <class... T>
std::string text(const char* form, T... values) {
  char line[400];
  std::snprintf(line, sizeof line, form, values...);
  return line;
}

class RingCheck : public SceneCheck {
 public:
  RingCheck(const BuiltScene& scene, std::string prefix)
      : prefix_(std::move(prefix)), links_(find_links(ring_curves(scene, prefix_))) {
    for (size_t i = 0; i < scene.names.size(); ++i) {
      if (scene.names[i].rfind("pole_", 0) == 0)
        poles_.push_back(scene.world.pose(scene.handles[i]).p);
    }
  }
  void after_step(const BuiltScene& scene) override {
    gap_ = std::max(gap_, scene.world.diagnostics().joint_gap_rel);
  }
  std::string report(const BuiltScene& scene) override {
    const std::vector<Curve> rings = ring_curves(scene, prefix_);
    const auto links = find_links(rings);
    size_t on_poles = 0, below = 0;
    for (const Curve& ring : rings) {
      bool around = false;
      for (const Vec3& pole : poles_) around |= calc_winding(ring, pole.x, pole.z) != 0;
      on_poles += around;
      for (const Vec3& p : ring) below += p.y < 0;
    }
    size_t changed = 0;
    for (const Link& link : links)
      changed += std::find(links_.begin(), links_.end(), link) == links_.end();
    for (const Link& link : links_)
      changed += std::find(links.begin(), links.end(), link) == links.end();
    return text(
        "%zu rings, joints open by at most %.1e of a link; linked pairs that changed: %zu; "
        "round poles: %zu; points below the ground: %zu",
        rings.size(), gap_, changed, on_poles, below);
  }

 private:
  std::string prefix_;
  std::vector<Link> links_;
  std::vector<Vec3> poles_;
  double gap_ = 0;
};

// Rings of mail: circles about the z axes of their bodies.
class MailCheck : public SceneCheck {
 public:
  explicit MailCheck(const BuiltScene& scene) : links_(find_links(curves(scene))) {}
  std::string report(const BuiltScene& scene) override {
    const auto links = find_links(curves(scene));
    size_t kept = 0;
    for (const Link& link : links_)
      kept += std::find(links.begin(), links.end(), link) != links.end();
    double lowest = 1e300;
    for (const BodyHandle body : scene.handles) {
      if (scene.world.motion(body) == MotionKind::kDynamic) {
        lowest = std::min(lowest, scene.world.pose(body).p.y);
      }
    }
    return text("%zu of %zu links kept, %zu others; lowest ring at %.3f m", kept, links_.size(),
                links.size() - kept, lowest);
  }

 private:
  std::vector<Link> links_;

  static std::vector<Curve> curves(const BuiltScene& scene) {
    std::vector<Curve> out;
    for (size_t i = 0; i < scene.names.size(); ++i) {
      if (scene.names[i].rfind("mail", 0) != 0) continue;
      Curve circle;
      const Pose X = scene.world.pose(scene.handles[i]);
      for (int k = 0; k < 24; ++k) {
        const double a = kPi / 12 * k;
        circle.push_back(X.p + rotate(X.q, {0.04 * cos(a), 0.04 * sin(a), 0}));
      }
      out.push_back(std::move(circle));
    }
    return out;
  }
};

// Turns of the first and the last hinge.
class GearCheck : public SceneCheck {
 public:
  explicit GearCheck(const BuiltScene& scene) {
    for (size_t i = 0; i < scene.joint_names.size(); ++i) {
      if (scene.joint_names[i] == "drive") first_ = scene.joint_handles[i];
      if (scene.joint_names[i] == "brake") last_ = scene.joint_handles[i];
    }
  }
  std::string report(const BuiltScene& scene) override {
    constexpr auto kTurn = static_cast<size_t>(JointAxis::kRx);
    const double a = scene.world.read_joint(first_).coordinate[kTurn];
    const double d = scene.world.read_joint(last_).coordinate[kTurn];
    const double ratio = -d / a, wanted = 18.0 / 45;
    return text("first gear %.3f turns, last %.3f: ratio %.6f, %.4f %% off 18/45", a / (2 * kPi),
                d / (2 * kPi), ratio, 100 * (ratio / wanted - 1));
  }

 private:
  JointHandle first_, last_;
};

// Limits of joints: how far beyond them coordinates went.
class LimitCheck : public SceneCheck {
 public:
  void after_step(const BuiltScene& scene) override {
    gap_ = std::max(gap_, scene.world.diagnostics().joint_gap_rel);
    for (const JointHandle joint : scene.joint_handles) {
      const JointDef& def = scene.world.joint_def(joint);
      const JointReading reading = scene.world.read_joint(joint);
      for (size_t k = 0; k < def.axes.size(); ++k) {
        beyond_ = std::max({beyond_, def.axes[k].min - reading.coordinate[k],
                            reading.coordinate[k] - def.axes[k].max});
      }
    }
  }
  std::string report(const BuiltScene&) override {
    return text("joints open by at most %.1e of a bone; limits passed by at most %.1e rad", gap_,
                beyond_);
  }

 private:
  double gap_ = 0, beyond_ = 0;
};

}  // namespace

std::unique_ptr<SceneCheck> make_check(const std::string& name, const BuiltScene& scene) {
  if (name == "rings-nonconvex") return std::make_unique<RingCheck>(scene, "ring_");
  if (name == "bridge-chains") return std::make_unique<RingCheck>(scene, "chain_");
  if (name == "chainmail") return std::make_unique<MailCheck>(scene);
  if (name == "gear-train") return std::make_unique<GearCheck>(scene);
  if (name == "skeletons") return std::make_unique<LimitCheck>();
  return nullptr;
}

}  // namespace tenon
