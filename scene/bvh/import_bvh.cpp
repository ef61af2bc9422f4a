#include "tenon/scene/bvh/import_bvh.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tenon/scene/bvh/follow.h"

namespace tenon::scene::bvh {
namespace {

constexpr double kFall = 4;  // s: how long the scene goes on after the release

void begin_report(const MotionFile& motion, const Figure& figure, double mass, ImportReport& r) {
  r.nodes = motion.nodes.size();
  r.frames = motion.frames;
  r.frame_time = motion.frame_time;
  r.duration = motion.duration();
  r.scale = figure.scale;
  r.height_m = figure.height_m;
  r.mass_kg = mass;
  const auto name_of = [&](size_t body) { return motion.nodes[figure.bodies[body].node].name; };
  for (const FigureJoint& j : figure.joints) {
    JointFit fit{name_of(j.child), j.hinge ? "hinge" : "ball", 0, 0, j.notes};
    if (j.stretch_m > 1e-6 * figure.height_m) {
      char text[80];
      std::snprintf(text, sizeof text, "slides on its parent by %.3g m in the motion: held",
                    j.stretch_m);
      fit.notes.emplace_back(text);
    }
    r.joints.push_back(std::move(fit));
  }
  for (size_t b = 0; b < figure.bodies.size(); ++b) {
    for (const size_t node : figure.bodies[b].merged) {
      r.merged.push_back(motion.nodes[node].name + " into " + name_of(b));
    }
  }
}

// While the figure still moves: the ends of smooth key frames are at rest.
double default_release(const Follower& follower, double step) {
  if (follower.times.size() < 2) return follower.times.front();
  const double before = follower.times[follower.times.size() - 2];
  return step * std::floor(before / step * (1 + 1e-12));
}

size_t key_before(const Follower& follower, double time) {
  const auto after = std::upper_bound(follower.times.begin(), follower.times.end(), time + 1e-9);
  return after == follower.times.begin() ? 0
                                         : static_cast<size_t>(after - follower.times.begin()) - 1;
}

void add_keys(const Follower& follower, const ImportOptions& options, std::optional<double> release,
              Document& d) {
  for (size_t b = 0; b < d.bodies.size(); ++b) {
    Body& body = d.bodies[b];
    body.motion = Motion::kKinematic;
    body.position = follower.poses[0][b].p;
    body.orientation = follower.poses[0][b].q;
    for (size_t k = 0; k < follower.times.size(); ++k) {
      Keyframe key;
      key.t = follower.times[k];
      key.position = follower.poses[k][b].p;
      key.orientation = follower.poses[k][b].q;
      body.keyframes.push_back(key);
    }
    body.release = release;
    if (options.follow_only) body.mass.reset();
  }
  if (options.follow_only) d.joints.clear();
}

// Every body is a group of its own, so that pairs can be told apart.
void add_groups(const std::vector<std::pair<size_t, size_t>>& apart, Document& d) {
  const size_t bodies = d.bodies.size();
  for (size_t b = 0; b < bodies; ++b) {
    Group group;
    group.name = d.bodies[b].name;
    d.groups.push_back(std::move(group));
    d.bodies[b].groups = {d.bodies[b].name};
  }
  for (const auto& [a, b] : apart) d.bodies[b].ignores.push_back(d.bodies[a].name);
}

void add_floor(Document& d) {
  Body floor;
  floor.name = "floor";
  while (find_body(d, floor.name) != nullptr) floor.name += "_";
  floor.shape = PlaneShape{};
  floor.motion = Motion::kStatic;
  floor.material = "stone";
  d.bodies.push_back(std::move(floor));
}

std::string base_name(std::string_view file) {
  const size_t slash = file.find_last_of("/\\");
  std::string name(slash == std::string_view::npos ? file : file.substr(slash + 1));
  return name.substr(0, name.rfind('.'));
}

void describe(const ImportReport& r, std::string_view file, Document& d) {
  d.title = "Figure from " + base_name(file);
  d.description = "A figure of " + std::to_string(d.bodies.size()) + " bodies follows " +
                  std::to_string(r.frames) + " frames of recorded motion";
  d.description += r.release ? " and is then released." : ".";
  d.tags = {"figure", "bvh"};
  d.world.duration = r.release ? *r.release + kFall : std::max(r.duration, d.world.step);
}

Status check_options(const ImportOptions& options) {
  if (!options.release) return Ok{};
  if (options.follow_only) {
    return Error{.message = "the figure is to be released and never to be released",
                 .accepted = "one of the two"};
  }
  if (!(*options.release >= 0) || !(*options.release <= 1e6)) {
    return Error{.message = "the time of release is out of range",
                 .value = std::to_string(*options.release) + " s",
                 .accepted = "0 to 1e6 seconds"};
  }
  return Ok{};
}

Error in_file(Error error, std::string_view file) {
  error.file = std::string(file);
  return error;
}

}  // namespace

Result<Imported> import_motion(std::string_view text, std::string_view file,
                               const ImportOptions& options) {
  if (Status s = check_options(options); !s) return s.error();
  const Result<MotionFile> motion = parse(text, file);
  if (!motion) return motion.error();
  const Result<Figure> figure = make_figure(*motion, options.figure);
  if (!figure) return in_file(figure.error(), file);
  Imported out;
  begin_report(*motion, *figure, options.figure.mass, out.report);
  Document& d = out.document = make_document(*motion, *figure);
  KeyTimes keys{options.fps, {}};
  // the step that releases the figure is the first that begins then or later
  if (options.release) keys.also = d.world.step * std::ceil(*options.release / d.world.step - 1e-9);
  Result<Follower> follower = follow(*motion, *figure, d, keys, out.report);
  if (!follower) return in_file(follower.error(), file);
  if (!options.follow_only) {
    out.report.release = options.release.value_or(default_release(*follower, d.world.step));
  }
  if (options.floor) {
    const double lowest = find_lowest(*figure, follower->poses);
    for (std::vector<Pose>& poses : follower->poses) {
      for (Pose& pose : poses) pose.p.y -= lowest;
    }
  }
  const std::vector<Pose>& end =
      follower->poses[key_before(*follower, out.report.release.value_or(0))];
  add_groups(find_apart(*figure, {end}), d);
  add_keys(*follower, options, out.report.release, d);
  if (options.floor) add_floor(d);
  d.source.name = std::string(file);
  describe(out.report, file, d);
  return out;
}

std::string format(const ImportReport& r) {
  std::string text;
  char line[256];
  const auto add = [&](auto... args) {
    std::snprintf(line, sizeof line, args...);
    text += line;
  };
  size_t hinges = 0;
  for (const JointFit& j : r.joints) hinges += j.type == "hinge";
  add("  file: %zu joints, %zu frames of %.6g s (%.4g s)\n", r.nodes, r.frames, r.frame_time,
      r.duration);
  add("  figure: %zu bodies, %zu joints, %zu of them hinges; %.4g m tall (%.6g m per unit), "
      "%.4g kg\n",
      r.joints.size() + 1, r.joints.size(), hinges, r.height_m, r.scale, r.mass_kg);
  for (const std::string& merged : r.merged) text += "  part of its parent: " + merged + "\n";
  add("  key frames: %zu; joints hold to %.2g m (%.2g of body size) and %.2g rad in each\n", r.keys,
      r.gap_m, r.gap_rel, r.angle_rad);
  add("  off the motion by %.2g m at most", r.moved_m);
  text += r.moved.empty() ? "" : " (" + r.moved + ")";
  add("; between key frames joints open by up to %.2g m\n", r.between_m);
  for (const JointFit& j : r.joints) {
    for (const std::string& note : j.notes) text += "  " + j.name + ": " + note + "\n";
  }
  if (r.release) {
    add("  released at %.6g s\n", *r.release);
  } else {
    text += "  never released, so without joints\n";
  }
  return text;
}

}  // namespace tenon::scene::bvh
