// Scenes of triangle meshes at the sizes of the papers: `mesh_table [scene ...] [--seconds s]
// [--threads n] [--set path=value] [--growth]`. A scene is a name of the gallery or a .json file.
// Without scenes: all of them, a few seconds each.
// MESH_TABLE_STEPS=1 prints every step, with its CPU time; MESH_TABLE_CACHE=folder keeps meshes
// from run to run, and the time to load says nothing then.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "tenon/benchmarks/meshes/checks.h"
#include "tenon/benchmarks/meshes/growth.h"
#include "tenon/benchmarks/meshes/run_scene.h"
#include "tenon/benchmarks/meshes/speeds.h"
#include "tenon/cli/large_pages.h"
#include "tenon/cli/mesh_cache.h"
#include "tenon/engine/geometry/mesh.h"
#include "tenon/scene/build/body_parts.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon {
namespace {

double wall_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// CPU time of all threads: on a machine that others use as well it says more than wall time.
double cpu_clock() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double memory_gb() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1 << 20);
}

// What the papers say, and where.
struct PublishedTime {
  const char* scene;
  const char* says;
};
constexpr PublishedTime kPublished[] = {
    {"rings-nonconvex", "about a day"},      {"skeletons", "two days"},
    {"bridge-chains", "30 s per frame"},     {"letters", "not given"},
    {"tank-meshes", "about 30 s per frame"},
};

const char* published(const std::string& name) {
  for (const PublishedTime& p : kPublished) {
    if (name == p.scene) return p.says;
  }
  return "-";
}

void print(const SceneFigures& f, const std::string& name) {
  std::printf("%-16s %5zu bodies %5zu joints  %9zu triangles (%zu stored)  load %.1f s  %.2f GB\n",
              name.c_str(), f.bodies, f.joints, f.triangles, f.stored, f.load_s, f.memory_gb);
  std::printf(
      "  %.1f ms per step (worst %.0f), %.1f ms of CPU (worst %.0f, contacts found in %.1f); the "
      "paper: %s\n",
      f.step_ms, f.worst_ms, f.cpu_ms, f.worst_cpu_ms, f.collide_ms, published(name));
  std::printf(
      "  overlap at most %.1e m, at the end %.1e m; joints %.1e of a body; %.1e J/kg left, "
      "%zu bodies asleep\n",
      f.penetration_m, f.last_penetration_m, f.joint_gap, f.energy, f.asleep);
  std::printf("  fastest point at the end %.1e m/s as its velocity says, %.1e m/s by its places\n",
              f.speed, f.creep);
  if (!f.check.empty()) std::printf("  %s\n", f.check.c_str());
  std::fflush(stdout);
}

void count_triangles(const scene::Document& flat, scene::MeshLibrary& meshes,
                     SceneFigures& figures) {
  std::map<const MeshGeometry*, size_t> seen;
  for (const scene::Body& body : flat.bodies) {
    const auto parts = scene::make_parts(flat, body, meshes);
    if (!parts) continue;
    for (const scene::BodyPart& part : *parts) {
      const Mesh* mesh = part.shape ? std::get_if<Mesh>(&*part.shape) : nullptr;
      if (mesh == nullptr) continue;
      figures.triangles += mesh->geometry->triangles.size();
      seen[mesh->geometry.get()] = mesh->geometry->triangles.size();
    }
  }
  for (const auto& [geometry, count] : seen) figures.stored += count;
}

// Counts, overlaps, speeds, and milliseconds of CPU of the phases in call order.
void print_step(int step, double ms, const StepDiagnostics& d, const Speeds& speeds) {
  std::fprintf(stderr, "%d %.2f ms contacts %u pairs %u cand %u pen %.2e gap %.1e asleep %u ", step,
               ms, d.contacts, d.contact_pairs, d.candidate_pairs, d.penetration_m, d.joint_gap_rel,
               d.sleeping_bodies);
  std::fprintf(stderr, "sweeps %u residual %.1e parts %u kinetic %.2e J speed %.2e by place %.2e |",
               d.contact_sweeps, d.contact_residual, d.bisections + 1, d.mechanics.kinetic_J,
               speeds.state, speeds.places);
  for (const double phase_ms : d.phase_ms) std::fprintf(stderr, " %.1f", phase_ms);
  std::fprintf(stderr, "\n");
}

void measure_steps(scene::BuiltScene& scene, double seconds, SceneCheck* check,
                   SceneFigures& figures) {
  World& world = scene.world;
  int steps = 0;
  double total = 0, cpu = 0, collide = 0;
  SpeedMeter meter(scene);
  while (world.time() < seconds - 1e-9) {
    const double begin = wall_clock(), cpu_begin = cpu_clock();
    world.step();
    const double ms = 1e3 * (wall_clock() - begin), cpu_ms = 1e3 * (cpu_clock() - cpu_begin);
    total += ms;
    cpu += cpu_ms;
    figures.worst_ms = std::max(figures.worst_ms, ms);
    figures.worst_cpu_ms = std::max(figures.worst_cpu_ms, cpu_ms);
    const StepDiagnostics& d = world.diagnostics();
    const Speeds speeds = meter.after_step(scene);
    figures.speed = speeds.state;
    figures.creep = speeds.places;
    collide += d.phase_ms[static_cast<size_t>(Phase::kNarrowPhase)];
    figures.penetration_m = std::max(figures.penetration_m, d.penetration_m);
    figures.joint_gap = std::max(figures.joint_gap, d.joint_gap_rel);
    if (check != nullptr) check->after_step(scene);
    ++steps;
    if (std::getenv("MESH_TABLE_STEPS") != nullptr) print_step(steps, cpu_ms, d, speeds);
  }
  figures.cpu_ms = cpu / std::max(steps, 1);
  figures.step_ms = total / std::max(steps, 1);
  figures.collide_ms = collide / std::max(steps, 1);
}

// Mesh files of a scene, by paths as they stand there.
Result<scene::FileBytes> read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{.message = "cannot be read"};
  std::stringstream bytes;
  bytes << in.rdbuf();
  return scene::FileBytes(std::make_shared<const std::string>(bytes.str()));
}

}  // namespace

bool run_scene(const SceneRun& run, SceneFigures& figures) {
  const bool own = run.name.ends_with(".json");
  const std::string path =
      own ? run.name : std::string(TENON_SOURCE_DIR) + "/gallery/" + run.name + ".json";
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  const double begin = wall_clock();
  scene::LoadOptions options;
  options.overrides = run.changes;
  const scene::LoadResult loaded = scene::load_scene(text.str(), path, options);
  for (const Error& e : loaded.errors) std::fprintf(stderr, "%s\n", format(e).c_str());
  if (!loaded.errors.empty()) return false;
  const char* kept = std::getenv("MESH_TABLE_CACHE");
  cli::MeshCache cache(kept != nullptr ? kept : "");
  scene::MeshLibrary meshes({.read = read_bytes, .store = &cache, .threads = run.threads});
  scene::BuildResult built =
      scene::build(loaded.flat, {.threads = run.threads, .clock = cpu_clock, .meshes = &meshes});
  for (const Error& e : built.errors) std::fprintf(stderr, "%s\n", format(e).c_str());
  if (!built.ok()) return false;
  figures.load_s = wall_clock() - begin;
  scene::BuiltScene& scene = built.scene[0];
  figures.bodies = scene.names.size();
  figures.joints = scene.joint_names.size();
  count_triangles(loaded.flat, meshes, figures);
  const auto check = make_check(run.name, scene);
  measure_steps(scene, run.seconds > 0 ? run.seconds : loaded.flat.world.duration, check.get(),
                figures);
  figures.last_penetration_m = scene.world.diagnostics().penetration_m;
  figures.asleep = scene.world.diagnostics().sleeping_bodies;
  double mass = 0;
  for (const BodyHandle body : scene.handles) mass += scene.world.mass(body).mass;
  figures.energy = mass > 0 ? scene.world.calc_mechanics().kinetic_J / mass : 0;
  if (check) figures.check = check->report(scene);
  figures.memory_gb = memory_gb();
  return true;
}

}  // namespace tenon

int main(int argc, char** argv) {
  tenon::use_large_pages(argv);
  std::vector<tenon::SceneRun> runs;
  tenon::SceneRun common;
  bool growth = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--growth") {
      growth = true;
    } else if (word == "--seconds" && i + 1 < argc) {
      common.seconds = std::atof(argv[++i]);
    } else if (word == "--threads" && i + 1 < argc) {
      common.threads = std::atoi(argv[++i]);
    } else if (word == "--set" && i + 1 < argc) {
      common.changes.push_back(argv[++i]);
    } else {
      runs.push_back({});
      runs.back().name = word;
    }
  }
  if (growth) return tenon::print_growth(common);
  if (runs.empty()) {
    for (const char* name : {"rings-nonconvex", "bridge-chains", "skeletons", "letters",
                             "tank-meshes", "bowl-of-nuts", "chainmail", "gear-train"}) {
      runs.push_back({});
      runs.back().name = name;
    }
  }
  int failed = 0;
  for (tenon::SceneRun& run : runs) {
    run.seconds = common.seconds;
    run.changes = common.changes;
    run.threads = common.threads;
    tenon::SceneFigures figures;
    if (!tenon::run_scene(run, figures)) {
      ++failed;
      continue;
    }
    tenon::print(figures, run.name);
  }
  return failed;
}
