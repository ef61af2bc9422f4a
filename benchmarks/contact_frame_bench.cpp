// Broad and narrow phase of whole frames, as a world with resting bodies asks for them: world
// transforms, bounds, candidate pairs, filter, contact patches. One thread.
//
//   pyramid  a wall of 210 one-metre boxes, base 20, 50 mm apart, on a plane
//   rings    360 hexagons of 6 capsules each, piled around 25 upright capsules, on a plane;
//            neighbours in a ring are joined and never asked for
//   mixed    the piles of the rings made of spheres, boxes, cylinders and capsules in turn
//   rubble   1000 bodies of one or two kinds, turned at random
//
// The argument is the margin in millimetres: contacts are asked for up to that distance.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/collision/broad/broad_phase.h"
#include "tenon/engine/collision/narrow/collide.h"
#include "tenon/engine/geometry/bounds.h"

namespace tenon {
namespace {

struct Item {
  Shape shape;
  Pose X_WS;
  bool fixed = false;
  int group = -1;  // of joined bodies
  int place = 0;   // in the group of six
};

using Items = std::vector<Item>;

Pose at(const Vec3& p, const Quat& q = {}) { return {p, q}; }

Items make_pyramid() {
  Items items{{Plane{}, Pose{}, true}};
  for (int row = 0; row < 20; ++row) {
    for (int i = 0; i < 20 - row; ++i) {
      items.push_back({Box{{0.5, 0.5, 0.5}}, at({1.05 * (i - 0.5 * (19 - row)), 0.5 + row, 0})});
    }
  }
  return items;
}

Items make_rings() {
  constexpr double kSide = 0.3, kRadius = 0.035, kSpacing = 1.2;
  Items items{{Plane{}, Pose{}, true}};
  for (int i = 0; i < 25; ++i) {
    const Vec3 p{(i % 5 - 2) * kSpacing, 1.5, (i / 5 - 2) * kSpacing};
    items.push_back({Capsule{0.1, 1.4}, at(p), true});
  }
  Rng rng(3);
  const auto pm = [&](double range) { return rng.uniform(-range, range); };
  for (int k = 0; k < 360; ++k) {
    const Vec3 pole = items[1 + k % 25].X_WS.p;
    const Vec3 centre{pole.x + pm(0.12), kRadius + 1.75 * kRadius * (k / 25), pole.z + pm(0.12)};
    const Quat q = exp_map({pm(0.06), 0, pm(0.06)}) * exp_map({0, pm(3), 0});
    for (int i = 0; i < 6; ++i) {
      const double angle = (i + 0.5) * kPi / 3, reach = kSide * 0.8660254037844386;
      const Vec3 mid = centre + rotate(q, reach * Vec3{tenon::cos(angle), 0, tenon::sin(angle)});
      // the capsule's axis, y, lies along the side of the hexagon
      const Quat turn = q * exp_map({0, -angle, 0}) * exp_map({kPi / 2, 0, 0});
      items.push_back({Capsule{kRadius, 0.5 * kSide - kRadius}, at(mid, turn), false, k, i});
    }
  }
  return items;
}

Items make_mixed() {
  Items items = make_rings();
  for (size_t i = 26; i < items.size(); ++i) {
    if (i % 4 == 1) items[i].shape = Sphere{0.06};
    if (i % 4 == 2) items[i].shape = Box{{0.05, 0.1, 0.035}};
    if (i % 4 == 3) items[i].shape = Cylinder{0.04, 0.1};
  }
  return items;
}

// Shapes of one or two kinds in turn, turned at random, in a heap so dense that each touches some.
Items make_rubble(const Shape& first, const Shape& second) {
  Items items{{Plane{}, Pose{}, true}};
  Rng rng(9);
  const auto pm = [&](double range) { return rng.uniform(-range, range); };
  for (int k = 0; k < 1000; ++k) {
    const Vec3 p{k % 10 * 1.0, 0.5 + k / 100 * 0.9, k / 10 % 10 * 1.0};
    items.push_back({k % 2 == 0 ? first : second,
                     at(p + Vec3{pm(0.1), pm(0.1), pm(0.1)}, exp_map({pm(3), pm(3), pm(3)}))});
  }
  return items;
}

bool is_joined(const Item& a, const Item& b) {
  if (a.group < 0 || a.group != b.group) return false;
  const int apart = (a.place - b.place + 6) % 6;
  return apart == 1 || apart == 5;
}

struct Frame {
  explicit Frame(Items list, double margin_) : items(std::move(list)), margin(margin_) {
    X_WS.resize(items.size());
    for (uint32_t i = 0; i < items.size(); ++i) {
      X_WS[i] = to_transform(items[i].X_WS);
      broad.insert(i, inflate(calc_bounds(items[i].shape, X_WS[i]), 0.5 * margin),
                   items[i].fixed ? ProxyMotion::kStatic : ProxyMotion::kMoving);
    }
  }

  void jitter() {
    for (Item& item : items) {
      if (item.fixed) continue;
      item.X_WS.p += Vec3{rng.uniform(-1e-7, 1e-7), rng.uniform(-1e-7, 1e-7), 0};
      item.X_WS.q = normalized(exp_map({0, 0, rng.uniform(-1e-7, 1e-7)}) * item.X_WS.q);
    }
  }
  void find_pairs() {
    for (uint32_t i = 0; i < items.size(); ++i) {
      if (items[i].fixed) continue;
      X_WS[i] = to_transform(items[i].X_WS);
      broad.move(i, inflate(calc_bounds(items[i].shape, X_WS[i]), 0.5 * margin));
    }
    pairs = broad.update_pairs();
  }
  void find_contacts() {
    points = touching = 0;
    for (const ProxyPair& pair : pairs) {
      const Item &a = items[pair.a], &b = items[pair.b];
      if (is_joined(a, b)) continue;
      const Manifold m = collide(a.shape, X_WS[pair.a], b.shape, X_WS[pair.b], margin);
      points += m.count;
      touching += m.count > 0;
    }
  }

  Items items;
  double margin;
  std::vector<Transform> X_WS;
  BroadPhase broad;
  std::span<const ProxyPair> pairs;
  Rng rng{5};
  int points = 0, touching = 0;
};

void run(benchmark::State& state, const Items& items, bool narrow) {
  Frame frame(items, 1e-3 * static_cast<double>(state.range(0)));
  frame.find_pairs();
  frame.find_contacts();
  for (auto _ : state) {
    state.PauseTiming();
    frame.jitter();
    state.ResumeTiming();
    frame.find_pairs();
    if (narrow) frame.find_contacts();
    benchmark::DoNotOptimize(frame.points);
  }
  state.counters["pairs"] = static_cast<double>(frame.pairs.size());
  state.counters["touching"] = frame.touching;
  state.counters["points"] = frame.points;
}

void pyramid(benchmark::State& s) { run(s, make_pyramid(), true); }
void pyramid_broad(benchmark::State& s) { run(s, make_pyramid(), false); }
void rings(benchmark::State& s) { run(s, make_rings(), true); }
void rings_broad(benchmark::State& s) { run(s, make_rings(), false); }
void mixed(benchmark::State& s) { run(s, make_mixed(), true); }

const Shape kBrick = Box{{0.5, 0.4, 0.3}}, kCan = Cylinder{0.4, 0.5}, kPill = Capsule{0.3, 0.4};

void rubble_box(benchmark::State& s) { run(s, make_rubble(kBrick, kBrick), true); }
void rubble_box_capsule(benchmark::State& s) { run(s, make_rubble(kBrick, kPill), true); }
void rubble_box_sphere(benchmark::State& s) { run(s, make_rubble(kBrick, Sphere{0.5}), true); }
void rubble_cylinder(benchmark::State& s) { run(s, make_rubble(kCan, kCan), true); }
void rubble_cylinder_box(benchmark::State& s) { run(s, make_rubble(kCan, kBrick), true); }

BENCHMARK(pyramid)->Arg(20)->Arg(500)->Unit(benchmark::kMicrosecond);
BENCHMARK(pyramid_broad)->Arg(20)->Unit(benchmark::kMicrosecond);
BENCHMARK(rings)->Arg(10)->Arg(70)->Unit(benchmark::kMicrosecond);
BENCHMARK(rings_broad)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK(mixed)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK(rubble_box)->Arg(10)->Arg(300)->Unit(benchmark::kMicrosecond);
BENCHMARK(rubble_box_capsule)->Arg(10)->Arg(300)->Unit(benchmark::kMicrosecond);
BENCHMARK(rubble_box_sphere)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK(rubble_cylinder)->Arg(10)->Unit(benchmark::kMicrosecond);
BENCHMARK(rubble_cylinder_box)->Arg(10)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tenon

BENCHMARK_MAIN();
