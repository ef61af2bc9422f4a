// Pictures of gallery:bridge, from the recording to the finished image: draft at 640x360 and film
// at 1280x720, on one core and on two. Wall time is what counts for films; CPU time is the whole
// process's, so that a busy machine can be told from a slow one.
#include <benchmark/benchmark.h>

#include <fstream>
#include <memory>
#include <sstream>

#include "tenon/recording/recorder.h"
#include "tenon/render/trace/renderer.h"
#include "tenon/scene/build/build.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon {
namespace {

constexpr double kSeconds = 3;  // by then the blocks are on the bridge

// The run, recorded in memory.
std::vector<std::byte> record_bridge() {
  std::ifstream file(TENON_SOURCE_DIR "/gallery/bridge.json");
  std::ostringstream text;
  text << file.rdbuf();
  const scene::LoadResult loaded = scene::load_scene(text.str(), "bridge");
  TENON_DEMAND(loaded.ok());
  scene::BuildResult built = scene::build(loaded.flat, {.threads = 1});
  TENON_DEMAND(built.ok());
  scene::BuiltScene& scene = built.scene.front();
  RunRecord run;
  run.method = "impulse";
  run.step_s = scene.world.settings().step;
  run.body_names = scene.names;
  run.joint_names = scene.joint_names;
  MemorySink sink;
  Recorder recorder(sink);
  TENON_DEMAND(recorder.begin(scene.world, scene.handles, run, {"bridge", "", text.str(), {}},
                              scene.joint_handles));
  while (scene.world.time() < kSeconds) {
    scene.world.step();
    TENON_DEMAND(recorder.after_step(scene.world));
  }
  TENON_DEMAND(recorder.finish(scene.world, RunEnd::kCompleted, ""));
  return sink.bytes();
}

void draw_bridge(benchmark::State& state, render::Quality quality, int width, int height) {
  static const std::vector<std::byte> bytes = record_bridge();
  MemorySource memory(bytes, "bridge");
  Result<RecordingReader> reader = RecordingReader::open(memory);
  Result<render::StageSource> source = render::StageSource::open(*reader);
  render::Renderer renderer(static_cast<int>(state.range(0)));
  render::RenderOptions options;
  options.width = width;
  options.height = height;
  options.quality = quality;
  double t = 2;
  for (auto _ : state) {
    const Result<render::Stage> stage = source->at(t);
    benchmark::DoNotOptimize(renderer.draw(*stage, stage->cameras[stage->camera], options));
    t = t < kSeconds ? t + 0.04 : 2;
  }
  state.counters["frames/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void draft_640x360(benchmark::State& state) {
  draw_bridge(state, render::Quality::kDraft, 640, 360);
}
void film_1280x720(benchmark::State& state) {
  draw_bridge(state, render::Quality::kFilm, 1280, 720);
}
BENCHMARK(draft_640x360)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(film_1280x720)
    ->Arg(1)
    ->Arg(2)
    ->ArgName("threads")
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tenon

BENCHMARK_MAIN();
