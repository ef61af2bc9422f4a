// What a black box costs beside a built-in joint: two worlds of the same bodies, one with joints of
// the engine and one with functions, stepped in turns within one benchmark. Counters: microseconds
// per joint and step of either, their ratio, Newton iterations per step, and the largest error of
// the black boxes relative to the bodies' size. One thread.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "tenon/benchmarks/cpu_clock.h"
#include "tenon/benchmarks/joints/user_boxes.h"
#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/world/world.h"

namespace tenon {
namespace {

using Box = std::shared_ptr<const BlackBox>;

template <class T>
T demand(Result<T> result) {
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", format(result.error()).c_str());
    std::exit(1);
  }
  return std::move(result).value();
}

constexpr int kJoints = 20;
constexpr double kLength = 0.3;  // m, of a link

// A joint of the benchmark: what it is, how C stands in P at the start, where C is on its body.
struct Probe {
  JointDef joint;  // kind, limits or function
  Pose X_PC;
  Vec3 p_BC{-kLength / 2, 0, 0};
  bool tilted = false;
};

// Links hang one from another, or each from the world. x_P is level, along the world's z axis, but
// tilted by 45 degrees for joints that would otherwise let the links fall.
World make_world(const Probe& probe, bool chain) {
  WorldSettings settings;
  settings.step = 1.0 / 120;
  World world = demand(World::make(settings));
  const Quat x_along_z = from_axis_angle({0, 1, 0}, -0.5 * kPi);
  Pose X_WP{{}, x_along_z};
  if (probe.tilted) X_WP.q = from_axis_angle({1, 0, 0}, -0.25 * kPi) * x_along_z;
  BodyHandle parent;
  Pose X_WB_of_parent;
  for (int i = 0; i < kJoints; ++i) {
    BodyDef body;
    const double I = kLength * kLength / 12;
    body.mass = MassProperties{1, {}, Mat3::diagonal({0.1 * I, I, I})};
    const Pose X_BC{probe.p_BC, x_along_z};
    body.X_WB = X_WP * probe.X_PC * inverse(X_BC);
    const BodyHandle child = demand(world.create_body(body));
    JointDef def = probe.joint;
    def.parent = parent;
    def.child = child;
    def.X_BP = parent.valid() ? inverse(X_WB_of_parent) * X_WP : X_WP;
    def.X_BC = X_BC;
    demand(world.create_joint(def));
    if (chain) {
      parent = child;
      X_WB_of_parent = body.X_WB;
      X_WP = body.X_WB * Pose{{kLength / 2, 0, 0}, x_along_z};
    } else {
      X_WP.p.x += 10;
    }
  }
  return world;
}

struct Side {
  World world;
  Snapshot start;
  double seconds = 0, gap = 0;
  uint64_t steps = 0, iterations = 0, unconverged = 0;

  explicit Side(World made) : world(std::move(made)), start(world.snapshot()) {}
  // the first second again and again: every joint stays in the motion that it is measured at
  void run(int count) {
    for (int i = 0; i < count; ++i) {
      if (world.time() > 1) (void)world.restore(start);
      const double begin = cpu_seconds();
      world.step();
      seconds += cpu_seconds() - begin;
      ++steps;
      const StepDiagnostics& d = world.diagnostics();
      iterations += d.joint_iterations;
      unconverged += d.unconverged_joints;
      gap = std::max(gap, d.joint_gap_rel);
    }
  }
  double us_per_joint() const { return 1e6 * seconds / static_cast<double>(steps) / kJoints; }
  double mean_iterations() const {
    return static_cast<double>(iterations) / static_cast<double>(steps);
  }
};

void compare(benchmark::State& state, const Probe& built_in, const Probe& box, bool chain) {
  Side a(make_world(built_in, chain)), b(make_world(box, chain));
  for (auto _ : state) {
    a.run(20);
    b.run(20);
  }
  state.counters["built_in_us"] = a.us_per_joint();
  state.counters["box_us"] = b.us_per_joint();
  state.counters["ratio"] = b.seconds / a.seconds;
  state.counters["iter_built_in"] = a.mean_iterations();
  state.counters["iter_box"] = b.mean_iterations();
  state.counters["box_gap"] = b.gap;
  if (b.unconverged > 0) state.SetLabel("above tolerance");
}

Probe built_in(JointKind kind, const Pose& X_PC = {}) {
  Probe p;
  p.joint.kind = kind;
  p.X_PC = X_PC;
  p.tilted = kind == JointKind::kPlanarTwist;
  return p;
}
Probe function(Box box, const Probe& like, const Pose& X_PC) {
  Probe p = built_in(JointKind::kBlackBox, box->project(X_PC));
  p.joint.black_box = std::move(box);
  p.tilted = like.tilted;
  return p;
}

// Beside `a`, with the derivative that the box has, and with its function only.
void add(const std::string& name, const Probe& a, const Box& box, bool chain,
         const Pose& X_PC = {}) {
  const auto add_one = [&](const std::string& ending, const Probe& b) {
    benchmark::RegisterBenchmark((name + (chain ? "/chain" : "/separate") + ending).c_str(),
                                 [a, b, chain](benchmark::State& s) { compare(s, a, b, chain); })
        ->Unit(benchmark::kMillisecond);
  };
  add_one("/derivative", function(box, a, X_PC));
  add_one("/function_only", function(without_derivative(box), a, X_PC));
}

// The same joint twice: one of the engine, one as a user would write it.
void add_same_joints() {
  Probe cone = built_in(JointKind::kPoint);
  cone.joint.swing_max = 2.5;  // a law, never reached: the rows of the general solver
  for (const bool chain : {true, false}) {
    for (const UserBox& user : user_boxes()) {
      const Probe a = user.kind == JointKind::kPoint ? cone : built_in(user.kind);
      add(user.name, a, user.box, chain);
    }
  }
}

// The shipped examples beside a joint with as many rows.
void add_examples() {
  const Probe hinge = built_in(JointKind::kHinge);
  const Probe magnet = built_in(JointKind::kPlanarTwist);
  Probe cone = built_in(JointKind::kPoint);
  cone.joint.swing_max = 1;
  const Vec3 on_slot{0, 0.2, 0.1};
  const SpiralCam slot{.start_radius = 0.1, .pitch = 0.15, .turns = 3};
  add("spiral_cam", hinge, demand(make_spiral_cam(slot)), false, {on_slot, {}});
  // a flat magnet falls without turning, in one iteration a step; a ball swings, as the curved do
  const Box ellipsoid = demand(make_ellipsoid_magnet({})), torus = demand(make_torus_magnet({}));
  add("ellipsoid_magnet", magnet, ellipsoid, false, {on_slot, {}});
  add("torus_magnet", magnet, torus, false, {on_slot, {}});
  add("ellipsoid_magnet_beside_ball", cone, ellipsoid, false, {on_slot, {}});
  add("torus_magnet_beside_ball", cone, torus, false, {on_slot, {}});
  add("reach_cone", cone, demand(make_reach_cone({.about_y = 1, .about_z = 1})), false);
}

}  // namespace
}  // namespace tenon

int main(int argc, char** argv) {
  tenon::add_same_joints();
  tenon::add_examples();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
