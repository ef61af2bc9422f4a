// The bodies of a figure.
#include <algorithm>
#include <cmath>

#include "tenon/scene/bvh/detail/parts.h"
#include "tenon/scene/bvh/figure.h"

namespace tenon::scene::bvh {
namespace {

constexpr double kUsualHeight = 1.75;  // m
constexpr double kNoLength = 1e-4;     // of the height: shorter bones have no body of their own
constexpr double kSmallBody = 0.012;   // of the height: radius of a node without bones
constexpr double kLeastMass = 1e-3;    // of the figure's: a finger is no feather

double vertical_extent(const MotionFile& motion) {
  const std::vector<Pose> rest = rest_poses(motion);
  Vec3 lo = rest[0].p, hi = rest[0].p;
  const auto add = [&](const Vec3& p) {
    lo = cwise_min(lo, p);
    hi = cwise_max(hi, p);
  };
  for (size_t i = 0; i < rest.size(); ++i) {
    add(rest[i].p);
    for (const Vec3& tip : motion.nodes[i].end_sites) add((rest[i] * Pose{tip, {}}).p);
  }
  // a skeleton that lies down is as tall as it is long
  const Vec3 extent = hi - lo;
  return extent.y >= 0.5 * max_component(extent) ? extent.y : max_component(extent);
}

Result<double> find_scale(const MotionFile& motion, const FigureOptions& options, double extent) {
  if (options.height && options.scale) {
    return Error{.message = "both a height and a scale are given", .accepted = "one of the two"};
  }
  const double asked = options.scale ? *options.scale : options.height.value_or(kUsualHeight);
  if (!(asked >= 1e-6) || !(asked <= 1e6)) {
    return Error{.message = options.scale ? "the scale is out of range"
                                          : "the height of the figure is out of range",
                 .value = std::to_string(asked),
                 .accepted = options.scale ? "1e-6 to 1e6 metres per unit of the file"
                                           : "1e-6 to 1e6 metres"};
  }
  if (!(extent > 1e-9)) {
    return Error{.message = "the skeleton has no extent: all offsets are zero",
                 .line = motion.nodes[0].place.line,
                 .column = motion.nodes[0].place.column,
                 .value = motion.nodes[0].name,
                 .accepted = "a tree with offsets"};
  }
  return options.scale ? asked : asked / extent;
}

bool rotates(const Node& node) {
  return std::any_of(node.channels.begin(), node.channels.end(), is_rotation);
}

bool never_turns(const MotionFile& motion, size_t node) {
  const Quat first = local_pose(motion, node, 0).q;
  for (size_t frame = 1; frame < motion.frames; ++frame) {
    const Quat q = local_pose(motion, node, frame).q;
    if (norm(log_map(q * conjugate(first))) > 1e-6) return false;
  }
  return true;
}

bool is_merged(const MotionFile& motion, size_t node, double no_length) {
  const Node& n = motion.nodes[node];
  if (n.parent == kNoParent) return false;
  const bool slides = n.channels.size() > 0 && !is_rotation(n.channels[0]);
  if (slides) return false;
  return !rotates(n) || (norm(n.offset) <= no_length && never_turns(motion, node));
}

double volume(const Segment& s) {
  const double r = s.radius;
  return kPi * r * r * norm(s.to - s.from) + 4.0 / 3 * kPi * r * r * r;
}

class Bones {
 public:
  Bones(const MotionFile& motion, Figure& figure) : motion_(motion), figure_(figure) {
    no_length_ = kNoLength * figure.height_m;
  }

  void make() {
    make_bodies();
    for (FigureBody& body : figure_.bodies) add_segments(body);
    find_thickness();
  }
  void share_mass(double mass) {
    double sum = 0, shared = 0;
    for (const FigureBody& body : figure_.bodies) sum += volume_of(body);
    for (FigureBody& body : figure_.bodies) {
      body.mass = std::max(volume_of(body) / sum, kLeastMass);
      shared += body.mass;
    }
    for (FigureBody& body : figure_.bodies) body.mass *= mass / shared;
  }

 private:
  const MotionFile& motion_;
  Figure& figure_;
  std::vector<Pose> in_body_;  // by node, in the frame of its body, m
  double no_length_ = 0;

  static double volume_of(const FigureBody& body) {
    double sum = 0;
    for (const Segment& s : body.segments) sum += volume(s);
    return sum;
  }

  void make_bodies() {
    const size_t count = motion_.nodes.size();
    figure_.body_of.assign(count, 0);
    in_body_.assign(count, {});
    for (size_t i = 0; i < count; ++i) {
      const int parent = motion_.nodes[i].parent;
      if (is_merged(motion_, i, no_length_ / figure_.scale)) {
        const auto p = static_cast<size_t>(parent);
        Pose local = local_pose(motion_, i, 0);
        local.p *= figure_.scale;
        figure_.body_of[i] = figure_.body_of[p];
        in_body_[i] = in_body_[p] * local;
        figure_.bodies[figure_.body_of[i]].merged.push_back(i);
        continue;
      }
      figure_.body_of[i] = figure_.bodies.size();
      if (parent != kNoParent) add_joint(i, static_cast<size_t>(parent));
      figure_.bodies.emplace_back();
      figure_.bodies.back().node = i;
    }
  }

  // Where the file puts the node on its parent: it may slide there, the joint does not.
  void add_joint(size_t node, size_t parent) {
    Vec3 sum;
    for (size_t f = 0; f < motion_.frames; ++f) sum += local_pose(motion_, node, f).p;
    const Vec3 mean = sum / static_cast<double>(motion_.frames);
    double stretch = 0;
    for (size_t f = 0; f < motion_.frames; ++f) {
      stretch = std::max(stretch, norm(local_pose(motion_, node, f).p - mean));
    }
    FigureJoint joint;
    joint.parent = figure_.body_of[parent];
    joint.child = figure_.body_of[node];
    joint.anchor_P = (in_body_[parent] * Pose{figure_.scale * mean, {}}).p;
    joint.stretch_m = figure_.scale * stretch;
    figure_.joints.push_back(joint);
  }

  void add_segment(FigureBody& body, size_t node, const Vec3& tip) {
    const Pose& X = in_body_[node];
    const Vec3 to = (X * Pose{figure_.scale * tip, {}}).p;
    if (norm(to - X.p) > no_length_) body.segments.push_back({X.p, to, 0});
  }

  void add_segments(FigureBody& body) {
    std::vector<size_t> nodes{body.node};
    nodes.insert(nodes.end(), body.merged.begin(), body.merged.end());
    std::vector<std::string> children;
    for (const size_t node : nodes) {
      for (const Vec3& tip : motion_.nodes[node].end_sites) add_segment(body, node, tip);
      for (size_t i = node + 1; i < motion_.nodes.size(); ++i) {
        if (motion_.nodes[i].parent != static_cast<int>(node)) continue;
        children.push_back(motion_.nodes[i].name);
        add_segment(body, node, motion_.nodes[i].offset);
      }
    }
    const Node& node = motion_.nodes[body.node];
    body.limb = find_limb(node.name, children, node.parent == kNoParent);
    Vec3 sum;
    for (const Segment& s : body.segments) sum += s.to - s.from;
    if (!(norm(sum) > no_length_)) sum = figure_.scale * node.offset;
    body.direction = normalized(norm(sum) > no_length_ ? sum : Vec3{0, 1, 0}, {0, 1, 0});
  }

  void find_thickness() {
    const double H = figure_.height_m;
    for (FigureBody& body : figure_.bodies) {
      const LimbShape shape = limb_shape(body.limb);
      for (Segment& s : body.segments) {
        const double length = norm(s.to - s.from);
        const double usual = shape.radius > 0 ? shape.radius * H : 0.2 * length;
        s.radius = std::clamp(usual, 0.004 * H, std::max(0.6 * length, 0.005 * H));
      }
      if (!body.segments.empty()) continue;
      const double small = shape.radius > 0 ? shape.radius * H : kSmallBody * H;
      body.segments.push_back({{}, {}, small});
    }
  }
};

}  // namespace

Result<Figure> make_figure(const MotionFile& motion, const FigureOptions& options) {
  const double extent = vertical_extent(motion);
  const Result<double> scale = find_scale(motion, options, extent);
  if (!scale) return scale.error();
  if (!(options.mass >= 1e-6) || !(options.mass <= 1e9)) {
    return Error{.message = "the mass of the figure is out of range",
                 .value = std::to_string(options.mass),
                 .accepted = "1e-6 to 1e9 kg"};
  }
  Figure figure;
  figure.scale = *scale;
  figure.height_m = *scale * extent;
  Bones bones(motion, figure);
  bones.make();
  bones.share_mass(options.mass);
  fit_joints(motion, figure);
  return figure;
}

std::vector<Pose> body_poses_at(const MotionFile& motion, const Figure& figure, double time) {
  const std::vector<Pose> nodes = poses_at(motion, time);
  std::vector<Pose> bodies;
  for (const FigureBody& body : figure.bodies) {
    bodies.push_back({figure.scale * nodes[body.node].p, nodes[body.node].q});
  }
  return bodies;
}

}  // namespace tenon::scene::bvh
