// Source: Wavefront Advanced Visualizer manual, appendix B1 (OBJ) and the MTL description.
#include "tenon/render/export/obj.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "tenon/render/export/detail/bounds.h"
#include "tenon/render/export/detail/keys.h"
#include "tenon/render/export/mesh.h"

namespace tenon::exports {
namespace {

std::string num9(double value) {
  char buffer[32];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 9).ptr;
  return {buffer, end};
}
std::string line(const char* word, const Vec3& v) {
  return std::string(word) + " " + num9(v.x) + " " + num9(v.y) + " " + num9(v.z) + "\n";
}

// Names end at the first blank.
std::string one_word(const std::string& name) {
  std::string word;
  for (const char c : name) word += static_cast<unsigned char>(c) <= ' ' ? '_' : c;
  return word.empty() ? "unnamed" : word;
}

class ObjWriter {
 public:
  void add(const std::string& name, const TriangleMesh& mesh, const Pose& X,
           const render::StageLook& look) {
    text_ += "o " + one_word(name) + "\nusemtl " + find_material(look) + "\n";
    for (const Vec3& p : mesh.points) text_ += line("v", X.p + rotate(X.q, p));
    for (const Vec3& n : mesh.normals) text_ += line("vn", rotate(X.q, n));
    for (const auto& triangle : mesh.triangles) {
      text_ += "f";
      for (const uint32_t corner : triangle) {
        const std::string place = std::to_string(points_ + corner + 1);
        text_ += " " + place + "//" + place;
      }
      text_ += "\n";
    }
    points_ += mesh.points.size();
  }
  ObjFiles take(const std::string& heading) { return {heading + text_, materials_text_}; }

 private:
  std::string find_material(const render::StageLook& look) {
    const auto [found, made] = materials_.emplace(key_of(look), materials_.size());
    const std::string name =
        std::string(render::name(look.pattern)) + "_" + std::to_string(found->second);
    if (!made) return name;
    const double shine = 1 - look.roughness;
    const Vec3 mirrored = look.metallic > 0.5 ? look.color : Vec3{1, 1, 1} * look.reflection;
    materials_text_ += "newmtl " + name + "\n" +
                       line("Kd", (1 - 0.7 * look.metallic) * look.color) + line("Ks", mirrored) +
                       "Ns " + num9(2 + 998 * shine * shine) + "\nd " +
                       num9(1 - look.transparency) + "\nNi " + num9(look.refraction) + "\nPr " +
                       num9(look.roughness) + "\nPm " + num9(look.metallic) + "\nillum " +
                       (look.transparency > 0 ? "7" : "2") + "\n\n";
    return name;
  }

  std::string text_, materials_text_;
  std::map<std::string, size_t> materials_;
  size_t points_ = 0;
};

double size_of(const render::Stage& stage) {
  const Aabb box = bounds_of(stage);
  return norm(box.hi - box.lo) + norm(center(box));
}

}  // namespace

ObjFiles to_obj(const render::Stage& stage, const std::string& mtl_name) {
  ObjWriter writer;
  const MeshDetail detail{32, 2 * size_of(stage)};
  for (const render::StageSolid& solid : stage.solids)
    writer.add(solid.name, make_mesh(solid.shape, detail), solid.X_WS, solid.look);
  for (const render::StageTube& tube : stage.tubes)
    writer.add(tube.name, make_tube(tube.points_W, tube.radius), {}, tube.look);
  return writer.take("# Tenon: " + one_word(stage.title) + ", t = " + num9(stage.time) +
                     " s\nmtllib " + mtl_name + "\n");
}

}  // namespace tenon::exports
