// Freedoms, poses and masses of the bodies that are written, as import_mjcf reads them.
//
// The file has each body where the scene starts, and says there what its freedoms are counted from
// (`ref`): whoever opens it sees the scene. Axes and anchors are those of the body in that pose.
#include <algorithm>
#include <cmath>

#include "tenon/scene/mjcf/export_plan.h"
#include "tenon/scene/model/import.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::mjcf {
namespace {

using model::DofKind;

constexpr double kStill = 1e-10;  // rad or m: a joint that starts so is at 0
constexpr double kOpen = 1e-4;    // rad or m: more than a scene's tolerance leaves

// A freedom of a joint: which, and whose frame has its direction.
struct FreedomOf {
  DofKind kind;
  JointAxis axis;
  enum Frame { kParent, kChild } frame;
  int column;  // of that frame: 0 x, 1 y, 2 z
};
using F = FreedomOf;

std::vector<FreedomOf> six_axis_freedoms(const Joint& joint) {
  std::vector<FreedomOf> all;
  const std::array<bool, kJointAxes> free = free_axes(joint);
  const JointAxis slides[] = {JointAxis::kX, JointAxis::kY, JointAxis::kZ};
  for (int k = 0; k < 3; ++k) {
    if (free[static_cast<size_t>(k)])
      all.push_back({DofKind::kSlide, slides[static_cast<size_t>(k)], F::kParent, k});
  }
  if (free[3] && free[4] && free[5]) {
    all.push_back({DofKind::kBall, JointAxis::kRx, F::kChild, 0});
    return all;
  }
  // the tilt of x about y or z of the parent, then the twist about it (joint_def.h)
  if (free[4]) all.push_back({DofKind::kHinge, JointAxis::kRy, F::kParent, 1});
  if (free[5])
    all.push_back({DofKind::kHinge, JointAxis::kRz, free[4] ? F::kChild : F::kParent, 2});
  if (free[3]) all.push_back({DofKind::kHinge, JointAxis::kRx, F::kChild, 0});
  return all;
}

std::vector<FreedomOf> freedoms_of(const Joint& joint) {
  const FreedomOf x{DofKind::kSlide, JointAxis::kX, F::kParent, 0};
  const FreedomOf y{DofKind::kSlide, JointAxis::kY, F::kParent, 1};
  const FreedomOf z{DofKind::kSlide, JointAxis::kZ, F::kParent, 2};
  const FreedomOf twist{DofKind::kHinge, JointAxis::kRx, F::kChild, 0};
  const FreedomOf ball{DofKind::kBall, JointAxis::kRx, F::kChild, 0};
  switch (joint.type) {
    case JointType::kPoint:
      return {ball};
    case JointType::kHinge:
    case JointType::kTwist:
      return {twist};
    case JointType::kSlider:
      return {x};
    case JointType::kSlider2:
      return {x, y};
    case JointType::kSlider3:
      return {x, y, z};
    case JointType::kPlanarTwist:
      return {y, z, twist};
    case JointType::kCylindrical:
    case JointType::kScrew:
      return {x, twist};
    case JointType::kUniversal:
      return {{DofKind::kHinge, JointAxis::kRx, F::kParent, 0},
              {DofKind::kHinge, JointAxis::kRy, F::kChild, 1}};
    case JointType::kBallInTube:
      return {x, ball};
    case JointType::kPointOnPlane:
      return {y, z, ball};
    case JointType::kSixAxis:
      return six_axis_freedoms(joint);
    default:
      return {};
  }
}

// Where a freedom is as the scene starts, by the pose of C in P (joint_def.h).
double coordinate(const FreedomOf& f, const Pose& X_PC) {
  switch (f.axis) {
    case JointAxis::kX:
      return X_PC.p.x;
    case JointAxis::kY:
      return X_PC.p.y;
    case JointAxis::kZ:
      return X_PC.p.z;
    case JointAxis::kRx:
      return 2 * atan2(X_PC.q.w < 0 ? -X_PC.q.x : X_PC.q.x, std::fabs(X_PC.q.w));
    case JointAxis::kRy:
      return 2 * atan2(X_PC.q.w < 0 ? -X_PC.q.y : X_PC.q.y, std::fabs(X_PC.q.w));
    case JointAxis::kRz:
      return 2 * atan2(X_PC.q.w < 0 ? -X_PC.q.z : X_PC.q.z, std::fabs(X_PC.q.w));
  }
  return 0;
}

// How far a joint is from holding as the scene starts, m and rad: what its freedoms do not explain.
double calc_gap(const std::vector<FreedomOf>& all, const Pose& X_PC) {
  Pose fit;
  for (const FreedomOf& f : all) {
    const double q = f.kind == DofKind::kBall ? 0 : coordinate(f, X_PC);
    Vec3 e{};
    e[f.column] = 1;
    if (f.kind == DofKind::kSlide) fit.p += q * e;
    if (f.kind == DofKind::kHinge) fit.q = fit.q * from_axis_angle(e, q);
    if (f.kind == DofKind::kBall) fit.q = X_PC.q;
  }
  return norm(fit.p - X_PC.p) + 2 * norm((conjugate(fit.q) * X_PC.q).vec());
}

Vec3 column(const Quat& q, int k) {
  return rotate(q, k == 0 ? Vec3{1, 0, 0} : k == 1 ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
}

class LinkPlanner {
 public:
  explicit LinkPlanner(Export& e) : e_(e) {}

  void plan(OutLink& out) {
    const Body& body = *out.body;
    out.link.name = body.name;
    out.link.parent = out.parent;
    out.link.kinematic = body.motion == Motion::kKinematic;
    out.link.gravity = body.gravity;
    start_ = model_pose(body);
    still_ = true;
    open_ = false;
    for (const Joint* joint : out.chain) add_joint(*joint, out);
    place(out);
    out.still = still_ && !out.turned;
  }

 private:
  // z up, as the file has it
  static Pose model_pose(const Body& body) {
    return {model::from_scene(body.position),
            normalized(conjugate(model::kUpFromZ) * body.orientation)};
  }
  static Pose from_scene(const Pose& X) {
    return {model::from_scene(X.p), normalized(conjugate(model::kUpFromZ) * X.q)};
  }
  void add_joint(const Joint& joint, OutLink& out);
  void name_dofs(const Joint& joint, size_t first, OutLink& out);
  void place(OutLink& out);

  Export& e_;
  Pose start_;
  bool still_ = true;  // all joints of the link are at 0
  bool open_ = false;  // one of them does not hold yet
  std::set<std::string> names_;
};

// "a+b" are the names of two freedoms that an import made one joint of.
void LinkPlanner::name_dofs(const Joint& joint, size_t first, OutLink& out) {
  const size_t count = out.link.dofs.size() - first;
  std::vector<std::string> names;
  for (size_t at = 0; at != std::string::npos;) {
    const size_t plus = joint.name.find('+', at);
    names.push_back(joint.name.substr(at, plus == std::string::npos ? plus : plus - at));
    at = plus == std::string::npos ? plus : plus + 1;
  }
  for (size_t k = 0; k < count; ++k) {
    std::string name = joint.name;
    if (count > 1) name = names.size() == count ? names[k] : name + "_" + std::to_string(k + 1);
    out.link.dofs[first + k].name = model::make_name(name, names_);
  }
}

void LinkPlanner::add_joint(const Joint& joint, OutLink& out) {
  const StartFrames f = find_frames(e_.plan, joint);
  const Pose X_PC = inverse(f.X_WP) * f.X_WC;
  std::vector<FreedomOf> all = freedoms_of(joint);
  const size_t first = out.link.dofs.size();
  const double gap = calc_gap(all, X_PC);
  if (gap > kOpen) {
    open_ = true;
    e_.warn(joint.place,
            "the joint is open as the scene starts; the body is written where it holds",
            joint.name);
  }
  if (out.turned) std::reverse(all.begin(), all.end());
  const Pose X_WL{out.body->position, out.body->orientation};
  for (const FreedomOf& freedom : all) {
    model::Dof dof;
    dof.kind = freedom.kind;
    dof.law = joint.laws[static_cast<size_t>(freedom.axis)];
    dof.place = joint.place;
    dof.swing = joint.swing;
    if (dof.kind != DofKind::kBall && !open_) dof.ref = coordinate(freedom, X_PC);
    if (std::fabs(dof.ref) < kStill) dof.ref = 0;
    still_ = still_ && dof.ref == 0 && (dof.kind != DofKind::kBall || norm(X_PC.q.vec()) < kStill);
    const Quat& q_WF = freedom.frame == F::kParent ? f.X_WP.q : f.X_WC.q;
    DofOrigin origin{&joint, freedom.axis, column(q_WF, freedom.column),
                     out.turned ? f.X_WP.p : f.X_WC.p};
    // from the other side a freedom runs the other way
    if (out.turned) origin.axis_W = -origin.axis_W;
    dof.axis = rotate(conjugate(X_WL.q), origin.axis_W);
    dof.anchor = rotate(conjugate(X_WL.q), origin.anchor_W - X_WL.p);
    if (still_ && !out.turned) {
      dof.axis = column(f.on_bodies.X_BC.q, freedom.column);
      dof.anchor = f.on_bodies.X_BC.p;
    }
    if (dof.kind == DofKind::kBall) dof.axis = {1, 0, 0};
    out.link.dofs.push_back(std::move(dof));
    out.origins.push_back(origin);
  }
  name_dofs(joint, first, out);
}

void LinkPlanner::place(OutLink& out) {
  if (out.parent < 0) {
    out.link.X_PL = start_;
  } else {
    const Pose parent = model_pose(*e_.plan.links[static_cast<size_t>(out.parent)].body);
    out.link.X_PL = inverse(parent) * start_;
  }
  if (!out.chain.empty() && still_ && !out.turned) {
    const JointFrames f = find_frames(e_.plan, *out.chain.front()).on_bodies;
    const bool world = e_.plan.index.count(out.chain.front()->parent.name) == 0;
    out.link.X_PL = (world ? from_scene(f.X_BP) : f.X_BP) * inverse(f.X_BC);
  }
  out.link.X_PL.q = normalized(out.link.X_PL.q);
}

}  // namespace

void plan_links(Export& e) {
  LinkPlanner planner(e);
  for (OutLink& link : e.plan.links) {
    planner.plan(link);
    settle_link(e, link);
    weigh_link(e, link);
  }
}

}  // namespace tenon::scene::mjcf
