#include "tenon/scene/gltf/joints.h"

#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/model/angles.h"

namespace tenon::scene::gltf {
namespace {

constexpr const char* kNotHonoured = "NOT HONOURED";

// From x to the axis k, and the others in order: thirds of a turn.
const Quat kTurns[3] = {{1, 0, 0, 0}, {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, -0.5, -0.5}};

enum class Hold { kFree, kLocked, kLimited };
struct Axis {
  Hold hold = Hold::kFree;
  JointLaw law;
};

// Kinds by their freedoms; the first that fits.
constexpr JointType kKinds[] = {
    JointType::kRigid,     JointType::kHinge,      JointType::kPoint,       JointType::kSlider,
    JointType::kSlider2,   JointType::kSlider3,    JointType::kPlanarTwist, JointType::kCylindrical,
    JointType::kUniversal, JointType::kBallInTube, JointType::kPointOnPlane};

bool may_swing(JointType type) {
  return type == JointType::kPoint || type == JointType::kBallInTube ||
         type == JointType::kPointOnPlane;
}

class Reader {
 public:
  Reader(const Json& json, const std::string& file, Unused& unused, model::Report& report)
      : json_(json), file_(file), unused_(unused), report_(report) {}

  JointText run() {
    unused_.others("physicsJoints", json_, {"limits", "drives"});
    if (const Json* limits = json_.find("limits"))
      for (const Json& limit : limits->items) read_limit(limit);
    if (const Json* drives = json_.find("drives"))
      for (const Json& drive : drives->items) read_drive(drive);
    return choose();
  }

 private:
  void warn(const Json& at, std::string message, std::string accepted) {
    report_.warnings.push_back(
        model::error_at(file_, at.place, std::move(message), {}, std::move(accepted)));
  }

  void read_limit(const Json& limit) {
    unused_.others("limits", limit,
                   {"linearAxes", "angularAxes", "min", "max", "stiffness", "damping"});
    for (const char* soft : {"stiffness", "damping"})
      if (const Json* value = limit.find(soft))
        unused_.add(std::string("limits ") + soft, *value, kNotHonoured);
    const bool angular = limit.find("angularAxes") != nullptr;
    const Json* list = limit.find(angular ? "angularAxes" : "linearAxes");
    std::vector<size_t> axes;
    for (size_t i = 0; list && i < list->items.size(); ++i) {
      const double axis = list->items[i].is_number() ? list->items[i].number : -1;
      if (axis == 0 || axis == 1 || axis == 2)
        axes.push_back(static_cast<size_t>(axis) + (angular ? 3 : 0));
      else
        warn(list->items[i], "a limit has an axis that is not there", "0, 1 or 2");
    }
    JointLimits range;
    if (limit.find("min")) range.min = read_number(limit, "min", 0);
    if (limit.find("max")) range.max = read_number(limit, "max", 0);
    if (axes.empty() || (!range.min && !range.max)) return;
    const bool locks = range.min.value_or(1) == 0 && range.max.value_or(1) == 0;
    // a distance within which several axes stay together is 0 at least
    const bool together = axes.size() > 1 && range.max.value_or(1) <= 0;
    if (locks || together) {
      for (const size_t axis : axes) axes_[axis].hold = Hold::kLocked;
    } else if (axes.size() == 1) {
      axes_[axes[0]].hold = Hold::kLimited;
      axes_[axes[0]].law.limits = range;
    } else if (angular && axes.size() == 2 && range.max) {
      swing_ = *range.max;
      cone_ = 3 - static_cast<int>(axes[0] - 3) - static_cast<int>(axes[1] - 3);
    } else {
      unused_.add("limits of a distance over several axes", limit, kNotHonoured);
    }
  }

  void read_drive(const Json& drive) {
    unused_.others("drives", drive,
                   {"type", "mode", "axis", "maxForce", "positionTarget", "velocityTarget",
                    "stiffness", "damping"});
    const Json *type = drive.find("type"), *mode = drive.find("mode");
    const int axis = read_index(drive, "axis", 3);
    if (axis < 0 || !type) return warn(drive, "a drive without type or axis", "axis 0, 1 or 2");
    JointLaw& law = axes_[static_cast<size_t>(axis) + (type->string == "angular" ? 3 : 0)].law;
    const double k = read_number(drive, "stiffness", 0), d = read_number(drive, "damping", 0);
    const double at = read_number(drive, "positionTarget", 0);
    const double rate = read_number(drive, "velocityTarget", 0);
    const Json* most = drive.find("maxForce");
    const bool bounded = most && most->is_number() && most->number < 1e30;
    JointMotor motor;
    if (bounded && most->number > 0) motor.max = most->number;
    if (mode && mode->string == "acceleration" && k > 0) {
      // omega^2 = k, 2 zeta omega = d
      motor.position = at;
      motor.frequency = model::rounded(std::sqrt(k) / (2 * kPi), 12);
      motor.damping_ratio = model::rounded(d / (2 * std::sqrt(k)), 12);
      law.motor = motor;
      if (rate != 0) unused_.add("drives velocityTarget beside a position", drive, kNotHonoured);
      return;
    }
    if (mode && mode->string == "acceleration") {
      motor.velocity = rate;
      law.motor = motor;
      report_.notes.push_back("a drive towards a velocity holds it exactly, within its maxForce");
      return;
    }
    // k (at - x) + d (rate - v): a spring, a damper and a constant force
    if (k > 0 || d > 0) law.spring = JointSpring{k, d, at};
    if (d * rate != 0) {
      motor.max.reset();
      motor.force = model::rounded(d * rate, 12);
      law.motor = motor;
    }
    if (bounded) unused_.add("drives maxForce of a spring", drive, kNotHonoured);
  }

  // Which axis of the file is axis i of the kind, if x of the kind is axis `turn` of the file.
  static size_t turned(size_t i, size_t turn) { return (i % 3 + turn) % 3 + (i >= 3 ? 3 : 0); }

  JointText choose() {
    for (const JointType type : kKinds) {
      for (size_t turn = 0; turn < 3; ++turn) {
        if (swing_ && (cone_ != static_cast<int>(turn) || !may_swing(type))) continue;
        Joint joint;
        joint.type = type;
        const std::array<bool, kJointAxes> free = free_axes(joint);
        bool fits = true;
        for (size_t i = 0; i < 6; ++i)
          fits = fits && free[i] == (axes_[turned(i, turn)].hold != Hold::kLocked);
        if (!fits) continue;
        for (size_t i = 0; i < 6; ++i)
          if (free[i]) joint.laws[i] = axes_[turned(i, turn)].law;
        joint.swing = swing_;
        return {std::move(joint), kTurns[turn]};
      }
    }
    JointText text;
    text.joint.type = JointType::kSixAxis;
    for (size_t i = 0; i < 6; ++i) {
      if (axes_[i].hold == Hold::kLocked)
        text.joint.locked.push_back(static_cast<JointAxis>(i));
      else
        text.joint.laws[i] = axes_[i].law;
    }
    if (swing_) unused_.add("limits of a cone beside other freedoms", json_, kNotHonoured);
    return text;
  }

  const Json& json_;
  const std::string& file_;
  Unused& unused_;
  model::Report& report_;
  std::array<Axis, 6> axes_;
  std::optional<double> swing_;
  int cone_ = -1;
};

Json list_of_axes(std::vector<int> numbers) {
  Json list = Json::array();
  for (const int n : numbers) list.push(n);
  return list;
}

Json make_limit(const char* kind, std::vector<int> axes, const JointLimits& range) {
  Json limit = Json::object();
  limit.set(kind, list_of_axes(std::move(axes)));
  if (range.min) limit.set("min", *range.min);
  if (range.max) limit.set("max", *range.max);
  return limit;
}

Json make_drive(size_t axis, const char* mode) {
  Json drive = Json::object();
  drive.set("type", axis >= 3 ? "angular" : "linear").set("mode", mode);
  drive.set("axis", static_cast<int>(axis % 3));
  return drive;
}

// Springs by force, motors by acceleration.
void add_drives(const JointLaw& law, size_t axis, Json& drives) {
  if (law.spring) {
    Json drive = make_drive(axis, "force");
    drive.set("stiffness", law.spring->stiffness).set("damping", law.spring->damping);
    drive.set("positionTarget", law.spring->rest);
    if (law.motor && law.motor->force && law.spring->damping > 0)
      drive.set("velocityTarget", *law.motor->force / law.spring->damping);
    drives.push(std::move(drive));
  }
  if (!law.motor || law.motor->force) return;
  const JointMotor& motor = *law.motor;
  Json drive = make_drive(axis, "acceleration");
  if (motor.position) {
    const double omega = 2 * kPi * motor.frequency;
    drive.set("stiffness", omega * omega).set("damping", 2 * motor.damping_ratio * omega);
    drive.set("positionTarget", *motor.position);
  } else if (motor.velocity) {
    // as stiff as drives are used
    drive.set("stiffness", 0).set("damping", 1e6).set("velocityTarget", *motor.velocity);
  }
  if (motor.max) drive.set("maxForce", *motor.max);
  drives.push(std::move(drive));
}

}  // namespace

JointText read_joint(const Json& description, const std::string& file, Unused& unused,
                     model::Report& report) {
  return Reader(description, file, unused, report).run();
}

bool can_write(const Joint& joint) {
  return joint.type != JointType::kGear && joint.type != JointType::kScrew &&
         joint.type != JointType::kBlackBox && joint.type != JointType::kDistance;
}

Json write_joint(const Joint& joint, const std::string& file, std::vector<Error>& warnings) {
  const auto warn = [&](const char* what) {
    warnings.push_back(model::error_at(
        file, joint.place, std::string("glTF has no ") + what + "; left out", joint.name));
  };
  const std::array<bool, kJointAxes> free = free_axes(joint);
  std::vector<int> linear, angular;
  Json limits = Json::array(), drives = Json::array();
  for (size_t i = 0; i < 6; ++i)
    if (!free[i]) (i < 3 ? linear : angular).push_back(static_cast<int>(i % 3));
  if (!linear.empty()) limits.push(make_limit("linearAxes", linear, {0, 0}));
  if (!angular.empty()) limits.push(make_limit("angularAxes", angular, {0, 0}));
  bool rubs = false, bounces = false, pushes = false;
  for (size_t i = 0; i < 6; ++i) {
    const JointLaw& law = joint.laws[i];
    if (!free[i]) continue;
    if (law.limits)
      limits.push(
          make_limit(i < 3 ? "linearAxes" : "angularAxes", {static_cast<int>(i % 3)}, *law.limits));
    add_drives(law, i, drives);
    rubs = rubs || law.friction > 0;
    bounces = bounces || law.restitution > 0;
    pushes = pushes || (law.motor && law.motor->force && !(law.spring && law.spring->damping > 0));
  }
  if (joint.swing) limits.push(make_limit("angularAxes", {1, 2}, {std::nullopt, *joint.swing}));
  if (rubs) warn("friction of joints");
  if (bounces) warn("bounce of limits");
  if (pushes) warn("motor of a constant force");
  if (joint.break_force || joint.break_torque) warn("joints that break");
  if (joint.type == JointType::kTwist) warn("turns that are counted");
  Json out = Json::object();
  out.set("limits", std::move(limits));
  if (!drives.items.empty()) out.set("drives", std::move(drives));
  return out;
}

}  // namespace tenon::scene::gltf
