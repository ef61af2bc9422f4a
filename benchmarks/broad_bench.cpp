// Broad phase, one step: moves and the pair list. Arguments: the case of broad_scene.h, bodies.
#include <benchmark/benchmark.h>

#include "tenon/benchmarks/broad_scene.h"

namespace tenon {
namespace {

void step_broad_phase(benchmark::State& state) {
  const BroadCase& which = kBroadCases[state.range(0)];
  BroadScene scene(which, static_cast<uint32_t>(state.range(1)));
  BroadPhase broad_phase;
  scene.insert_into(broad_phase);
  broad_phase.update_pairs();
  for (auto _ : state) {
    state.PauseTiming();
    scene.step();
    state.ResumeTiming();
    for (ProxyId id : scene.moved) broad_phase.move(id, scene.boxes[id]);
    benchmark::DoNotOptimize(broad_phase.update_pairs().data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(1));
  state.SetLabel(which.name);
}
BENCHMARK(step_broad_phase)
    ->ArgsProduct({benchmark::CreateDenseRange(0, std::size(kBroadCases) - 1, 1),
                   {1000, 10000, 100000}})
    ->Unit(benchmark::kMicrosecond)
    ->MinTime(0.1);

// From nothing, as after a snapshot was restored.
void rebuild_broad_phase(benchmark::State& state) {
  BroadScene scene(kBroadCases[0], static_cast<uint32_t>(state.range(0)));
  BroadPhase broad_phase;
  for (auto _ : state) {
    broad_phase.clear();
    scene.insert_into(broad_phase);
    benchmark::DoNotOptimize(broad_phase.update_pairs().data());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(rebuild_broad_phase)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tenon

BENCHMARK_MAIN();
