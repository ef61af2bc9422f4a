// Time of a step of Tenon on jointed mechanisms, one thread, after the first ten steps.
#include <benchmark/benchmark.h>

#include "tenon/benchmarks/engines/engine.h"
#include "tenon/benchmarks/joints/scenes.h"

namespace tenon {
namespace {

void run(benchmark::State& state, SceneFamily family) {
  const BenchScene scene = make_scene({family, static_cast<int>(state.range(0))});
  const EngineKind kind = tenon_engines().front();
  const auto engine = kind.make(scene, {});
  for (int i = 0; i < 10; ++i) engine->advance();
  for (auto _ : state) engine->advance();
  state.counters["joints"] = static_cast<double>(scene.joints.size());
  state.counters["s_per_joint"] = benchmark::Counter(
      static_cast<double>(scene.joints.size()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  if (engine->failed()) state.SkipWithError("a body had to be frozen");
  state.SetLabel(engine->note());
}

void chain(benchmark::State& state) { run(state, SceneFamily::kChain); }
void heavy(benchmark::State& state) { run(state, SceneFamily::kHeavy); }
void net(benchmark::State& state) { run(state, SceneFamily::kNet); }
void bars(benchmark::State& state) { run(state, SceneFamily::kBars); }

BENCHMARK(chain)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(heavy)->Arg(100)->Unit(benchmark::kMillisecond);
BENCHMARK(net)->Arg(10)->Arg(16)->Arg(30)->Unit(benchmark::kMillisecond);
BENCHMARK(bars)->Arg(40)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tenon

BENCHMARK_MAIN();
