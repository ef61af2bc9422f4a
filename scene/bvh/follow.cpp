#include "tenon/scene/bvh/follow.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/bodies/kinematic_motion.h"
#include "tenon/engine/collision/narrow/witness.h"
#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene::bvh {
namespace {

// What joints are put together to, of their size and rad. The figures promise 1e-8.
constexpr double kPrecision = 1e-10;
constexpr double kEnough = 1e-8;
constexpr size_t kMostPoses =
    2'000'000;  // bodies times key frames; some hundred bytes of text each

// One more key frame, unless there is one at that time, or nearly.
void add_time(double also, double step, std::vector<double>& times) {
  if (!(also > times.front()) || !(also < times.back())) return;
  const auto after = std::lower_bound(times.begin(), times.end(), also);
  const double nearest = std::min(*after - also, also - *(after - 1));
  if (nearest > 0.01 * step) times.insert(after, also);
}

Result<std::vector<double>> find_times(const MotionFile& motion, const Figure& figure,
                                       const KeyTimes& keys) {
  const double fps = keys.fps;
  if (fps != 0 && (!(fps >= 1e-3) || !(fps <= 1e5))) {
    return Error{.message = "the number of key frames per second is out of range",
                 .value = std::to_string(fps),
                 .accepted = "0.001 to 100000; 0 for the frames of the file"};
  }
  const double end = motion.duration();
  const double count =
      fps > 0 ? std::floor(end * fps * (1 + 1e-12)) + 1 : static_cast<double>(motion.frames);
  if (count * static_cast<double>(figure.bodies.size()) > static_cast<double>(kMostPoses)) {
    return Error{.message = "the motion has too many key frames",
                 .value = std::to_string(static_cast<uint64_t>(count)) + " of " +
                          std::to_string(figure.bodies.size()) + " bodies",
                 .accepted = "fewer key frames per second; at most " + std::to_string(kMostPoses) +
                             " poses in all"};
  }
  std::vector<double> times;
  const double step = fps > 0 ? 1 / fps : motion.frame_time;
  for (size_t k = 0; k < static_cast<size_t>(count); ++k) {
    times.push_back(static_cast<double>(k) * step);
  }
  if (end - times.back() > 1e-3 * step) times.push_back(end);
  if (keys.also) add_time(*keys.also, step, times);
  return times;
}

// The figure as a world of its own, without weight: assembling is all it does.
Result<BuiltScene> build_figure(const Document& document) {
  Document plain = document;
  plain.world.gravity = {};
  const Result<Document> flat = expand(plain);
  if (!flat) return flat.error();
  BuildResult built = build(*flat, {.threads = 1});
  if (!built.ok()) return built.errors.front();
  return std::move(built.scene.front());
}

void note_joints(const BuiltScene& scene, ImportReport& report) {
  for (size_t j = 0; j < scene.joint_handles.size(); ++j) {
    const JointReading reading = scene.world.read_joint(scene.joint_handles[j]);
    JointFit& fit = report.joints[j];
    fit.gap_m = std::max(fit.gap_m, reading.gap_m);
    fit.angle_rad = std::max(fit.angle_rad, reading.angle_rad);
    report.gap_m = std::max(report.gap_m, reading.gap_m);
    report.angle_rad = std::max(report.angle_rad, reading.angle_rad);
  }
  report.gap_rel = std::max(report.gap_rel, scene.world.diagnostics().joint_gap_rel);
}

Error cannot_follow(const BuiltScene& scene, const AssemblyReport& assembly, double time) {
  std::string joint = "?";
  for (size_t j = 0; j < scene.joint_handles.size() && !assembly.open.empty(); ++j) {
    if (scene.joint_handles[j] == assembly.open[0].joint) joint = scene.joint_names[j];
  }
  return {.message = "the figure cannot follow the motion at " + std::to_string(time) +
                     " s: the joint \"" + joint + "\" does not close",
          .value = "open by " + std::to_string(assembly.error) + " of its size, or rad",
          .accepted = "a motion of rigid bones on joints"};
}

// One key frame: from the poses of the motion to the nearest that all joints allow.
Result<std::vector<Pose>> assemble_at(BuiltScene& scene, const std::vector<Pose>& wanted,
                                      double time, ImportReport& report) {
  AssemblyDef def;
  def.effort.precision = kPrecision;
  for (size_t b = 0; b < wanted.size(); ++b) {
    if (Status s = scene.world.set_pose(scene.handles[b], wanted[b]); !s) return s.error();
    AssemblyWant stay;
    stay.kind = displacement::Want::Kind::kStay;
    stay.body = scene.handles[b];
    stay.X_WB = wanted[b];
    def.wants.push_back(stay);
  }
  const Result<AssemblyReport> assembly = scene.world.assemble(def);
  if (!assembly) return assembly.error();
  if (!(assembly->error <= kEnough)) return cannot_follow(scene, *assembly, time);
  std::vector<Pose> poses;
  for (size_t b = 0; b < wanted.size(); ++b) {
    poses.push_back(scene.world.pose(scene.handles[b]));
    const double way = norm(poses[b].p - wanted[b].p);
    if (way > report.moved_m) {
      report.moved_m = way;
      report.moved = scene.names[b];
    }
  }
  note_joints(scene, report);
  return poses;
}

// Between key frames every body goes its own way.
double measure_between(const Figure& figure, const Follower& follower) {
  double worst = 0;
  for (size_t k = 0; k + 1 < follower.times.size(); ++k) {
    const size_t first = k == 0 ? 0 : k - 1;
    const size_t last = std::min(k + 2, follower.times.size() - 1);
    std::vector<Pose> half;
    for (size_t b = 0; b < figure.bodies.size(); ++b) {
      KinematicMotion script;
      script.kind = KinematicMotion::Kind::kKeyframes;
      script.interpolation = KinematicMotion::Interpolation::kSmooth;
      for (size_t i = first; i <= last; ++i) {
        script.keys.push_back({follower.times[i], follower.poses[i][b]});
      }
      half.push_back(pose_at(script, 0.5 * (follower.times[k] + follower.times[k + 1])));
    }
    for (const FigureJoint& j : figure.joints) {
      const Vec3 on_parent = half[j.parent].p + rotate(half[j.parent].q, j.anchor_P);
      worst = std::max(worst, norm(half[j.child].p - on_parent));
    }
  }
  return worst;
}

double segment_distance(const Vec3& p1, const Vec3& q1, const Vec3& p2, const Vec3& q2) {
  const Vec3 p = 0.5 * (p1 + q1), u = 0.5 * (q1 - p1), q = 0.5 * (p2 + q2), v = 0.5 * (q2 - p2);
  const auto at = narrow::find_closest_segments(p, u, q, v);
  return norm(p + at.s * u - q - at.t * v);
}

bool overlap(const FigureBody& a, const Pose& X_a, const FigureBody& b, const Pose& X_b) {
  const auto at = [](const Pose& X, const Vec3& p) { return X.p + rotate(X.q, p); };
  for (const Segment& s : a.segments) {
    for (const Segment& t : b.segments) {
      const double distance =
          segment_distance(at(X_a, s.from), at(X_a, s.to), at(X_b, t.from), at(X_b, t.to));
      if (distance < s.radius + t.radius) return true;
    }
  }
  return false;
}

bool are_close_relatives(const std::vector<size_t>& parent, size_t a, size_t b) {
  const size_t pa = parent[a], pb = parent[b];
  return pb == a || pa == b || pa == pb || parent[pb] == a || parent[pa] == b;
}

}  // namespace

Result<Follower> follow(const MotionFile& motion, const Figure& figure, const Document& document,
                        const KeyTimes& keys, ImportReport& report) {
  Result<std::vector<double>> times = find_times(motion, figure, keys);
  if (!times) return times.error();
  Result<BuiltScene> scene = build_figure(document);
  if (!scene) return scene.error();
  Follower follower;
  follower.times = std::move(*times);
  for (const double time : follower.times) {
    Result<std::vector<Pose>> poses =
        assemble_at(*scene, body_poses_at(motion, figure, time), time, report);
    if (!poses) return poses.error();
    follower.poses.push_back(std::move(*poses));
  }
  report.keys = follower.times.size();
  report.between_m = measure_between(figure, follower);
  return follower;
}

std::vector<std::pair<size_t, size_t>> find_apart(const Figure& figure,
                                                  const std::vector<std::vector<Pose>>& poses) {
  std::vector<size_t> parent(figure.bodies.size(), 0);
  for (const FigureJoint& j : figure.joints) parent[j.child] = j.parent;
  std::vector<std::pair<size_t, size_t>> apart;
  for (size_t b = 1; b < figure.bodies.size(); ++b) {
    for (size_t a = 0; a < b; ++a) {
      bool never = are_close_relatives(parent, a, b);
      for (size_t i = 0; i < poses.size() && !never; ++i) {
        never = overlap(figure.bodies[a], poses[i][a], figure.bodies[b], poses[i][b]);
      }
      if (never) apart.emplace_back(a, b);
    }
  }
  return apart;
}

double find_lowest(const Figure& figure, const std::vector<std::vector<Pose>>& poses) {
  double lowest = 1e300;
  for (const std::vector<Pose>& at : poses) {
    for (size_t b = 0; b < figure.bodies.size(); ++b) {
      for (const Segment& s : figure.bodies[b].segments) {
        for (const Vec3& end : {s.from, s.to}) {
          lowest = std::min(lowest, at[b].p.y + rotate(at[b].q, end).y - s.radius);
        }
      }
    }
  }
  return lowest;
}

}  // namespace tenon::scene::bvh
