// What a timeline keeps of every step, and what it lets go.
#include <algorithm>
#include <cmath>

#include "tenon/studio/session/timeline.h"

namespace tenon::studio {
namespace {

size_t frame_bytes(const Frame& frame) {
  return (frame.poses.capacity() + frame.rates.capacity()) * sizeof(float) +
         frame.joints.capacity() * sizeof(JointStats);
}
void let_go(Frame& frame) {
  frame.poses = {};
  frame.rates = {};
  frame.joints = {};
}

}  // namespace

const Frame* Timeline::peek_stats(int id, uint64_t step) const {
  const Take& t = take(owner(id, step));
  return step - t.at < t.frames.size() ? &t.frames[static_cast<size_t>(step - t.at)] : nullptr;
}

Frame Timeline::gather(const Take& take, double step_ms) const {
  Frame frame;
  frame.time = world_->time();
  const StepDiagnostics& d = world_->diagnostics();
  const Mechanics& m = d.mechanics;
  const auto f = [](double value) { return static_cast<float>(value); };
  frame.stats = {f(m.kinetic_J),
                 f(m.potential_J + m.elastic_J),
                 f(m.kinetic_J + m.potential_J - d.work_J - take.balance_J),
                 f(d.contacts),
                 f(d.penetration_m),
                 f(d.joint_gap_rel),
                 f(step_ms),
                 f(d.sleeping_bodies),
                 0};
  // what there was to go wrong with: the zero of potential energy is anybody's choice
  const Frame* before = take.frames.empty() ? nullptr : &take.frames.back();
  if (before == nullptr && take.parent >= 0) before = peek_stats(take.parent, take.at);
  const double change =
      m.kinetic_J + std::abs(d.work_J - take.work_J) + std::abs(m.potential_J - take.potential_J);
  frame.stats.largest_J = std::max(before != nullptr ? before->stats.largest_J : 0.0f, f(change));
  frame.poses.reserve(7 * take.cast.handles.size());
  for (const BodyHandle body : take.cast.handles) {
    const Pose X = world_->pose(body);
    for (const double value : {X.p.x, X.p.y, X.p.z, X.q.w, X.q.x, X.q.y, X.q.z})
      frame.poses.push_back(f(value));
  }
  frame.rates.reserve(6 * take.cast.handles.size());
  for (const BodyHandle body : take.cast.handles) {
    const Vec3 v = world_->velocity(body), w = world_->angular_velocity(body);
    for (const double value : {v.x, v.y, v.z, w.x, w.y, w.z}) frame.rates.push_back(f(value));
  }
  frame.joints = gather_joints(take.cast);
  return frame;
}

std::vector<JointStats> Timeline::gather_joints(const Cast& cast) const {
  std::vector<JointStats> all;
  if (cast.joint_handles.size() > kMostJoints) return all;
  all.reserve(cast.joint_handles.size());
  const auto f = [](double value) { return static_cast<float>(value); };
  for (const JointHandle joint : cast.joint_handles) {
    JointStats& one = all.emplace_back();
    if (!world_->contains(joint)) continue;
    const JointReading reading = world_->read_joint(joint);
    int axis = 0;
    while (axis < kJointAxisCount - 1 && (reading.free_axes >> axis & 1) == 0) ++axis;
    const auto k = static_cast<size_t>(axis);
    one = {f(reading.coordinate[k]), f(reading.rate[k]), f(norm(reading.force)),
           f(norm(reading.torque)),  f(reading.gap_m),   0};
    const JointDef& def = world_->joint_def(joint);
    if (def.kind == JointKind::kGear) continue;
    const auto place = [&](BodyHandle body, const Pose& X) {
      return world_->contains(body) ? (world_->pose(body) * X).p : X.p;
    };
    one.length_m = f(norm(place(def.child, def.X_BC) - place(def.parent, def.X_BP)));
  }
  return all;
}

Result<std::vector<TouchPoint>> Timeline::touches(int id, uint64_t step) {
  if (Status s = go_to(id, step); !s) return s.error();
  std::vector<TouchPoint> all;
  const double h = world_->settings().step;
  for (const Contact& contact : world_->contacts()) {
    if (!contact.acts) continue;
    for (int i = 0; i < contact.manifold.count; ++i) {
      const auto k = static_cast<size_t>(i);
      const Vec3 force = contact.impulse_W[k] / h;
      if (contact.manifold.points[k].distance > 0 && dot(force, force) == 0) continue;
      all.push_back({contact.manifold.points[k].p_W, force});
    }
  }
  return all;
}

void Timeline::record_events(Take& take) {
  const auto name = [&](BodyHandle body) -> std::string {
    for (size_t i = 0; i < take.cast.handles.size(); ++i)
      if (take.cast.handles[i] == body) return take.cast.names[i];
    return "";
  };
  for (const Event& event : world_->events()) {
    // what is rare is recorded all the same
    const bool contact =
        event.kind == EventKind::kContactBegin || event.kind == EventKind::kContactEnd;
    take.events_full = take.events_full || take.events.size() >= options_.most_events;
    if (take.events_full && (contact || take.events.size() >= 2 * options_.most_events)) continue;
    TakeEvent told{live_.step,    event.time,  event.kind,   name(event.a),
                   name(event.b), event.value, event.impulse};
    // bodies that touched before the change still do
    const bool first = live_.step == take.at + 1;
    if (first && event.kind == EventKind::kContactBegin &&
        take.touching.contains(std::minmax(told.a, told.b)))
      continue;
    take.events.push_back(std::move(told));
  }
}

void Timeline::add_key(Take& take) {
  if (grab_ || take.keys.contains(live_.step)) return;  // the hand is no part of a state
  const auto next = take.keys.upper_bound(live_.step);
  const uint64_t last = next == take.keys.begin() ? take.at : std::prev(next)->first;
  const double h = world_->settings().step;
  if (static_cast<double>(live_.step - last) * h < options_.keyframe_s * (1 - 1e-9)) return;
  take.keys[live_.step] = world_->snapshot();
}

// Hands that hold or let go before the step that follows.
void Timeline::apply_inputs(Take& take) {
  const auto before = [](const GrabInput& input, uint64_t step) { return input.step < step; };
  auto input = std::lower_bound(take.inputs.begin(), take.inputs.end(), live_.step, before);
  for (; input != take.inputs.end() && input->step == live_.step; ++input) {
    if (input->kind == GrabInput::Kind::kBegin) {
      const auto body = std::find(take.cast.names.begin(), take.cast.names.end(), input->body);
      if (body == take.cast.names.end()) continue;
      DragDef def;
      def.mode = DragDef::Mode::kDynamic;
      def.body = take.cast.handles[static_cast<size_t>(body - take.cast.names.begin())];
      def.point_B = input->point_B;
      const std::vector<JointHandle> joints = world_->joints();
      if (Result<DragHandle> drag = world_->begin_drag(def); drag) grab_ = *drag;
      grab_joint_.reset();
      for (const JointHandle joint : world_->joints())
        if (std::find(joints.begin(), joints.end(), joint) == joints.end()) grab_joint_ = joint;
    }
    if (!grab_) continue;
    if (input->kind == GrabInput::Kind::kEnd) {
      (void)world_->end_drag(*grab_);
      grab_.reset();
    } else {
      (void)world_->move_drag(*grab_, {input->target_W, {}});
    }
  }
}

Vec3 Timeline::grab_force() const {
  const bool holds = grab_ && grab_joint_ && world_ && world_->contains(*grab_joint_);
  return holds ? world_->read_joint(*grab_joint_).force : Vec3{};
}

size_t Timeline::bytes() const {
  size_t total = 0;
  for (const auto& [id, take] : takes_) {
    if (take->tree && take->parent >= 0) total += take->scene_bytes;  // the first one stays
    for (const Frame& frame : take->frames) total += frame_bytes(frame);
    total += (take->keys.size() + (take->start.empty() ? 0 : 1)) * take->key_bytes;
  }
  return total;
}

bool Timeline::has_state(int id, uint64_t step) const {
  const Take& t = take(owner(id, step));
  return (!t.start.empty() && step == t.at) || t.keys.contains(step);
}

void Timeline::keep_state(int id, uint64_t step) {
  id = owner(id, step);
  if (has_state(id, step) || !go_to(id, step) || grab_) return;
  takes_.at(id)->keys[step] = world_->snapshot();
}

// The scene of a take and the states that belong to it; ensure_scene() makes them again. The first
// take keeps the tree that all others come from.
void Timeline::forget_scene(Take& take) {
  if (live_.take == take.id) live_ = {};
  take.keys.clear();
  take.start = {};
  if (take.parent < 0) return;
  take.tree.reset();
  take.flat.reset();
}

void Timeline::evict(int active, uint64_t step, const std::vector<SyncPoint>& keep) {
  size_t now = bytes();
  if (now <= options_.memory_bytes) return;
  const size_t aim = options_.memory_bytes / 10 * 9;
  std::set<int> chain, passed;  // passed: of the chain, without a step of their own
  for (int id = active; id >= 0; id = take(id).parent) {
    chain.insert(id);
    const int parent = take(id).parent;
    if (parent >= 0 && take(parent).at == take(id).at) passed.insert(parent);
  }
  const auto wanted = [&](int id, uint64_t at) {
    return std::any_of(keep.begin(), keep.end(), [&](const SyncPoint& s) {
      return contains(s.take) && owner(s.take, s.step) == id && s.step == at;
    });
  };
  // takes that nobody looks at: everything but the changes they are made of
  for (auto& [id, take] : takes_) {
    if (now <= aim) return;
    if ((chain.contains(id) && !passed.contains(id)) || id == live_.take) continue;
    // scenes with mistakes are only their text
    const bool kept =
        !take->errors.empty() || std::any_of(keep.begin(), keep.end(), [&](const SyncPoint& s) {
          return contains(s.take) && owner(s.take, s.step) == id;
        });
    for (size_t i = kept || passed.contains(id) ? 1 : 0; i < take->frames.size(); ++i) {
      now -= frame_bytes(take->frames[i]);
      let_go(take->frames[i]);
    }
    if (kept) continue;
    now -= (take->keys.size() + (take->start.empty() ? 0 : 1)) * take->key_bytes;
    if (take->tree && take->parent >= 0) now -= take->scene_bytes;
    forget_scene(*take);
  }
  // frames farthest from the playhead, then every second state
  struct Far {
    uint64_t distance;
    Frame* frame;
  };
  std::vector<Far> far;
  for (const int id : chain) {
    Take& t = *takes_.at(id);
    for (size_t i = 1; i < t.frames.size(); ++i) {
      const uint64_t at = t.at + i;
      if (!t.frames[i].poses.empty())
        far.push_back({at > step ? at - step : step - at, &t.frames[i]});
    }
  }
  std::sort(far.begin(), far.end(),
            [](const Far& a, const Far& b) { return a.distance > b.distance; });
  for (const Far& f : far) {
    if (now <= aim || f.distance < 120) break;
    now -= frame_bytes(*f.frame);
    let_go(*f.frame);
  }
  for (const int id : chain) {
    Take& t = *takes_.at(id);
    bool odd = false;
    for (auto key = t.keys.begin(); key != t.keys.end() && now > aim;) {
      odd = !odd;
      if (odd && !wanted(id, key->first)) {
        now -= t.key_bytes;
        key = t.keys.erase(key);
      } else {
        ++key;
      }
    }
  }
}

}  // namespace tenon::studio
