#include "tenon/render/detail/cameras.h"

#include <algorithm>
#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/render/detail/poses.h"
#include "tenon/render/detail/view.h"

namespace tenon::render {
namespace {

constexpr uint64_t kTrackFrames = 20000;
constexpr int kSmoothSamples = 16;  // to either side

// The part of a rotation that is about the vertical.
Quat turn_about_vertical(const Quat& q) {
  const double n = std::sqrt(q.w * q.w + q.y * q.y);
  // upside down: no heading is better than another
  return n > 1e-9 ? Quat{q.w / n, 0, q.y / n, 0} : Quat{};
}

// Catmull-Rom through the keys, with slopes for uneven times: value and velocity are continuous.
Vec3 smooth_path(const std::vector<double>& t, const std::vector<Vec3>& p, double at) {
  if (at <= t.front()) return p.front();
  if (at >= t.back()) return p.back();
  const auto i = static_cast<size_t>(std::upper_bound(t.begin(), t.end(), at) - t.begin()) - 1;
  const double h = t[i + 1] - t[i], s = (at - t[i]) / h;
  const auto slope = [&](size_t k) {
    if (k == 0 || k + 1 == t.size()) return Vec3{};  // starts and ends at rest
    return (p[k + 1] - p[k - 1]) / (t[k + 1] - t[k - 1]);
  };
  const double s2 = s * s, s3 = s2 * s;
  return (2 * s3 - 3 * s2 + 1) * p[i] + ((s3 - 2 * s2 + s) * h) * slope(i) +
         (3 * s2 - 2 * s3) * p[i + 1] + ((s3 - s2) * h) * slope(i + 1);
}

struct Sight {
  Vec3 position, look_at, up;
  double fov;
};

Sight follow_path(const scene::Camera& camera, double t) {
  std::vector<double> times;
  std::vector<Vec3> positions, points, fovs;
  for (const scene::CameraKey& key : camera.keyframes) {
    times.push_back(key.t);
    positions.push_back(key.position.value_or(camera.position));
    points.push_back(key.look_at.value_or(camera.look_at));
    fovs.push_back({key.fov.value_or(camera.fov), 0, 0});
  }
  return {smooth_path(times, positions, t), smooth_path(times, points, t), camera.up,
          smooth_path(times, fovs, t).x};
}

Sight mount(const scene::Camera& camera, const Pose& X_WB) {
  const Quat q = camera.horizon ? turn_about_vertical(X_WB.q) : X_WB.q;
  return {X_WB.p + rotate(q, camera.position), X_WB.p + rotate(q, camera.look_at),
          camera.horizon ? Vec3{0, 1, 0} : rotate(q, camera.up), camera.fov};
}

StageCamera to_stage(const std::string& name, const Sight& sight) {
  scene::Camera plain;
  plain.position = sight.position;
  plain.look_at = sight.look_at;
  plain.up = sight.up;
  plain.fov = sight.fov;
  const View view = make_view(plain, 16, 9);
  StageCamera made;
  made.name = name;
  made.p_WE = view.p_WE;
  made.right_W = view.right_W;
  made.up_W = view.up_W;
  made.forward_W = view.forward_W;
  made.fov_rad = sight.fov;
  made.focus_m = std::max(norm(sight.look_at - sight.position), 1e-9);
  return made;
}

}  // namespace

Quat interpolate(const Quat& a, Quat b, double s) {
  double c = dot(a, b);
  if (c < 0) {
    b = {-b.w, -b.x, -b.y, -b.z};
    c = -c;
  }
  // nearly the same: along the chord
  double wa = 1 - s, wb = s;
  if (c < 0.9995) {
    const double angle = acos(c);
    wa = sin((1 - s) * angle) / sin(angle);
    wb = sin(s * angle) / sin(angle);
  }
  return normalized(
      Quat{wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z});
}

Result<BodyTracks> BodyTracks::read(RecordingReader& reader, const scene::Document& flat,
                                    double from_s, double to_s) {
  BodyTracks tracks;
  const std::vector<std::string>& names = reader.run().body_names;
  for (const scene::Camera& camera : flat.cameras) {
    const auto found = std::find(names.begin(), names.end(), camera.body.name);
    if (camera.body.name.empty() || found == names.end()) continue;
    const auto place = static_cast<uint32_t>(found - names.begin());
    tracks.bodies_[camera.body.name] = place;
    tracks.poses_[place];
  }
  RecordedFrame frame;
  if (const Status read = reader.read_frame(0, frame); !read) return read.error();
  tracks.run_begin_ = frame.time;
  if (tracks.bodies_.empty()) return tracks;
  for (const auto& [body, poses] : tracks.poses_) {
    const bool there = body < frame.bodies.size() && drawable(frame.bodies[body].X_WB);
    tracks.begin_[body] = there ? frame.bodies[body].X_WB : Pose{};
  }
  double margin = 0;
  for (const scene::Camera& camera : flat.cameras) margin = std::max(margin, camera.smoothing);
  const bool whole = reader.read_frame(reader.frame_count() - 1, frame).ok();
  tracks.run_end_ = whole ? frame.time : to_s;
  const Result<uint64_t> begin = reader.find_frame(from_s - margin),
                         end = reader.find_frame(to_s + margin);
  if (!begin) return begin.error();
  if (!end) return end.error();
  // one more at the end, so that times between two frames have both
  const uint64_t last = std::min(*end + 1, reader.frame_count() - 1), span = last - *begin;
  const uint64_t count = std::min(span + 1, kTrackFrames);
  for (uint64_t k = 0; k < count; ++k) {
    const uint64_t index = *begin + (count > 1 ? span * k / (count - 1) : 0);
    if (const Status read = reader.read_frame(index, frame); !read) {
      if (!tracks.times_.empty() && tracks.times_.back() >= to_s - 0.5e-9) break;  // beyond it
      return read.error();
    }
    tracks.times_.push_back(frame.time);
    for (auto& [body, poses] : tracks.poses_) {
      Pose X = body < frame.bodies.size() ? frame.bodies[body].X_WB : Pose{};
      // one that is lost stays where it was last
      if (!drawable(X)) X = poses.empty() ? tracks.begin_[body] : poses.back();
      poses.push_back(X);
    }
  }
  return tracks;
}

uint32_t BodyTracks::find(const std::string& name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? kNoBody : found->second;
}

Pose BodyTracks::between(uint32_t body, double t) const {
  if (t <= run_begin_) return begin_.at(body);
  const std::vector<Pose>& poses = poses_.at(body);
  const auto after = std::upper_bound(times_.begin(), times_.end(), t);
  if (after == times_.begin()) return poses.front();
  if (after == times_.end()) return poses.back();
  const auto i = static_cast<size_t>(after - times_.begin());
  const double s = (t - times_[i - 1]) / (times_[i] - times_[i - 1]);
  const Pose &a = poses[i - 1], &b = poses[i];
  return {a.p + s * (b.p - a.p), interpolate(a.q, b.q, s)};
}

Pose BodyTracks::at(uint32_t body, double t, double smoothing) const {
  if (!(smoothing > 0)) return between(body, t);
  // a tent: what is further away counts less; not beyond the run, evenly to both sides
  const double reach =
      std::min({smoothing, std::max(t - run_begin_, 0.0), std::max(run_end_ - t, 0.0)});
  Vec3 p;
  Quat q{0, 0, 0, 0};
  const Quat middle = between(body, t).q;
  double total = 0;
  for (int k = -kSmoothSamples; k <= kSmoothSamples; ++k) {
    const double s = static_cast<double>(k) / (kSmoothSamples + 1), w = 1 - std::fabs(s);
    const Pose X = between(body, t + s * reach);
    const double sign = dot(X.q, middle) < 0 ? -w : w;
    p += w * X.p;
    q = {q.w + sign * X.q.w, q.x + sign * X.q.x, q.y + sign * X.q.y, q.z + sign * X.q.z};
    total += w;
  }
  return {p / total, normalized(q)};
}

StageCamera place_camera(const scene::Camera& camera, const BodyTracks& tracks, double t,
                         std::span<const RecordedBody> now) {
  using scene::CameraType;
  const uint32_t body = camera.body.name.empty() ? kNoBody : tracks.find(camera.body.name);
  Sight sight{camera.position, camera.look_at, camera.up, camera.fov};
  const double first = tracks.run_begin();
  const auto at = [&](double when) {
    // just as the body is drawn, so that it stands still before a camera on it
    if (when == t && !(camera.smoothing > 0) && body < now.size() && drawable(now[body].X_WB))
      return now[body].X_WB;
    return tracks.at(body, when, camera.smoothing);
  };
  switch (camera.type) {
    case CameraType::kFixed:
      if (body != kNoBody) sight.look_at = at(t).p;
      break;
    case CameraType::kOrbit: {
      if (body != kNoBody) sight.look_at = at(t).p;
      const Vec3 centre = body != kNoBody ? at(first).p : camera.look_at;
      const Quat turn = from_axis_angle({0, 1, 0}, 2 * kPi * (t - first) / camera.period);
      sight.position = sight.look_at + rotate(turn, camera.position - centre);
      break;
    }
    case CameraType::kFollow:
      if (body != kNoBody) {
        sight.look_at = at(t).p;
        sight.position = camera.position + (at(t).p - at(first).p);
      }
      break;
    case CameraType::kMounted:
      if (body != kNoBody) sight = mount(camera, at(t));
      break;
    case CameraType::kPath:
      sight = follow_path(camera, t);
      break;
  }
  StageCamera made = to_stage(camera.name, sight);
  if (camera.type == CameraType::kMounted) made.carrier = body;
  return made;
}

size_t find_shot(const scene::Document& document, double t) {
  if (document.shots.empty()) return 0;
  std::string name = document.shots.front().camera.name;
  // a picture at the very time of a cut shows the new shot, also if it was rounded down
  for (const scene::Shot& shot : document.shots)
    if (t >= shot.t - 1e-9) name = shot.camera.name;
  for (size_t i = 0; i < document.cameras.size(); ++i)
    if (document.cameras[i].name == name) return i;
  return document.cameras.size();
}

}  // namespace tenon::render
