// Prints what a mesh takes to make (tree, normals, bounds: seconds of all processors), its distance
// field (the same), both and its samples by the clock, and all of it to load again from the bytes
// that the cache keeps, by the clock and of all processors; and what asking costs. Usage:
// mesh_bench [THREADS].
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "tenon/engine/base/rng.h"
#include "tenon/engine/geometry/bounds.h"
#include "tenon/engine/geometry/mesh_bytes.h"
#include "tenon/engine/math/elementary.h"

namespace tenon {
namespace {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// A torus with waves: smooth, not convex, of 2 n m triangles.
struct Triangles {
  std::vector<Vec3> v;
  std::vector<MeshTriangle> t;
};
Triangles make_torus(int n, int m) {
  Triangles out;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const double a = 2 * kPi * i / n, b = 2 * kPi * j / m;
      const double bar = 0.35 + 0.05 * sin(9 * a) * sin(5 * b), r = 1 + bar * cos(b);
      out.v.push_back({r * cos(a), bar * sin(b), -r * sin(a)});
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      const int k = (i + 1) % n, l = (j + 1) % m;
      const int p = i * m + j, q = k * m + j, r = k * m + l, s = i * m + l;
      out.t.push_back({p, q, r});
      out.t.push_back({p, r, s});
    }
  }
  return out;
}

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Through a file, as the cache does: written, then read and decoded, with everything.
double time_loading(const Mesh& mesh, ThreadPool& pool, double& megabytes, double& cpu) {
  const std::vector<std::byte> bytes = encode_mesh(*mesh.geometry, &pool);
  megabytes = 1e-6 * static_cast<double>(bytes.size());
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) return -1;
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  std::rewind(file);
  const double before = cpu_seconds();
  const Stopwatch watch;
  std::vector<std::byte> again(bytes.size());
  const bool whole = std::fread(again.data(), 1, again.size(), file) == again.size();
  const Result<Mesh> loaded = decode_mesh(again, &pool);
  const double seconds = watch.seconds();
  cpu = cpu_seconds() - before;
  std::fclose(file);
  return whole && loaded && encode_mesh(*loaded->geometry) == bytes ? seconds : -1;
}

struct Costs {
  double sample_ns, nearest_ns, bounds_ns;
};
Costs time_queries(const Mesh& mesh, const DistanceField& field) {
  constexpr int kCount = 100'000;
  Rng rng(1);
  std::vector<Vec3> points;
  while (points.size() < kCount) {
    const Vec3 q{rng.uniform(-1.5, 1.5), rng.uniform(-0.5, 0.5), rng.uniform(-1.5, 1.5)};
    if (std::fabs(field.value(q)) < field.band()) points.push_back(q);
  }
  double sum = 0;
  Stopwatch samples;
  for (const Vec3& q : points) sum += field.sample(q).distance;
  const double sample = samples.seconds();
  Stopwatch searches;
  for (const Vec3& q : points) sum += find_nearest(*mesh.geometry, q, 2 * field.band()).distance;
  const double nearest = searches.seconds();
  Stopwatch boxes;
  for (const Vec3& q : points)
    sum += calc_bounds(mesh, to_transform({q, normalized(Quat{1, q.x, q.y, q.z})})).hi.x;
  const double bounds = boxes.seconds();
  if (sum == 12345) std::printf(" ");  // so that nothing is left out
  return {1e9 * sample / kCount, 1e9 * nearest / kCount, 1e9 * bounds / kCount};
}

void print_row(int n, int m, ThreadPool& pool) {
  const Triangles triangles = make_torus(n, m);
  const double began = cpu_seconds();
  const Result<Mesh> picture =
      make_mesh(triangles.v, triangles.t, {.use = MeshUse::kPicture, .pool = &pool});
  if (!picture) return;
  const double make = cpu_seconds() - began;
  const double before = cpu_seconds();
  const DistanceField alone = make_distance_field(*picture->geometry, {0, &pool});
  const double build = cpu_seconds() - before;
  const Stopwatch watch;
  const Result<Mesh> mesh = make_mesh(triangles.v, triangles.t, {.pool = &pool});
  const double all = watch.seconds();
  const DistanceField& field = *mesh->geometry->field;
  double megabytes = 0, cpu = 0;
  const double loading = time_loading(*mesh, pool, megabytes, cpu);
  const Costs costs = time_queries(*mesh, field);
  std::printf("%10zu %8.2f %8.2f %8.2f %8.3f %8.3f %8.1f %7.0f %7.2f %8.0f %8.0f %8.0f\n",
              triangles.t.size(), make, build, all, loading, cpu, megabytes, 2.8 / field.cell(),
              field.error() / field.cell(), costs.sample_ns, costs.nearest_ns, costs.bounds_ns);
}

}  // namespace
}  // namespace tenon

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : tenon::hardware_threads();
  tenon::ThreadPool pool(threads > 0 ? threads : 1);
  std::printf("%d threads\n%10s %8s %8s %8s %8s %8s %8s %7s %7s %8s %8s %8s\n", pool.thread_count(),
              "triangles", "make CPU", "fld CPU", "wall s", "load s", "CPU s", "MB", "cells",
              "error", "value ns", "near ns", "box ns");
  for (const int n : {40, 126, 400, 895, 1265}) tenon::print_row(n, n * 10 / 16, pool);
  return 0;
}
