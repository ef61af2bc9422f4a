#include "tenon/render/export/bake.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tenon/engine/geometry/support.h"
#include "tenon/render/daylight.h"
#include "tenon/render/export/detail/bounds.h"
#include "tenon/render/export/detail/keys.h"

namespace tenon::exports {
namespace {

using render::Role;
using render::Stage;
using render::StageLink;
using render::StageSolid;
using render::StageTube;

constexpr size_t kProbes = 120;   // times between frames that are looked at
constexpr double kMostParts = 6;  // keys per frame

// The shortest turn that takes y to a direction, or one direction to another.
Quat turn(const Vec3& from, const Vec3& to) {
  const double c = dot(from, to);
  if (c < -1 + 1e-12) {
    const Vec3 axis = any_orthogonal(from);
    return {0, axis.x, axis.y, axis.z};
  }
  const Vec3 axis = cross(from, to);
  return normalized(Quat{1 + c, axis.x, axis.y, axis.z});
}

Quat negated(const Quat& q) { return {-q.w, -q.x, -q.y, -q.z}; }

class Baker {
 public:
  Baker(Baked& baked, const BakeOptions& options) : baked_(baked), options_(options) {}

  void add_frame(const Stage& stage) {
    frame_ = baked_.times.size();
    baked_.times.push_back(stage.time);
    ordinals_.clear();
    for (const StageSolid& solid : stage.solids) {
      if (solid.role == Role::kBody && solid.body < stage.poses.size()) {
        add_body(solid, stage.poses[solid.body]);
      } else if (solid.role == Role::kLink) {
        add_link_solid(solid);
      }
    }
    for (const StageTube& tube : stage.tubes)
      if (tube.role == Role::kLink) add_tube(tube, stage.links);
    for (size_t i = 0; i < stage.cameras.size(); ++i) add_camera(stage.cameras[i], i);
    fill_gaps();
  }

  void finish() {
    for (Track& track : baked_.tracks) {
      // what never moves needs one pose only
      const auto same = [&](const Pose& pose) { return pose == track.poses.front(); };
      if (std::all_of(track.poses.begin(), track.poses.end(), same)) track.poses.resize(1);
      const auto whole = [](const Vec3& s) { return s == Vec3{1, 1, 1}; };
      if (std::all_of(track.scales.begin(), track.scales.end(), whole)) track.scales.clear();
    }
    std::vector<Aabb> boxes;
    for (const auto& [track, box] : boxes_) boxes.push_back(box);
    baked_.bounds = bounds_of(boxes);
  }

 private:
  // Places of meshes and looks, made when first seen.
  size_t find_mesh(const Shape& shape) {
    const auto [found, made] = meshes_.emplace(key_of(shape), baked_.meshes.size());
    if (!made) return found->second;
    baked_.meshes.push_back(make_mesh(shape, {options_.sides, 0}));
    baked_.shapes.push_back(shape);
    return found->second;
  }
  size_t find_look(const render::StageLook& look) {
    const auto [found, made] = looks_.emplace(key_of(look), baked_.looks.size());
    if (made) baked_.looks.push_back(look);
    return found->second;
  }

  // The track of this key and whether it is new. Earlier frames get `pose` and no size.
  std::pair<size_t, bool> find_track(const std::string& key, const std::string& name) {
    const auto [found, made] = tracks_.emplace(key, baked_.tracks.size());
    if (made) baked_.tracks.push_back({name, kNoBody, {}, {}});
    return {found->second, made};
  }
  void set_pose(size_t place, const Pose& X, const Vec3& scale = {1, 1, 1}) {
    Track& track = baked_.tracks[place];
    if (track.poses.size() > frame_) return;
    Pose pose{X.p, normalized(X.q)};
    while (track.poses.size() < frame_) {
      track.poses.push_back(pose);
      track.scales.push_back({});
    }
    if (frame_ > 0 && dot(track.poses.back().q, pose.q) < 0) pose.q = negated(pose.q);
    track.poses.push_back(pose);
    track.scales.push_back(scale);
  }
  // What is not on the stage stays where it was, without size.
  void fill_gaps() {
    for (Track& track : baked_.tracks) {
      if (track.poses.size() > frame_) continue;
      track.poses.push_back(track.poses.back());
      track.scales.push_back({});
    }
  }

  std::string numbered(const std::string& group) {
    return group + "#" + std::to_string(ordinals_[group]++);
  }

  void add_body(const StageSolid& solid, const Pose& X_WB) {
    const std::string body = "b" + std::to_string(solid.body);
    const auto [track, made] = find_track(body, solid.name);
    baked_.tracks[track].body = solid.body;
    const Pose X{X_WB.p, normalized(X_WB.q)};
    set_pose(track, X);
    if (pieces_.insert({numbered(body), 0}).second)
      baked_.pieces.push_back({track,
                               find_mesh(solid.shape),
                               find_look(solid.look),
                               {rotate(conjugate(X.q), solid.X_WS.p - X.p),
                                normalized(conjugate(X.q) * solid.X_WS.q)}});
    if (kind(solid.shape) != ShapeKind::kPlane)
      grow(track, solid.X_WS.p, bounding_radius(solid.shape));
  }

  // Cylinders of dampers and rods: as long as they were at first, then stretched.
  void add_link_solid(const StageSolid& solid) {
    const std::string key = numbered("l" + solid.name);
    const auto [track, made] = find_track(key, solid.name);
    const auto* cylinder = std::get_if<Cylinder>(&solid.shape);
    if (made) {
      baked_.pieces.push_back({track, find_mesh(solid.shape), find_look(solid.look), {}});
      lengths_[track] = cylinder != nullptr ? cylinder->half_height : 1;
    }
    const double stretch = cylinder != nullptr ? cylinder->half_height / lengths_[track] : 1;
    const Vec3 y = rotate(solid.X_WS.q, {0, 1, 0});
    set_pose(track, {solid.X_WS.p, carried(track, y)}, {1, stretch, 1});
    grow(track, solid.X_WS.p, bounding_radius(solid.shape));
  }

  // The orientation with y along a direction that turns least from the one before.
  Quat carried(size_t track, const Vec3& y) {
    const std::vector<Pose>& poses = baked_.tracks[track].poses;
    const Quat before = poses.empty() ? Quat{} : poses.back().q;
    return normalized(turn(rotate(before, {0, 1, 0}), y) * before);
  }

  void add_tube(const StageTube& tube, const std::vector<StageLink>& links) {
    const auto link = std::find_if(links.begin(), links.end(),
                                   [&](const StageLink& l) { return l.name == tube.name; });
    const bool coil = link != links.end() && link->type != scene::ConnectionType::kRope;
    if (coil) {
      add_coil(tube);
    } else {
      add_rope(tube);
    }
  }

  // The mesh is the coil as first seen, in a frame with y from its begin to its end.
  void add_coil(const StageTube& tube) {
    const Vec3 from = tube.points_W.front(), d = tube.points_W.back() - from;
    const double length = norm(d);
    if (!(length > 0)) return;
    const Vec3 y = d / length;
    const auto [track, made] = find_track(numbered("t" + tube.name), tube.name);
    const Quat q = carried(track, y);
    if (made) {
      std::vector<Vec3> line;
      for (const Vec3& p : tube.points_W) line.push_back(rotate(conjugate(q), p - from));
      baked_.pieces.push_back({track, baked_.meshes.size(), find_look(tube.look), {}});
      baked_.meshes.push_back(make_tube(line, tube.radius));
      baked_.shapes.push_back(Sphere{0});
      lengths_[track] = length;
    }
    set_pose(track, {from, q}, {1, length / lengths_[track], 1});
    for (const Vec3& p : tube.points_W) grow(track, p, tube.radius);
  }

  void add_rope(const StageTube& tube) {
    for (size_t i = 0; i + 1 < tube.points_W.size(); ++i) {
      const Vec3 &a = tube.points_W[i], &b = tube.points_W[i + 1];
      const double length = norm(b - a);
      const auto [track, made] = find_track(numbered("t" + tube.name), tube.name);
      if (made) {
        lengths_[track] = std::max(length, 2 * tube.radius);
        baked_.pieces.push_back({track,
                                 find_mesh(Cylinder{tube.radius, 0.5 * lengths_[track]}),
                                 find_look(tube.look),
                                 {}});
      }
      const Vec3 y = normalized(b - a, {0, 1, 0});
      set_pose(track, {0.5 * (a + b), carried(track, y)}, {1, length / lengths_[track], 1});
      grow(track, 0.5 * (a + b), 0.5 * length);
    }
  }

  void add_camera(const render::StageCamera& camera, size_t place) {
    const auto [track, made] = find_track("c" + std::to_string(place), camera.name);
    if (made) baked_.cameras.push_back({track, camera.fov_rad, camera.focus_m});
    const Mat3 R = Mat3::from_columns(camera.right_W, camera.up_W, -camera.forward_W);
    set_pose(track, {camera.p_WE, to_quat(R)});
  }

  void grow(size_t track, const Vec3& p, double radius) {
    const Vec3 r{radius, radius, radius};
    const Aabb ball{p - r, p + r};
    const auto [found, made] = boxes_.emplace(track, ball);
    if (!made) found->second = merge(found->second, ball);
  }

  Baked& baked_;
  const BakeOptions& options_;
  size_t frame_ = 0;
  std::map<std::string, size_t> meshes_, looks_, tracks_, ordinals_;
  std::map<std::string, int> pieces_;
  std::map<size_t, double> lengths_;  // m, of stretched tracks as their mesh has it
  std::map<size_t, Aabb> boxes_;      // of tracks, over all frames; planes are not among them
};

// Planes are squares that reach far beyond everything; made last, when that is known.
void size_planes(Baked& baked) {
  const double size = norm(baked.bounds.hi - baked.bounds.lo) + norm(center(baked.bounds));
  for (size_t i = 0; i < baked.shapes.size(); ++i)
    if (kind(baked.shapes[i]) == ShapeKind::kPlane)
      baked.meshes[i] = make_mesh(baked.shapes[i], {32, 4 * size});
}

// Times of the frames of the source's range: every n-th, and the last one.
Result<std::vector<double>> find_key_times(RecordingReader& reader,
                                           const render::StageSource& source, uint64_t every) {
  const auto first = reader.find_frame(source.first_time());
  if (!first) return first.error();
  const auto last = reader.find_frame(source.last_time());
  if (!last) return last.error();
  // the frame before the range shows another time
  RecordedFrame frame;
  uint64_t begin = *first;
  if (Status read = reader.read_frame(begin, frame); !read) return read.error();
  if (frame.time < source.first_time() - 0.5e-9 && begin < *last) ++begin;
  std::vector<double> times;
  for (uint64_t i = begin;; i = std::min(i + every, *last)) {
    if (Status read = reader.read_frame(i, frame); !read) return read.error();
    times.push_back(frame.time);
    if (i >= *last) return times;
  }
}

// Into how many parts the time between two frames is cut so that straight lines miss the motion by
// no more than a five-thousandth of the scene: the miss shrinks with their square.
Result<int> count_parts(render::StageSource& source, const std::vector<double>& times) {
  const size_t count = std::min(times.size() - 1, kProbes);
  double miss = 0;
  for (size_t k = 0; k < count; ++k) {
    const size_t i = k * (times.size() - 1) / count;
    const auto a = source.at(times[i]), b = source.at(times[i + 1]),
               m = source.at(0.5 * (times[i] + times[i + 1]));
    for (const auto* stage : {&a, &b, &m})
      if (!*stage) return stage->error();
    for (const StageSolid& solid : m->solids) {
      if (solid.role != Role::kBody) continue;
      const Vec3 chord = 0.5 * (a->poses[solid.body].p + b->poses[solid.body].p);
      const double apart = norm(m->poses[solid.body].p - chord);
      if (std::isfinite(apart)) miss = std::max(miss, apart);
    }
  }
  const double parts = std::ceil(std::sqrt(miss / (2e-4 * source.extent())));
  return static_cast<int>(std::clamp(parts, 1.0, kMostParts));
}

}  // namespace

Result<Baked> bake(RecordingReader& reader, const BakeOptions& options) {
  if (options.every == 0)
    return Error{.message = "every 0th frame makes no sense", .accepted = "1 or more"};
  render::StageOptions stage_options;
  stage_options.from_s = options.from_s;
  stage_options.to_s = options.to_s;
  stage_options.camera = options.camera;
  auto source = render::StageSource::open(reader, stage_options);
  if (!source) return source.error();
  BakeOptions sane = options;
  const size_t bodies = reader.run().body_names.size();
  if (sane.sides == 0) sane.sides = bodies > 1500 ? 12 : bodies > 400 ? 20 : 32;
  Baked baked;
  if (const auto scene = reader.scene()) {
    baked.source = scene->name;
    baked.title = scene->title.empty() ? scene->name : scene->title;
  }
  baked.version = reader.run().version;
  Baker baker(baked, sane);
  const auto times = find_key_times(reader, *source, options.every);
  if (!times) return times.error();
  const auto parts = options.every == 1 ? count_parts(*source, *times) : Result<int>(1);
  if (!parts) return parts.error();
  for (size_t i = 0; i < times->size(); ++i) {
    const double t = (*times)[i];
    for (int k = 0; k < *parts && (k == 0 || i + 1 < times->size()); ++k) {
      const double share = static_cast<double>(k) / *parts;
      auto stage = source->at(k == 0 ? t : t + share * ((*times)[i + 1] - t));
      if (!stage) return stage.error();
      if (k == 0) stage->time = t;
      if (baked.times.empty()) {
        baked.lights = stage->lights;
        baked.exposure = render::find_exposure(stage->lights, render::find_subject(*stage, {}));
      }
      baked.shots.push_back(stage->camera);
      baker.add_frame(*stage);
    }
  }
  baker.finish();
  size_planes(baked);
  return baked;
}

}  // namespace tenon::exports
