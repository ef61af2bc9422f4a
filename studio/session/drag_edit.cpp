// A hand that leads a mechanism while time stands still, by the displacement method
// [Faure1998, sec. 4.1], and bodies that fall until they touch.
#include <algorithm>
#include <set>

#include "tenon/engine/collision/narrow/impact_time.h"
#include "tenon/scene/build/body_parts.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/studio/session/json_list.h"
#include "tenon/studio/session/timeline.h"

namespace tenon::studio {
namespace {

Json set_op(const std::string& section, const std::string& name, const char* key, Json value) {
  Json path = Json::array({section, name, key});
  return Json::object()
      .set("op", "set")
      .set("path", std::move(path))
      .set("value", std::move(value));
}

size_t place_of(const Cast& cast, const std::string& name) {
  return static_cast<size_t>(std::find(cast.names.begin(), cast.names.end(), name) -
                             cast.names.begin());
}

std::string name_of(const Cast& cast, BodyHandle body) {
  for (size_t i = 0; i < cast.handles.size(); ++i)
    if (cast.handles[i] == body) return cast.names[i];
  return scene::kWorldName;
}

Error generated(const std::string& what) {
  return {.message = "'" + what + "' comes from an array or a prefab",
          .value = what,
          .accepted = "single bodies: expand the scene first"};
}

// Places of a joint that the scene gives in its own coordinates hold for the poses it had; the same
// places, in the frames of the bodies.
void pin_joint(const Json& entry, const JointDef& def, double length, Json& ops) {
  const std::string& name = entry.find("name")->string;
  for (const char* key : {"at", "to", "axis", "axis2"})
    if (entry.find(key) != nullptr) ops.push(set_op("joints", name, key, Json()));
  const auto frame = [](const Pose& X) {
    return Json::object().set("position", list(X.p)).set("orientation", list(X.q));
  };
  ops.push(set_op("joints", name, "parent_frame", frame(def.X_BP)));
  ops.push(set_op("joints", name, "child_frame", frame(def.X_BC)));
  if (def.kind == JointKind::kDistance && entry.find("length") == nullptr)
    ops.push(set_op("joints", name, "length", length));
}

void pin_connection(const Json& entry, const Cast& cast, const JointDef& def, double length,
                    Json& ops) {
  const std::string& name = entry.find("name")->string;
  const Json* a = entry.find("a");
  const bool straight = a != nullptr && a->string == name_of(cast, def.parent);
  for (const char* key : {"at", "to"})
    if (entry.find(key) != nullptr) ops.push(set_op("connections", name, key, Json()));
  ops.push(set_op("connections", name, "point_a", list((straight ? def.X_BP : def.X_BC).p)));
  ops.push(set_op("connections", name, "point_b", list((straight ? def.X_BC : def.X_BP).p)));
  // as long at rest as it was when the scene began
  static const std::set<std::string> lengthy{"spring", "rod", "rope", "shock_absorber"};
  const Json* type = entry.find("type");
  if (type != nullptr && lengthy.contains(type->string) && entry.find("length") == nullptr)
    ops.push(set_op("connections", name, "length", length));
}

Status pin_joints(const Take& take, const World& world, const std::vector<Pose>& before,
                  const std::set<std::string>& moved, Json& ops) {
  const Cast& cast = take.cast;
  for (size_t i = 0; i < cast.joint_handles.size(); ++i) {
    if (!world.contains(cast.joint_handles[i])) continue;
    const JointDef& def = world.joint_def(cast.joint_handles[i]);
    if (def.kind == JointKind::kGear) continue;
    const std::string a = name_of(cast, def.parent), b = name_of(cast, def.child);
    if (!moved.contains(a) && !moved.contains(b)) continue;
    const std::string& name = cast.joint_names[i];
    const bool connection = scene::find_connection(*take.flat, name) != nullptr;
    const Json* entry = find_entry(*take.tree, connection ? "connections" : "joints", name);
    if (entry == nullptr) return generated(name);
    const auto place = [&](const std::string& body, const Pose& X) {
      const size_t k = place_of(cast, body);
      return k < before.size() ? (before[k] * X).p : X.p;
    };
    const double length = norm(place(b, def.X_BC) - place(a, def.X_BP));
    const bool framed = entry->find("parent_frame") != nullptr && entry->find("child_frame");
    if (connection) {
      pin_connection(*entry, cast, def, length, ops);
    } else if (!framed) {
      pin_joint(*entry, def, length, ops);
    }
  }
  return Ok{};
}

bool differs(const Pose& a, const Pose& b) {
  const double turn = 1 - std::abs(a.q.w * b.q.w + a.q.x * b.q.x + a.q.y * b.q.y + a.q.z * b.q.z);
  return norm(a.p - b.p) > 1e-9 || turn > 1e-14;
}

}  // namespace

Result<Json> lead_operations(const Take& take, const World& world, const std::vector<Pose>& before,
                             bool at_start) {
  Json ops = Json::array();
  std::set<std::string> moved;
  for (size_t i = 0; i < take.cast.handles.size(); ++i) {
    const Pose X = world.pose(take.cast.handles[i]);
    if (!differs(X, before[i])) continue;
    const std::string& name = take.cast.names[i];
    if (at_start && find_entry(*take.tree, "bodies", name) == nullptr) return generated(name);
    moved.insert(name);
    ops.push(set_op("bodies", name, "position", list(X.p)));
    ops.push(set_op("bodies", name, "orientation", list(X.q)));
  }
  if (at_start) {
    if (Status s = pin_joints(take, world, before, moved, ops); !s) return s.error();
  }
  return ops;
}

Status Timeline::begin_leading(int id, uint64_t step, const std::string& body,
                               const Vec3& point_B) {
  if (Status s = go_to(id, step); !s) return s;
  const Take& take = this->take(owner(id, step));
  const size_t k = place_of(take.cast, body);
  if (k >= take.cast.handles.size())
    return Error{.message = "there is no such body", .file = "body", .value = body};
  Result<DragHandle> drag = world_->begin_drag({.body = take.cast.handles[k], .point_B = point_B});
  if (!drag) return drag.error();
  const Pose X_WB = world_->pose(take.cast.handles[k]);
  Leading led{*drag, take.id, step, {}, {}, false, X_WB.p + rotate(X_WB.q, point_B), {}};
  for (const BodyHandle one : take.cast.handles) led.before.push_back(world_->pose(one));
  led_ = std::move(led);
  return Ok{};
}

Frame Timeline::led_frame() const { return gather(take(led_->take), 0); }

Result<Json> Timeline::end_leading() {
  if (!led_) return Error{.message = "nothing is dragged", .accepted = "drag first"};
  const Leading led = *led_;
  Status ended = Ok{};
  if (led.drag)
    if (Result<DragReport> report = world_->end_drag(*led.drag); !report) ended = report.error();
  Result<Json> ops = ended ? lead_operations(take(led.take), *world_, led.before, led.step == 0)
                           : Result<Json>(ended.error());
  led_.reset();
  live_ = {};  // it has gone where no step leads
  return ops;
}

void Timeline::stop_leading() {
  if (!led_) return;
  if (led_->drag) (void)world_->end_drag(*led_->drag);
  led_.reset();
  live_ = {};
}

// The first of all meetings on a long way down [conservative advancement, impact_time.h].
Result<Vec3> Timeline::find_drop(int id, uint64_t step, const std::vector<std::string>& names) {
  if (Status s = go_to(id, step); !s) return s.error();
  const Take& take = this->take(owner(id, step));
  const scene::Document& flat = *take.flat;
  const Vec3 g = world_->settings().gravity;
  const Vec3 down = norm(g) > 1e-9 ? g / norm(g) : Vec3{0, -1, 0};
  constexpr double kWay = 200;  // m; what is lower is out of sight
  std::set<std::string> chosen(names.begin(), names.end());
  double least = 1;
  for (const scene::Body& mine : flat.bodies) {
    if (!chosen.contains(mine.name)) continue;
    const Result<std::vector<scene::BodyPart>> parts = scene::make_parts(flat, mine, *meshes_);
    if (!parts) return parts.error();
    const Pose X = world_->pose(take.cast.handles[place_of(take.cast, mine.name)]);
    for (const scene::Body& other : flat.bodies) {
      if (chosen.contains(other.name) || !scene::may_collide(flat, mine, other)) continue;
      const Result<std::vector<scene::BodyPart>> theirs = scene::make_parts(flat, other, *meshes_);
      if (!theirs) return theirs.error();
      const Pose Y = world_->pose(take.cast.handles[place_of(take.cast, other.name)]);
      for (const scene::BodyPart& a : *parts) {
        for (const scene::BodyPart& b : *theirs) {
          if (!a.shape || !b.shape || a.sensor || b.sensor) continue;
          const ShapeMotion falls{to_transform(X * a.X_BP), X.p, kWay * down, {}};
          const ShapeMotion stays{to_transform(Y * b.X_BP), Y.p, {}, {}};
          const ImpactTime hit = calc_time_of_impact(*a.shape, falls, *b.shape, stays, 0);
          if (hit.status != ImpactTime::Status::kNone) least = std::min(least, hit.fraction);
        }
      }
    }
  }
  if (least >= 1)
    return Error{.message = "there is nothing below to drop onto", .accepted = "a floor"};
  return least * kWay * down;
}

}  // namespace tenon::studio
