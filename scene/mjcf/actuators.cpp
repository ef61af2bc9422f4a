// Actuators, as what they do along their joint, and key frames.
//
// A MuJoCo actuator with a fixed gain g and an affine bias b pushes with
//   F = gear (g ctrl + b0 + b1 gear q + b2 gear qdot)                                    (1)
// ctrl is a number that a program changes; here it is that of the key frame, or 0. So (1) is a
// constant force, a spring and a damper, which Tenon's joints have: nothing is approximated but
// what `forcerange` bounds, see (2).
#include <algorithm>
#include <array>
#include <cmath>

#include "tenon/scene/mjcf/world.h"

namespace tenon::scene::mjcf {
namespace {

struct Gains {
  double gain = 1, b0 = 0, b1 = 0, b2 = 0;
};

std::optional<Gains> read_gains(Source& s, const std::string& tag) {
  Gains g;
  if (tag == "motor") return g;
  if (tag == "position") {
    g.gain = s.positive("kp", 1);
    g.b1 = -g.gain;
    g.b2 = -s.positive("kv", 0);
    return g;
  }
  if (tag == "velocity") {
    g.gain = s.positive("kv", 1);
    g.b2 = -g.gain;
    return g;
  }
  if (tag == "damper") {  // its force is -kv ctrl qdot
    g.gain = 0;
    return g;
  }
  if (tag != "general" || s.text("gaintype", "fixed") != "fixed") return std::nullopt;
  const std::string bias = s.text("biastype", "none"), dyn = s.text("dyntype", "none");
  if ((bias != "none" && bias != "affine") || dyn != "none") return std::nullopt;
  const auto gain = s.numbers("gainprm", 1, 10), prm = s.numbers("biasprm", 1, 10);
  if (!gain.empty()) g.gain = gain[0];
  if (bias == "none") return g;
  g.b0 = prm.empty() ? 0 : prm[0];
  g.b1 = prm.size() > 1 ? prm[1] : 0;
  g.b2 = prm.size() > 2 ? prm[2] : 0;
  return g;
}

// A range that holds: said, or by autolimits where there is one.
std::optional<std::array<double, 2>> read_range(Source& s, const char* range, const char* limited,
                                                const Settings& settings) {
  const std::string said = s.text(limited, "auto");
  const auto r = s.numbers(range, 2, 2);
  const bool on = said == "true" || (said == "auto" && settings.autolimits);
  if (!on || r.empty() || r[0] > r[1]) return std::nullopt;
  return std::array<double, 2>{r[0], r[1]};
}

void list_range(const xml::Element& e, const char* reason, World& w) {
  const std::string what = "<" + e.tag + "> forcerange";
  for (model::Ignored& i : w.report->ignored) {
    if (i.what == what && i.reason == reason) {
      ++i.count;
      return;
    }
  }
  w.report->ignored.push_back({what, reason, e.file, e.line, 1});
}

// (1) within a range of forces. Without spring and damper the force is constant. One with a damper
// but no spring holds a speed with all its force, but for speeds that are off by less than
//   slip = bound / kv                                                                      (2)
// where it gives way. Our motors, which have bounds, hold a speed without slip; springs and dampers
// have no bounds. So a motor stands for it if the slip is small, else the spring and the damper.
constexpr double kSmallSlip = 1;  // m/s or rad/s; any is small that is below the speed aimed at

// The motor instead of damper and force; nothing where there must be a spring or damper.
std::optional<JointMotor> make_motor(const Gains& g, double gear, double ctrl,
                                     const std::array<double, 2>& range) {
  const double bound = std::max(-range[0], range[1]);
  if (g.b1 != 0 || !(g.b2 < 0) || !(range[0] <= 0 && range[1] >= 0) || !(bound > 0)) return {};
  JointMotor motor;
  // the usual servo aims at ctrl itself, to the last bit
  const double aim = g.b0 == 0 && g.gain == -g.b2 ? ctrl : (g.gain * ctrl + g.b0) / -g.b2;
  motor.velocity = aim / gear;
  motor.max = std::fabs(gear) * bound;
  const double slip = bound / -g.b2;  // in the actuator's speed, gear times that of the joint
  if (slip > std::max(std::fabs(aim), kSmallSlip * std::fabs(gear))) return {};
  return motor;
}

// Whether the joint is driven already, so that it has no place for another kind of motor.
bool has_motor(const model::Dof& dof) {
  return dof.law.motor && (dof.law.motor->velocity || dof.law.motor->force.value_or(0) != 0);
}

constexpr const char* kSpringBound =
    "NOT HONOURED: springs and dampers of joints, which it is here, have no bound";

void apply(const Gains& g, double gear, double ctrl, Source& s, World& w, model::Dof& dof) {
  const double k = -gear * gear * g.b1, d = -gear * gear * g.b2;
  double force = gear * (g.gain * ctrl + g.b0);
  if (k < 0 || d < 0) {
    s.fail("an actuator pushes away from where it is", s.text("biasprm"),
           "second and third number 0 or below");
    return;
  }
  const auto range = read_range(s, "forcerange", "forcelimited", w.settings);
  if (range && k == 0 && d == 0) {
    force = gear * std::clamp(g.gain * ctrl + g.b0, (*range)[0], (*range)[1]);
  } else if (range) {
    const auto motor = make_motor(g, gear, ctrl, *range);
    if (motor && !has_motor(dof)) {
      if ((*range)[0] != -(*range)[1]) {
        list_range(s.element(), "NOT HONOURED: the larger bound holds in both directions", w);
      }
      dof.law.motor = motor;
      return;
    }
    list_range(s.element(), kSpringBound, w);
  }
  JointSpring spring = dof.law.spring.value_or(JointSpring{});
  // two springs in parallel are one; the actuator's is at rest where qpos is 0
  const double sum = spring.stiffness + k;
  if (sum > 0) spring.rest = (spring.stiffness * spring.rest - k * dof.ref) / sum;
  spring.stiffness = sum;
  spring.damping += d;
  if (spring.stiffness > 0 || spring.damping > 0) dof.law.spring = spring;
  JointMotor motor = dof.law.motor.value_or(JointMotor{});
  if (motor.velocity) {
    if (force == 0) return;
    w.report->notes.push_back(
        "actuators on '" + dof.name +
        "': NOT HONOURED: a constant force beside a motor that keeps a speed");
    return;
  }
  motor.force = motor.force.value_or(0) + force;
  dof.law.motor = motor;
}

// The joint that an actuator drives; nothing for other transmissions, which are then listed.
model::Dof* find_target(xml::Element& e, World& w) {
  const char* name = e.has("joint") ? "joint" : e.has("jointinparent") ? "jointinparent" : nullptr;
  if (name == nullptr) return nullptr;
  const auto found = w.dofs.find(e.text(name));
  if (found == w.dofs.end()) {
    if (!w.error) {
      w.error =
          xml::error_at(e, *e.find(name), "is no joint of the model", "the name of a <joint>");
    }
    return nullptr;
  }
  model::Dof& dof = w.tree.links[found->second.first].dofs[found->second.second];
  const bool one = dof.kind == model::DofKind::kHinge || dof.kind == model::DofKind::kSlide;
  return one ? &dof : nullptr;
}

// Numbers of a key frame to the freedoms, in the order of the bodies.
void set_positions(const std::vector<double>& qpos, xml::Element& key, World& w) {
  size_t at = 0;
  const auto take = [&] { return at < qpos.size() ? qpos[at++] : (++at, 0.0); };
  for (model::Link& link : w.tree.links) {
    for (model::Dof& dof : link.dofs) {
      if (dof.kind == model::DofKind::kFree) {
        for (int k = 0; k < 3; ++k) dof.pose.p[k] = take();
      }
      if (dof.kind == model::DofKind::kFree || dof.kind == model::DofKind::kBall) {
        Quat q{};
        q.w = take();
        q.x = take();
        q.y = take();
        q.z = take();
        (dof.kind == model::DofKind::kFree ? dof.pose.q : dof.turn) = normalized(q);
      } else {
        dof.q = take() - dof.ref;
      }
    }
  }
  if (at == qpos.size() || w.error) return;
  w.error = xml::error_at(key, "qpos has another number of values than the model",
                          std::to_string(qpos.size()), std::to_string(at));
}

void set_rates(const std::vector<double>& qvel, xml::Element& key, World& w) {
  size_t at = 0;
  const auto take = [&] { return at < qvel.size() ? qvel[at++] : (++at, 0.0); };
  for (model::Link& link : w.tree.links) {
    for (model::Dof& dof : link.dofs) {
      if (dof.kind == model::DofKind::kFree) {
        for (int k = 0; k < 3; ++k) dof.velocity[k] = take();
      }
      if (dof.kind == model::DofKind::kFree || dof.kind == model::DofKind::kBall) {
        for (int k = 0; k < 3; ++k) dof.spin[k] = take();
      } else {
        dof.rate = take();
      }
    }
  }
  if (at == qvel.size() || w.error) return;
  w.error = xml::error_at(key, "qvel has another number of values than the model",
                          std::to_string(qvel.size()), std::to_string(at));
}

}  // namespace

void read_actuators(xml::Element& root, const std::vector<double>& ctrl, World& w) {
  size_t index = 0;
  for (xml::Element& section : root.children) {
    if (section.tag != "actuator") continue;
    section.used = true;
    for (xml::Element& e : section.children) {
      const double wish = index < ctrl.size() ? ctrl[index] : 0;
      ++index;
      if (w.error) return;
      model::Dof* dof = find_target(e, w);
      Source s = w.defaults.source(e, "", w.error);
      const std::optional<Gains> gains = read_gains(s, e.tag);
      if (dof == nullptr || !gains) {
        e.used = false;  // listed
        continue;
      }
      e.find("name");
      const auto gear = s.numbers("gear", 1, 6);
      const double g = gear.empty() ? 1 : gear[0];
      const auto range = read_range(s, "ctrlrange", "ctrllimited", w.settings);
      const double c = range ? std::clamp(wish, (*range)[0], (*range)[1]) : wish;
      if (g != 0 && w.settings.actuation) apply(*gains, g, c, s, w, *dof);
    }
  }
}

KeyState read_keyframe(xml::Element& root, const std::string& name, World& w) {
  KeyState state;
  std::string all;
  bool found = false;
  for (xml::Element& section : root.children) {
    if (section.tag != "keyframe") continue;
    section.used = true;
    size_t index = 0;
    for (xml::Element& key : section.children) {
      const std::string own = key.has("name") ? key.text("name") : std::to_string(index);
      ++index;
      all += (all.empty() ? "" : ", ") + own;
      if (found || own != name) continue;
      found = true;
      Source s = w.defaults.source(key, "", w.error);
      key.find("time");
      const auto qpos = s.numbers("qpos", 0, 1'000'000), qvel = s.numbers("qvel", 0, 1'000'000);
      state.ctrl = s.numbers("ctrl", 0, 1'000'000);
      if (!qpos.empty()) set_positions(qpos, key, w);
      if (!qvel.empty()) set_rates(qvel, key, w);
    }
  }
  if (!found && !name.empty() && !w.error) {
    w.error = Error{.message = "there is no key frame of this name",
                    .file = w.file,
                    .value = name,
                    .accepted = all.empty() ? "none: the model has no key frames" : all};
  }
  return state;
}

}  // namespace tenon::scene::mjcf
