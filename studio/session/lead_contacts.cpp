// A hand that leads a mechanism while time stands still does not lead it through other things. The
// displacement method knows joints only; so what it has moved is looked at afterwards, and where it
// has gone into something the way there is halved until it has not. What is left of the way is then
// tried along the surface, so that a thing slides over a floor instead of sticking to it.
#include <algorithm>
#include <map>
#include <set>

#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/scene/build/body_parts.h"
#include "tenon/studio/session/timeline.h"

namespace tenon::studio {
namespace {

constexpr double kSlack = 1e-4;        // m: what rests on something stays free to move
constexpr size_t kMostPairs = 20'000;  // of a look; more would make the hand wait
constexpr double kStride = 0.02;       // m, of a way that began at an obstacle
constexpr int kMostParts = 40;
constexpr int kHalvings = 8;  // of a way: to less than a hundredth of it

}  // namespace

// What the bodies of the take on the stage are made of, by their places in the cast.
struct Timeline::LeadShapes {
  std::vector<const scene::Body*> bodies;
  std::vector<std::vector<scene::BodyPart>> parts;
  std::set<std::pair<size_t, size_t>> tied;  // by a joint: they may overlap where it is
};

std::shared_ptr<const Timeline::LeadShapes> Timeline::lead_shapes(const Take& take) {
  auto shapes = std::make_shared<LeadShapes>();
  std::map<std::string, const scene::Body*> by_name;
  for (const scene::Body& body : take.flat->bodies) by_name[body.name] = &body;
  for (const std::string& name : take.cast.names) {
    const auto body = by_name.find(name);
    shapes->bodies.push_back(body == by_name.end() ? nullptr : body->second);
    std::vector<scene::BodyPart>& parts = shapes->parts.emplace_back();
    if (shapes->bodies.back() == nullptr) continue;
    Result<std::vector<scene::BodyPart>> made =
        scene::make_parts(*take.flat, *shapes->bodies.back(), *meshes_);
    if (made) parts = std::move(*made);
    std::erase_if(parts, [](const scene::BodyPart& part) {
      return !part.shape || part.sensor || part.role == scene::PartRole::kVisual;
    });
  }
  const auto place = [&](BodyHandle body) {
    const auto found = std::find(take.cast.handles.begin(), take.cast.handles.end(), body);
    return static_cast<size_t>(found - take.cast.handles.begin());
  };
  for (const JointHandle joint : take.cast.joint_handles) {
    if (!world_->contains(joint)) continue;
    const JointDef& def = world_->joint_def(joint);
    shapes->tied.insert(std::minmax(place(def.parent), place(def.child)));
  }
  return shapes;
}

// The normal, towards what was led, of the deepest overlap that was not there before.
std::optional<Vec3> Timeline::find_obstacle() {
  const Take& take = this->take(led_->take);
  if (!led_->shapes) led_->shapes = lead_shapes(take);
  const LeadShapes& shapes = *led_->shapes;
  const size_t count = take.cast.handles.size();
  std::vector<Pose> now;
  std::vector<size_t> moved;
  for (size_t i = 0; i < count; ++i) {
    now.push_back(world_->pose(take.cast.handles[i]));
    const Pose &X = now.back(), &Y = led_->before[i];
    if (norm(X.p - Y.p) > 1e-9 || std::abs(dot(X.q, Y.q)) < 1 - 1e-12) moved.push_back(i);
  }
  if (moved.size() * count > kMostPairs) return std::nullopt;
  std::optional<Vec3> normal;
  double deepest = kSlack;
  for (const size_t i : moved) {
    for (size_t k = 0; k < count; ++k) {
      const bool twice = k < i && std::binary_search(moved.begin(), moved.end(), k);
      if (k == i || twice || shapes.bodies[i] == nullptr || shapes.bodies[k] == nullptr) continue;
      if (shapes.tied.contains(std::minmax(i, k)) ||
          !scene::may_collide(*take.flat, *shapes.bodies[i], *shapes.bodies[k]))
        continue;
      for (const scene::BodyPart& a : shapes.parts[i]) {
        for (const scene::BodyPart& b : shapes.parts[k]) {
          const auto touch = [&](const Pose& X, const Pose& Y) {
            return collide(*a.shape, to_transform(X * a.X_BP), *b.shape, to_transform(Y * b.X_BP),
                           0);
          };
          const Manifold met = touch(now[i], now[k]);
          if (met.count == 0 || -met.distance <= deepest) continue;
          const Manifold old = touch(led_->before[i], led_->before[k]);
          const double before = old.count > 0 ? std::max(0.0, -old.distance) : 0;
          if (-met.distance - before <= deepest) continue;
          deepest = -met.distance - before;
          normal = -met.normal_W;
        }
      }
    }
  }
  return normal;
}

Result<DragReport> Timeline::lead(const Vec3& target_W) {
  if (!led_ || led_->posing)
    return Error{.message = "nothing is dragged", .accepted = "drag first"};
  const DragHandle drag = *led_->drag;
  Vec3 free = led_->free_W, blocked = target_W;
  // who pushes against something does not come out behind it
  const int parts =
      led_->against ? std::clamp(static_cast<int>(norm(target_W - free) / kStride), 1, kMostParts)
                    : 1;
  Result<DragReport> report = Error{};
  std::optional<Vec3> normal;
  for (int i = 1; i <= parts && !normal; ++i) {
    const Vec3 there = led_->free_W + (static_cast<double>(i) / parts) * (target_W - led_->free_W);
    report = world_->move_drag(drag, {i == parts ? target_W : there, {}});
    if (!report) return report;
    normal = find_obstacle();
    (normal ? blocked : free) = there;
  }
  led_->against = normal.has_value();
  if (!normal) {
    led_->free_W = target_W;
    return report;
  }
  for (int i = 0; i < kHalvings; ++i) {
    const Vec3 middle = 0.5 * (free + blocked);
    report = world_->move_drag(drag, {middle, {}});
    if (!report) return report;
    const std::optional<Vec3> met = find_obstacle();
    (met ? blocked : free) = middle;
    if (met) normal = met;
  }
  const Vec3 rest = target_W - free;
  const double into = dot(rest, *normal);
  const Vec3 along = free + rest - std::min(0.0, into) * *normal;
  report = world_->move_drag(drag, {along, {}});
  if (report && find_obstacle()) {
    report = world_->move_drag(drag, {free, {}});
  } else {
    free = along;
  }
  if (!report) return report;
  led_->free_W = free;
  report->miss_m += norm(target_W - free);
  return report;
}

Result<double> Timeline::pose_joint(double wanted) {
  if (!led_ || !led_->posing) return Error{.message = "no joint is led", .accepted = "drag first"};
  double free = led_->posing->at;
  Result<double> reached = set_joint(wanted);
  if (!reached || !find_obstacle()) return reached;
  double blocked = *reached;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (free + blocked);
    if (reached = set_joint(middle); !reached) return reached;
    (find_obstacle() ? blocked : free) = middle;
  }
  return set_joint(free);
}

}  // namespace tenon::studio
