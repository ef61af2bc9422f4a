#include "tenon/scene/model/segments.h"

#include <cmath>
#include <optional>
#include <span>

namespace tenon::scene::model {
namespace {

constexpr double kRight = 1e-9;  // cosine or length below which directions are at right angles

bool slides(const Dof& d) { return d.kind == DofKind::kSlide; }
bool turns(const Dof& d) { return d.kind == DofKind::kHinge; }
bool at_right_angles(const Dof& a, const Dof& b) { return std::fabs(dot(a.axis, b.axis)) < kRight; }

// x and y as given, z to the right of them.
Pose frame(const Vec3& x, const Vec3& y, const Vec3& at) {
  return {at, to_quat(Mat3::from_columns(x, y, cross(x, y)))};
}

double sign_of(const Vec3& a, const Vec3& b) { return dot(a, b) < 0 ? -1 : 1; }

using FoundSegment = std::optional<Segment>;

FoundSegment find_three(std::span<const Dof> d) {
  if (d.size() < 3 || !slides(d[0]) || !slides(d[1]) || !at_right_angles(d[0], d[1]) ||
      !at_right_angles(d[0], d[2]) || !at_right_angles(d[1], d[2])) {
    return std::nullopt;
  }
  Segment s;
  s.count = 3;
  if (slides(d[2])) {
    s.type = JointType::kSlider3;
    s.X_LF = frame(d[0].axis, d[1].axis, {});
    s.axes = {{{JointAxis::kX, 1},
               {JointAxis::kY, 1},
               {JointAxis::kZ, sign_of(cross(d[0].axis, d[1].axis), d[2].axis)}}};
    return s;
  }
  if (!turns(d[2])) return std::nullopt;
  s.type = JointType::kPlanarTwist;
  s.X_LF = frame(d[2].axis, d[0].axis, d[2].anchor);
  s.axes = {{{JointAxis::kY, 1},
             {JointAxis::kZ, sign_of(cross(d[2].axis, d[0].axis), d[1].axis)},
             {JointAxis::kRx, 1}}};
  return s;
}

FoundSegment find_two(std::span<const Dof> d) {
  if (d.size() < 2) return std::nullopt;
  const Dof &a = d[0], &b = d[1];
  Segment s;
  s.count = 2;
  if (slides(a) && slides(b) && at_right_angles(a, b)) {
    s.type = JointType::kSlider2;
    s.X_LF = frame(a.axis, b.axis, {});
    s.axes = {{{JointAxis::kX, 1}, {JointAxis::kY, 1}, {}}};
    return s;
  }
  const bool along = norm(cross(a.axis, b.axis)) < kRight;
  if (((slides(a) && turns(b)) || (turns(a) && slides(b))) && along) {
    const Dof& hinge = turns(a) ? a : b;
    const double second = sign_of(a.axis, b.axis);
    s.type = JointType::kCylindrical;
    s.X_LF = {hinge.anchor, x_to(a.axis)};
    s.axes = {{{slides(a) ? JointAxis::kX : JointAxis::kRx, 1},
               {slides(b) ? JointAxis::kX : JointAxis::kRx, second},
               {}}};
    return s;
  }
  // the two lines must meet: their distance is along both normals
  const Vec3 between = b.anchor - a.anchor;
  const bool meet = std::fabs(dot(between, cross(a.axis, b.axis))) < kRight;
  if (turns(a) && turns(b) && at_right_angles(a, b) && meet) {
    s.type = JointType::kUniversal;
    s.X_LF = frame(a.axis, b.axis, a.anchor + dot(between, a.axis) * a.axis);
    s.axes = {{{JointAxis::kRx, 1}, {JointAxis::kRy, 1}, {}}};
    return s;
  }
  return std::nullopt;
}

Segment find_one(const Dof& d) {
  Segment s;
  s.X_LF = {d.anchor, x_to(d.axis)};
  if (d.kind == DofKind::kHinge) s.axes[0] = {JointAxis::kRx, 1};
  if (d.kind == DofKind::kSlide) {
    s.type = JointType::kSlider;
    s.axes[0] = {JointAxis::kX, 1};
  }
  if (d.kind == DofKind::kBall) s.type = JointType::kPoint;
  return s;
}

}  // namespace

std::vector<Segment> find_segments(const std::vector<Dof>& dofs) {
  std::vector<Segment> segments;
  for (size_t at = 0; at < dofs.size();) {
    if (dofs[at].kind == DofKind::kFree) {
      ++at;
      continue;
    }
    const std::span<const Dof> rest(dofs.data() + at, dofs.size() - at);
    FoundSegment found = find_three(rest);
    if (!found) found = find_two(rest);
    if (!found) found = find_one(rest.front());
    found->begin = at;
    at += found->count;
    segments.push_back(*found);
  }
  return segments;
}

}  // namespace tenon::scene::model
