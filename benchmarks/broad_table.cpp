// Prints the time per body and step of the broad phase from 1,000 to 100,000 bodies, for each case
// of broad_scene.h, with the ratio of the largest to the smallest time; Bullet's btDbvtBroadphase
// beside it if the program was built with it. CPU time of this thread, the minimum over
// repetitions of the mean over some steps.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "tenon/benchmarks/broad_scene.h"
#include "tenon/benchmarks/cpu_clock.h"

#ifdef TENON_WITH_BULLET
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#pragma GCC diagnostic pop
#endif

namespace tenon {
namespace {

struct Figure {
  double ns_per_body;
  double pairs_per_body;
};

// update() hands the scene's moves over and returns the number of pairs.
Figure measure(BroadScene& scene, const std::function<size_t()>& update) {
  const double n = static_cast<double>(scene.boxes.size());
  // the mean over a run of steps, since rebuilds come every few steps
  const int steps = 16;
  const int repetitions = std::max(5, static_cast<int>(1e6 / (n * steps)));
  Figure figure{1e30, 0};
  for (int warm = 0; warm < 12; ++warm) {
    scene.step();
    update();
  }
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    double seconds = 0;
    for (int i = 0; i < steps; ++i) {
      scene.step();
      const double start = cpu_seconds();
      const size_t pairs = update();
      seconds += cpu_seconds() - start;
      figure.pairs_per_body = static_cast<double>(pairs) / n;
    }
    figure.ns_per_body = std::min(figure.ns_per_body, seconds / steps / n * 1e9);
  }
  return figure;
}

Figure measure_tenon(const BroadCase& which, uint32_t count) {
  BroadScene scene(which, count);
  BroadPhase broad_phase;
  scene.insert_into(broad_phase);
  return measure(scene, [&] {
    for (ProxyId id : scene.moved) broad_phase.move(id, scene.boxes[id]);
    return broad_phase.update_pairs().size();
  });
}

#ifdef TENON_WITH_BULLET
// Bullet keeps the pairs of fat boxes in a hash table; its count includes those that only nearly
// touch, and they come in no order.
Figure measure_bullet(const BroadCase& which, uint32_t count) {
  BroadScene scene(which, count);
  btDbvtBroadphase broad_phase;
  std::vector<btBroadphaseProxy*> proxies;
  const auto vector = [](const Vec3& v) {
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
  };
  const auto create = [&](const Aabb& box) {
    proxies.push_back(
        broad_phase.createProxy(vector(box.lo), vector(box.hi), 0, nullptr, 1, 1, nullptr));
  };
  for (const Aabb& box : scene.boxes) create(box);
  if (which.plane) create(scene.plane_box());
  return measure(scene, [&] {
    for (ProxyId id : scene.moved) {
      const Aabb& box = scene.boxes[id];
      broad_phase.setAabb(proxies[id], vector(box.lo), vector(box.hi), nullptr);
    }
    broad_phase.calculateOverlappingPairs(nullptr);
    return static_cast<size_t>(broad_phase.getOverlappingPairCache()->getNumOverlappingPairs());
  });
}
#endif

using Measure = Figure (*)(const BroadCase&, uint32_t);

void print_row(const char* name, Measure run, const BroadCase& which, uint32_t max_count) {
  std::printf("  %-8s", name);
  double low = 1e30, high = 0, pairs = 0, first_pairs = -1;
  for (uint32_t count : {1000u, 3000u, 10000u, 30000u, 100000u}) {
    if (count > max_count) break;
    const Figure figure = run(which, count);
    std::printf("%9.1f", figure.ns_per_body);
    std::fflush(stdout);
    low = std::min(low, figure.ns_per_body);
    high = std::max(high, figure.ns_per_body);
    pairs = figure.pairs_per_body;
    if (first_pairs < 0) first_pairs = pairs;
  }
  // half the range over the middle: within +-30 % if below 0.30
  std::printf("   max/min %5.2f   +-%2.0f %%   %.2f..%.2f pairs/body\n", high / low,
              100 * (high - low) / (high + low), first_pairs, pairs);
}

}  // namespace
}  // namespace tenon

int main() {
  using namespace tenon;
  std::printf("ns per body and step          1k       3k      10k      30k     100k bodies\n");
  for (const BroadCase& which : kBroadCases) {
    std::printf("%s\n", which.name);
    print_row("tenon", measure_tenon, which, 100000);
#ifdef TENON_WITH_BULLET
    // larger ones take minutes
    if (&which == &kBroadCases[0]) print_row("bullet", measure_bullet, which, 10000);
#endif
  }
  return 0;
}
