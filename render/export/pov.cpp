#include "tenon/render/export/pov.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/render/detail/mesh_surface.h"
#include "tenon/render/export/detail/bounds.h"
#include "tenon/render/export/detail/keys.h"

namespace tenon::exports {
namespace {

using render::Stage;
using render::StageCamera;
using render::StageLight;
using render::StageSolid;

std::string num(double value) {
  char buffer[32];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 9).ptr;
  return {buffer, end};
}
// The shortest that reads back to the same bits: POV-Ray wants its camera square to 1e-10.
std::string exact(const Vec3& v) {
  std::string text = "<";
  for (int c = 0; c < 3; ++c) {
    char buffer[32];
    text += (c > 0 ? ", " : "");
    text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, v[c]).ptr);
  }
  return text + ">";
}
std::string vec(const Vec3& v) { return "<" + num(v.x) + ", " + num(v.y) + ", " + num(v.z) + ">"; }

// Rows are the images of the axes, then the origin.
std::string matrix(const Pose& X) {
  std::string text = "matrix <";
  for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
    const Vec3 v = rotate(X.q, axis);
    text += num(v.x) + ", " + num(v.y) + ", " + num(v.z) + ", ";
  }
  return text + num(X.p.x) + ", " + num(X.p.y) + ", " + num(X.p.z) + ">";
}

std::string text_of(const Sphere& s) { return "sphere { 0, " + num(s.radius) + " }"; }
std::string text_of(const Box& b) { return "box { " + vec(-b.half) + ", " + vec(b.half) + " }"; }
std::string text_of(const Cylinder& c) {
  return "cylinder { -y*" + num(c.half_height) + ", y*" + num(c.half_height) + ", " +
         num(c.radius) + " }";
}
// merged, so that glass has no walls inside
std::string text_of(const Capsule& c) {
  const std::string h = num(c.half_length), r = num(c.radius);
  if (!(c.half_length > 0)) return "sphere { 0, " + r + " }";
  return "merge { cylinder { -y*" + h + ", y*" + h + ", " + r + " } sphere { -y*" + h + ", " + r +
         " } sphere { y*" + h + ", " + r + " } }";
}
std::string text_of(const Plane&) { return "plane { y, 0 }"; }
std::string text_of(const Hull& hull) {
  if (!hull.geometry) return "sphere { 0, 1e-6 }";
  const HullGeometry& g = *hull.geometry;
  std::string points, faces;
  for (const Vec3& v : g.vertices) points += ", " + vec(v);
  size_t count = 0;
  for (const HullGeometry::Face& face : g.faces) {
    const auto at = [&](int i) {
      return std::to_string(g.face_vertices[static_cast<size_t>(face.first + i)]);
    };
    for (int i = 1; i + 1 < face.count; ++i, ++count)
      faces += ", <" + at(0) + ", " + at(i) + ", " + at(i + 1) + ">";
  }
  return "mesh2 { vertex_vectors { " + std::to_string(g.vertices.size()) + points +
         " } face_indices { " + std::to_string(count) + faces + " } inside_vector y }";
}

std::string text_of(const Mesh& mesh) {
  if (!mesh.geometry) return "sphere { 0, 1e-6 }";
  const render::DrawnMesh drawn = render::make_drawn(*mesh.geometry);
  const std::string count = std::to_string(drawn.points.size());
  std::string text = "mesh2 { vertex_vectors { " + count;
  for (const Vec3& v : drawn.points) text += ", " + vec(v);
  text += " } normal_vectors { " + count;
  for (const Vec3& n : drawn.normals) text += ", " + vec(n);
  text += " } face_indices { " + std::to_string(drawn.triangles.size());
  for (const auto& t : drawn.triangles)
    text += ", <" + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " +
            std::to_string(t[2]) + ">";
  return text + (mesh.geometry->closed ? " } inside_vector y }" : " } }");
}

std::string look_text(const render::StageLook& look, int grain) {
  using render::Pattern;
  const std::string color = "rgb " + vec(look.color), size = num(std::max(look.pattern_size, 1e-9));
  const std::string finish = num(std::clamp(look.roughness, 0.0, 1.0)) + ", " +
                             num(std::clamp(look.metallic, 0.0, 1.0)) + ", " +
                             num(std::clamp(look.reflection, 0.0, 1.0));
  if (look.glow > 0) return "Tenon_Glow(" + color + ", " + num(look.glow) + ")";
  if (look.pattern == Pattern::kIce)
    return "Tenon_Ice(" + color + ", " + size + ", " + num(look.transparency) + ", " +
           num(look.refraction) + ", " + finish + ")";
  if (look.transparency > 0)
    return "Tenon_Glass(" + color + ", " + num(look.transparency) + ", " + num(look.refraction) +
           ", " + finish + ")";
  switch (look.pattern) {
    case Pattern::kWood:
      return "Tenon_Wood(" + color + ", " + size + ", " + std::to_string(grain) + ", " + finish +
             ")";
    case Pattern::kStone:
      return "Tenon_Stone(" + color + ", " + size + ", " + finish + ")";
    case Pattern::kBrushed:
      return "Tenon_Brushed(" + color + ", " + size + ", " + finish + ")";
    case Pattern::kChecker:
      return "Tenon_Checker(" + color + ", " + size + ", " + finish + ")";
    case Pattern::kPlain:
    case Pattern::kGlass:
    case Pattern::kIce:
      break;
  }
  return "Tenon_Plain(" + color + ", " + finish + ")";
}

// A tube: cylinders with balls at the corners.
std::string text_of(const render::StageTube& tube) {
  const std::string r = num(tube.radius);
  std::string text = "union {";
  for (size_t i = 0; i < tube.points_W.size(); ++i) {
    const Vec3& p = tube.points_W[i];
    text += "\n  sphere { " + vec(p) + ", " + r + " }";
    // POV-Ray refuses cylinders without length, in the digits it is given
    if (i + 1 < tube.points_W.size() && vec(p) != vec(tube.points_W[i + 1]))
      text += " cylinder { " + vec(p) + ", " + vec(tube.points_W[i + 1]) + ", " + r + " }";
  }
  return text;
}

struct Ball {
  Vec3 middle;
  double radius = 1;
};
// About everything but planes.
Ball ball_around(const Stage& stage) {
  const Aabb box = bounds_of(stage);
  return {center(box), std::max(0.5 * norm(box.hi - box.lo), 1e-6)};
}

// By how much all light is scaled so that a light grey surface in full light is nearly white.
double exposure(const Stage& stage) {
  Vec3 sum;
  for (const StageLight& light : stage.lights)
    if (light.type != scene::LightType::kPoint) sum += light.rgb;
  return 1.6 / std::max(0.01, std::max({sum.x, sum.y, sum.z}));
}

std::string lights_text(const Stage& stage, const Ball& ball) {
  const double scale = exposure(stage);
  Vec3 ambient;
  std::string text;
  for (const StageLight& light : stage.lights) {
    const Vec3 rgb = scale * light.rgb;
    if (light.type == scene::LightType::kAmbient) {
      ambient += rgb;
    } else if (light.type == scene::LightType::kPoint) {
      text += "light_source { " + vec(light.p_W) + ", rgb " + vec(rgb) +
              " fade_distance 1 fade_power 2 }\n";
    } else {
      // far away, with a disc of 2.7 degrees for soft shadows
      const double distance = 100 * ball.radius, width = 0.048 * distance;
      const Vec3 u = any_orthogonal(light.direction_W), v = cross(light.direction_W, u);
      text += "light_source { " + vec(ball.middle - distance * light.direction_W) + ", rgb " +
              vec(rgb) + " parallel point_at " + vec(ball.middle) + " area_light " +
              vec(width * u) + ", " + vec(width * v) + ", 5, 5 adaptive 1 circular }\n";
    }
  }
  const Vec3 zenith{0.42, 0.72, 1.30}, horizon{1.60, 1.62, 1.62}, ground{0.80, 0.77, 0.73};
  const auto sky = [&](const Vec3& g) { return "color rgb " + vec(cwise_mul(ambient, g)); };
  text += "sky_sphere { pigment { gradient y color_map { [0.2 " + sky(ground) + "] [0.5 " +
          sky(horizon) + "] [0.65 " + sky(0.42 * horizon + 0.58 * zenith) + "] [1 " + sky(zenith) +
          "] } scale 2 translate -1 } }\n";
  return "global_settings { assumed_gamma 1.0 ambient_light rgb " + vec(ambient) +
         " max_trace_level 12 }\n" + text;
}

// Rays go along direction + x right + y up with x and y from -1/2 to 1/2.
std::string camera_text(const StageCamera& camera, double aspect) {
  return "camera {\n  location " + exact(camera.p_WE) + "\n  direction " +
         exact(camera.forward_W * (0.5 / tan(0.5 * camera.fov_rad))) + "\n  right " +
         exact(aspect * camera.right_W) + "\n  up " + exact(camera.up_W) + "\n}\n";
}

// POV-Ray gives its pictures as many digits as the last one needs.
size_t digits_of(size_t number) { return std::to_string(number).size(); }

std::string comment(const std::string& text) {
  std::string safe;
  for (const char c : text) safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return "// " + safe + "\n";
}

}  // namespace

size_t PovWriter::find_shape(const Shape& shape) {
  const auto [found, made] = shapes_.emplace(key_of(shape), shapes_.size());
  if (made)
    shape_text_ += "#declare Tenon_Shape_" + std::to_string(found->second) + " = " +
                   std::visit([](const auto& s) { return text_of(s); }, shape) + "\n";
  return found->second;
}

size_t PovWriter::find_look(const render::StageLook& look, int grain) {
  const auto [found, made] = looks_.emplace(look_text(look, grain), looks_.size());
  if (made)
    look_text_ += "#declare Tenon_Look_" + std::to_string(found->second) + " = material { " +
                  found->first + " }\n";
  return found->second;
}

std::string PovWriter::frame(const Stage& stage, const StageCamera& camera) {
  std::string text =
      comment("Written by Tenon: " + stage.title + ", t = " + num(stage.time) + " s");
  text += "#version 3.7;\n" + lights_text(stage, ball_around(stage));
  text += "#include \"tenon_materials.inc\"\n#include \"tenon_scene.inc\"\n";
  text += camera_text(camera, static_cast<double>(options_.width) / options_.height);
  for (const StageSolid& solid : stage.solids) {
    const std::string look = std::to_string(find_look(solid.look, grain_axis(solid.shape)));
    // links stretch: a shape of their own in every frame
    const std::string shape =
        solid.role == render::Role::kBody
            ? "object { Tenon_Shape_" + std::to_string(find_shape(solid.shape)) + " "
            : "object { " + std::visit([](const auto& s) { return text_of(s); }, solid.shape) + " ";
    text += shape + "material { Tenon_Look_" + look + " } " + matrix(solid.X_WS) + " } " +
            comment(solid.name);
  }
  for (const render::StageTube& tube : stage.tubes) {
    const std::string look = std::to_string(find_look(tube.look, 1));
    text += text_of(tube) + "\n  material { Tenon_Look_" + look + " } } " + comment(tube.name);
  }
  return text;
}

std::string PovWriter::scene_include() const {
  return "// Written by Tenon: shapes and looks of all frames.\n" + shape_text_ + look_text_;
}

std::string PovWriter::animation_scene(const std::string& name, size_t frames) {
  return "// Written by Tenon: the frame that the animation has come to.\n#version 3.7;\n#include "
         "concat(\"" +
         name + "_\", str(frame_number, -" + std::to_string(digits_of(frames)) +
         ", 0), \".pov\")\n";
}

std::string PovWriter::animation_ini(const std::string& name, size_t frames, double from_s,
                                     double to_s) const {
  // a single picture is no animation to POV-Ray
  const bool one = frames == 1;
  std::string text = "; Written by Tenon. Renders all frames: povray " + name + ".ini\n; " +
                     num(options_.fps) + " frames per second, t = " + num(from_s) + " s to " +
                     num(to_s) + " s\nInput_File_Name=" + name + (one ? "_1" : "") +
                     ".pov\nOutput_File_Name=" + name + (one ? "_1.png" : "_.png") +
                     "\nOutput_File_Type=N\nWidth=" + std::to_string(options_.width) +
                     "\nHeight=" + std::to_string(options_.height) +
                     "\nAntialias=On\nAntialias_Threshold=0.15\nAntialias_Depth=2\nDisplay=Off\n"
                     "Verbose=Off\n";
  if (one) return text;
  return text + "Initial_Frame=1\nFinal_Frame=" + std::to_string(frames) +
         "\nInitial_Clock=" + num(from_s) + "\nFinal_Clock=" + num(to_s) + "\n";
}

std::string pov_frame_name(const std::string& name, size_t number, size_t frames) {
  std::string digits = std::to_string(number);
  digits.insert(0, digits_of(frames) - std::min(digits_of(frames), digits.size()), '0');
  return name + "_" + digits + ".pov";
}

}  // namespace tenon::exports
