// How fast a mechanism with closed loops follows a pointer: a lattice of scissors, 100 pairs of
// crossed bars (200 bodies, 298 hinges, 99 loops), held at one end, dragged at the other along a
// recorded path of 1000 moves. Prints percentiles of the time per move, joint errors while moving,
// and the time and error of letting go.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "tenon/engine/world/world.h"

namespace tenon {
namespace {

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr int kPairs = 100;
constexpr double kHalf = 0.1;  // m, half of a bar

BodyHandle add_bar(World& world, const Vec3& middle, double angle) {
  BodyDef bar;
  ColliderDef box;
  box.shape = Box{.half = {kHalf, 0.01, 0.01}};
  bar.colliders = {box};
  bar.collision = false;
  bar.X_WB = {middle, from_axis_angle({0, 0, 1}, angle)};
  return *world.create_body(bar);
}

void add_hinge(World& world, BodyHandle parent, const Vec3& at_P, BodyHandle child,
               const Vec3& at_C) {
  const Quat along_z = from_axis_angle({0, 1, 0}, -kPi / 2);
  JointDef hinge;
  hinge.kind = JointKind::kHinge;
  hinge.parent = parent;
  hinge.child = child;
  hinge.X_BP = {at_P, along_z};
  hinge.X_BC = {at_C, along_z};
  if (Result<JointHandle> joint = world.create_joint(hinge); !joint) {
    std::printf("%s\n", format(joint.error()).c_str());
  }
}

// Crossed bars in a row along x, ends pinned to those of the next pair.
BodyHandle build(World& world) {
  const double angle = 0.6;
  const double pitch = 2 * kHalf * std::cos(angle);
  BodyHandle up, down;
  for (int i = 0; i < kPairs; ++i) {
    const Vec3 middle{pitch * i, 0, 0};
    const BodyHandle rising = add_bar(world, middle, angle),
                     falling = add_bar(world, middle, -angle);
    add_hinge(world, rising, {}, falling, {});
    if (i == 0) {
      add_hinge(world, {}, {0, 0, 0}, rising, {});
    } else {
      // the rising bar of the last pair ends where the falling one of this pair begins
      add_hinge(world, up, {kHalf, 0, 0}, falling, {-kHalf, 0, 0});
      add_hinge(world, down, {kHalf, 0, 0}, rising, {-kHalf, 0, 0});
    }
    up = rising;
    down = falling;
  }
  return up;
}

// A hand that draws loops, with the jitter of a mouse.
std::vector<Vec3> record_path(const Vec3& from) {
  std::vector<Vec3> path;
  for (int i = 1; i <= 1000; ++i) {
    const double t = i / 60.0;
    const double jitter = 0.002 * ((i * 7919) % 13 - 6) / 6.0;
    path.push_back(
        from + Vec3{-2.5 * (1 - std::cos(0.7 * t)) + jitter, 2.0 * std::sin(0.9 * t) - jitter, 0});
  }
  return path;
}

int run() {
  WorldSettings settings;
  settings.clock = wall_clock;
  World world = std::move(World::make(settings)).value();
  const BodyHandle last = build(world);
  const AssemblyReport start = *world.assemble();
  std::printf("%zu bodies, %zu hinges; start error %.1e -> %.1e\n", world.body_count(),
              world.joint_count(), start.start, start.error);
  const DragHandle drag = *world.begin_drag({.body = last, .point_B = {kHalf, 0, 0}});
  const Pose X = world.pose(last);
  std::vector<double> ms;
  double error = 0, miss = 0;
  int behind = 0, jumped = 0;
  double iterations = 0;
  DragEffort effort = kDragMoving;
  effort.budget_ms = 3.5;
  for (const Vec3& target : record_path(X.p + rotate(X.q, {kHalf, 0, 0}))) {
    const double begin = wall_clock();
    const DragReport r = *world.move_drag(drag, {target, {}}, effort);
    ms.push_back(1e3 * (wall_clock() - begin));
    error = std::max(error, r.error);
    miss = std::max(miss, r.miss_m);
    behind += r.behind;
    iterations += r.geometric;
    jumped += r.jumped;
  }
  std::sort(ms.begin(), ms.end());
  std::printf("moves %zu: median %.2f ms, 99th percentile %.2f ms, worst %.2f ms\n", ms.size(),
              ms[ms.size() / 2], ms[ms.size() * 99 / 100], ms.back());
  std::printf("joints while moving %.1e of a body at most; pointer missed by %.3f m at most\n",
              error, miss);
  std::printf("%.1f linearisations per move\n", iterations / static_cast<double>(ms.size()));
  std::printf("moves that did not get there in time: %d; jumps: %d\n", behind, jumped);
  const double begin = wall_clock();
  const DragReport end = *world.end_drag(drag);
  std::printf("let go: joints %.1e after %.2f ms\n", end.error, 1e3 * (wall_clock() - begin));
  return 0;
}

}  // namespace
}  // namespace tenon

int main() { return tenon::run(); }
