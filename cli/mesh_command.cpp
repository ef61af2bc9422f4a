// What is in a file of triangles, and what is wrong with it.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "tenon/cli/commands.h"
#include "tenon/cli/line.h"
#include "tenon/cli/scene_source.h"
#include "tenon/engine/geometry/mesh_check.h"
#include "tenon/engine/math/elementary.h"
#include "tenon/scene/formats/mesh_fields.h"
#include "tenon/scene/mesh/mesh_repair.h"

namespace tenon::cli {
namespace {

constexpr size_t kMostCrossings = 1000;

std::string text_of(const Vec3& v) { return line("%.10g, %.10g, %.10g", v.x, v.y, v.z); }

// "12 (triangles 3, 5, 8 ...)": the first places.
std::string with_places(size_t count, const std::vector<int>& places, const char* what) {
  std::string text = std::to_string(count);
  if (places.empty()) return text;
  text += std::string("  (") + what;
  for (const int p : places) text += " " + std::to_string(p);
  return text + (count > places.size() ? " ...)" : ")");
}
std::string with_places(size_t count, const std::vector<std::array<int, 2>>& places,
                        const std::vector<Vec3>& vertices) {
  std::string text = std::to_string(count);
  for (const auto& [a, b] : places) {
    const Vec3 middle = 0.5 * (vertices[static_cast<size_t>(a)] + vertices[static_cast<size_t>(b)]);
    text += line("\n      vertices %d - %d, at %s", a, b, text_of(middle).c_str());
  }
  return text + (count > places.size() ? "\n      ..." : "");
}

void print(const char* label, const std::string& text) {
  std::printf("  %-18s %s\n", label, text.c_str());
}

void print_check(const MeshCheck& check, const scene::MeshData& data) {
  const auto& vertices = data.vertices;
  print("pieces", std::to_string(check.pieces));
  print("Euler number", std::to_string(check.euler));
  print("closed", check.open_edges + check.crowded_edges == 0 ? "yes" : "no");
  print("manifold", check.crowded_edges == 0 ? "yes" : "no");
  print("oriented", check.turned_edges == 0 ? "yes" : "no");
  if (check.open_edges > 0)
    print("open edges", with_places(check.open_edges, check.open_places, vertices));
  if (check.crowded_edges > 0)
    print("crowded edges", with_places(check.crowded_edges, check.crowded_places, vertices));
  if (check.turned_edges > 0)
    print("turned edges", with_places(check.turned_edges, check.turned_places, vertices));
  print("degenerate", with_places(check.slivers, check.sliver_places, "triangles"));
  if (check.repeated_vertices > 0)
    print("a vertex twice",
          with_places(check.repeated_vertices, check.repeated_places, "triangles"));
  if (check.copies > 0) print("copies", with_places(check.copies, check.copy_places, "triangles"));
  if (check.unused_vertices > 0) print("unused vertices", std::to_string(check.unused_vertices));
  for (const std::string& remark : data.remarks) print("remark", remark);
}

void print_crossings(const MeshGeometry& mesh, ThreadPool& pool) {
  const std::vector<MeshCrossing> found = find_crossings(mesh, kMostCrossings, &pool);
  std::string text =
      std::to_string(found.size()) + (found.size() == kMostCrossings ? " or more" : "");
  for (size_t i = 0; i < std::min<size_t>(found.size(), MeshCheck::kPlaces); ++i) {
    const Vec3& at =
        mesh.vertices[static_cast<size_t>(mesh.triangles[static_cast<size_t>(found[i].a)][0])];
    text +=
        line("\n      triangles %d and %d, near %s", found[i].a, found[i].b, text_of(at).c_str());
  }
  print("self-intersections", text);
}

void print_measures(const MeshGeometry& mesh) {
  print("from", text_of(mesh.bounds.lo) + " m");
  print("to", text_of(mesh.bounds.hi) + " m");
  print("area", line("%.12g m^2", mesh.area));
  if (!mesh.closed) return;
  print("volume", line("%.12g m^3", mesh.volume));
  print("centre of mass", text_of(mesh.centroid) + " m");
  const Mat3& I = mesh.inertia;
  print("inertia", "about it, for 1 kg/m^3, in kg m^2:");
  for (int i = 0; i < 3; ++i)
    std::printf("      %17.10g %17.10g %17.10g\n", I(i, 0), I(i, 1), I(i, 2));
}

// What a scene would make of the file.
Result<scene::MeshShape> make_shape(const MeshArguments& args) {
  scene::MeshShape shape;
  shape.file = args.file;
  const auto choose = [&](const std::string& word, auto& out) -> Status {
    using E = std::remove_reference_t<decltype(out)>;
    std::string accepted;
    int place = 0;
    for (const char* known : scene::Words<E>::list) {
      if (word == known) {
        out = static_cast<E>(place);
        return Ok{};
      }
      ++place;
      accepted += (accepted.empty() ? "" : ", ") + std::string(known);
    }
    return Error{.message = "unknown word", .value = word, .accepted = accepted};
  };
  if (!args.units.empty())
    if (Status s = choose(args.units, shape.units); !s) return s.error();
  if (!args.up.empty())
    if (Status s = choose(args.up, shape.up); !s) return s.error();
  for (const std::string& word : args.repair) {
    scene::MeshRepair repair{};
    if (Status s = choose(word, repair); !s) return s.error();
    shape.repair.push_back(repair);
  }
  return shape;
}

}  // namespace

int describe_mesh(const MeshArguments& args) {
  const Result<scene::MeshShape> shape = make_shape(args);
  if (!shape) {
    print_error(shape.error());
    return 2;
  }
  const scene::FileReader read = file_reader({args.file, {}, {}});
  const auto beside = [&](const std::string& name) {
    return read(name == args.file ? std::filesystem::path(name).filename().string() : name);
  };
  const Result<scene::MeshData> data = scene::resolve_mesh(*shape, beside);
  if (!data) {
    print_error(data.error());
    return 1;
  }
  std::printf("%s\n", args.file.c_str());
  print("vertices", std::to_string(data->vertices.size()));
  print("triangles", std::to_string(data->triangles.size()));
  const MeshCheck check = check_triangles(data->vertices, data->triangles);
  print_check(check, *data);
  ThreadPool pool(hardware_threads());
  const Result<Mesh> mesh =
      make_mesh(data->vertices, data->triangles, {.use = MeshUse::kPicture, .pool = &pool});
  if (mesh) {
    print_crossings(*mesh->geometry, pool);
    print_measures(*mesh->geometry);
  }
  const bool solid = mesh && mesh->geometry->closed;
  const bool turned = check.open_edges + check.crowded_edges == 0;
  print("as a body", !mesh ? "no: " + format(mesh.error())
                     : !solid && turned
                         ? std::string("static only: neighbours do not agree which side is outside")
                     : !solid ? std::string("static only: it is not closed")
                              : std::string("yes"));
  return solid ? 0 : 1;
}

}  // namespace tenon::cli
