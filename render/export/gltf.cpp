#include "tenon/render/export/gltf.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tenon/engine/math/elementary.h"
#include "tenon/render/color.h"
#include "tenon/render/export/detail/gltf_buffer.h"
#include "tenon/render/plot/png.h"
#include "tenon/scene/formats/json_text.h"

namespace tenon::exports {
namespace {

using scene::Json;
using Bounds = GltfBuffer::Bounds;

int size_of(const Json& list) { return static_cast<int>(list.items.size()); }

Json numbers(std::initializer_list<double> values) {
  Json list = Json::array();
  // beyond what a float holds, nothing can be drawn
  for (const double v : values) list.push(static_cast<double>(static_cast<float>(v)));
  return list;
}
Json numbers(const Vec3& v) { return numbers({v.x, v.y, v.z}); }
// glTF writes x y z w. Rounded to float it is still of unit length to 1e-7.
Json numbers(const Quat& q) { return numbers({q.x, q.y, q.z, q.w}); }

class GltfWriter {
 public:
  explicit GltfWriter(const Baked& baked) : baked_(baked) {}

  Result<std::string> write() {
    write_materials();
    write_nodes();
    write_cameras();
    write_lights();
    write_animation();
    return pack();
  }

 private:
  void write_materials() {
    for (const render::StageLook& look : baked_.looks) {
      Json pbr = Json::object();
      Vec3 color = look.color;
      if (look.pattern == render::Pattern::kChecker) {
        pbr.set("baseColorTexture", Json::object().set("index", checker_texture()));
      }
      pbr.set("baseColorFactor", numbers({color.x, color.y, color.z, 1.0}))
          .set("metallicFactor", look.metallic)
          .set("roughnessFactor", look.roughness);
      Json material = Json::object();
      material.set("name", std::string(render::name(look.pattern)))
          .set("pbrMetallicRoughness", std::move(pbr));
      if (look.glow > 0) material.set("emissiveFactor", numbers(std::min(look.glow, 1.0) * color));
      if (look.transparency > 0) {
        Json more = Json::object();
        more.set("KHR_materials_transmission",
                 Json::object().set("transmissionFactor", look.transparency))
            .set("KHR_materials_ior", Json::object().set("ior", std::max(look.refraction, 1.0)));
        material.set("extensions", std::move(more));
        uses_glass_ = true;
      }
      materials_.push(std::move(material));
    }
  }

  // Two light and two dark fields; the plane repeats them.
  int checker_texture() {
    if (checker_ >= 0) return checker_;
    plot::Pixels pixels{64, 64, {}};
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x)
        for (int c = 0; c < 3; ++c) pixels.rgb.push_back((x < 32) == (y < 32) ? 255 : 236);
    Json image = Json::object();
    image.set("bufferView", buffer_.add_bytes(plot::to_png(pixels))).set("mimeType", "image/png");
    images_.push(std::move(image));
    checker_ = 0;
    return checker_;
  }

  // Points of a mesh are stored once, whatever looks it has.
  Json attributes_of(size_t mesh, const render::StageLook& look) {
    const bool textured = look.pattern == render::Pattern::kChecker;
    Stored& stored = stored_[{mesh, textured ? look.pattern_size : 0}];
    if (stored.points < 0) store(baked_.meshes[mesh], textured ? look.pattern_size : 0, stored);
    Json attributes = Json::object();
    attributes.set("POSITION", stored.points).set("NORMAL", stored.normals);
    if (stored.uvs >= 0) attributes.set("TEXCOORD_0", stored.uvs);
    Json primitive = Json::object();
    return primitive.set("attributes", std::move(attributes)).set("indices", stored.indices);
  }
  struct Stored {
    int points = -1, normals = -1, uvs = -1, indices = -1;
  };
  void store(const TriangleMesh& mesh, double field, Stored& stored) {
    std::vector<float> points, normals, uvs;
    std::vector<uint32_t> indices;
    for (size_t i = 0; i < mesh.points.size(); ++i) {
      for (int c = 0; c < 3; ++c) points.push_back(static_cast<float>(mesh.points[i][c]));
      for (int c = 0; c < 3; ++c) normals.push_back(static_cast<float>(mesh.normals[i][c]));
      // a texture is two fields wide
      if (field > 0)
        for (const int c : {0, 2})
          uvs.push_back(static_cast<float>(0.5 * mesh.points[i][c] / field));
    }
    for (const auto& triangle : mesh.triangles)
      indices.insert(indices.end(), triangle.begin(), triangle.end());
    stored.points = buffer_.add_floats(points, 3, Target::kVertices, Bounds::kGiven);
    stored.normals = buffer_.add_floats(normals, 3, Target::kVertices, Bounds::kNone);
    if (field > 0) stored.uvs = buffer_.add_floats(uvs, 2, Target::kVertices, Bounds::kNone);
    stored.indices = buffer_.add_indices(indices);
  }

  int find_mesh(const Piece& piece) {
    const auto [found, made] =
        meshes_of_.emplace(std::pair(piece.mesh, piece.look), size_of(meshes_));
    if (!made) return found->second;
    Json primitive = attributes_of(piece.mesh, baked_.looks[piece.look]);
    primitive.set("material", static_cast<int>(piece.look));
    Json mesh = Json::object();
    mesh.set("primitives", Json::array({std::move(primitive)}));
    meshes_.push(std::move(mesh));
    return found->second;
  }

  static void place(Json& node, const Pose& X, const Vec3& scale) {
    if (X.p != Vec3{}) node.set("translation", numbers(X.p));
    if (!(X.q == Quat{})) node.set("rotation", numbers(X.q));
    if (scale != Vec3{1, 1, 1}) node.set("scale", numbers(scale));
  }

  // A node per track; a single part in the track's own frame sits on it, others are children.
  void write_nodes() {
    std::vector<std::vector<const Piece*>> pieces(baked_.tracks.size());
    for (const Piece& piece : baked_.pieces) pieces[piece.track].push_back(&piece);
    node_of_.assign(baked_.tracks.size(), -1);
    for (size_t i = 0; i < baked_.tracks.size(); ++i) {
      if (pieces[i].empty()) continue;
      Json node = track_node(baked_.tracks[i]);
      Json children = Json::array();
      if (pieces[i].size() == 1 && pieces[i][0]->X_TP == Pose{}) {
        node.set("mesh", find_mesh(*pieces[i][0]));
      } else {
        for (const Piece* piece : pieces[i]) {
          Json child = Json::object();
          child.set("mesh", find_mesh(*piece));
          place(child, piece->X_TP, {1, 1, 1});
          children.push(size_of(nodes_));
          nodes_.push(std::move(child));
        }
        node.set("children", std::move(children));
      }
      add_root(i, std::move(node));
    }
  }
  static Json track_node(const Track& track) {
    Json node = Json::object();
    node.set("name", track.name);
    place(node, track.poses.front(), track.scales.empty() ? Vec3{1, 1, 1} : track.scales.front());
    return node;
  }
  void add_root(size_t track, Json node) {
    node_of_[track] = size_of(nodes_);
    roots_.push(size_of(nodes_));
    nodes_.push(std::move(node));
  }

  void write_cameras() {
    const double size = norm(baked_.bounds.hi - baked_.bounds.lo);
    for (const CameraTrack& from : baked_.cameras) {
      Json perspective = Json::object();
      // no zfar: infinitely far
      perspective.set("yfov", from.fov_rad)
          .set("znear", static_cast<double>(static_cast<float>(std::max(1e-3 * size, 1e-6))));
      Json camera = Json::object();
      camera.set("type", "perspective")
          .set("name", baked_.tracks[from.track].name)
          .set("perspective", std::move(perspective));
      Json node = track_node(baked_.tracks[from.track]);
      node.set("camera", size_of(cameras_));
      cameras_.push(std::move(camera));
      add_root(from.track, std::move(node));
    }
  }

  // A white surface that faces a light of 1 is to look white: its irradiance is pi.
  void write_lights() {
    for (const render::StageLight& from : baked_.lights) {
      if (from.type == scene::LightType::kAmbient) continue;  // programs have skies of their own
      const double strength = std::max({from.rgb.x, from.rgb.y, from.rgb.z});
      if (!(strength > 0)) continue;
      const bool sun = from.type == scene::LightType::kSun;
      Json light = Json::object();
      light.set("type", sun ? "directional" : "point")
          .set("color", numbers(from.rgb / strength))
          .set("intensity", kPi * strength);
      Json node = Json::object();
      node.set("name", sun ? "sun" : "lamp");
      if (sun) {
        // lights shine along -z
        const Vec3 z = -from.direction_W, x = any_orthogonal(z);
        node.set("rotation", numbers(to_quat(Mat3::from_columns(x, cross(z, x), z))));
      } else {
        node.set("translation", numbers(from.p_W));
      }
      Json use = Json::object();
      use.set("light", size_of(lights_));
      node.set("extensions", Json::object().set("KHR_lights_punctual", std::move(use)));
      lights_.push(std::move(light));
      roots_.push(size_of(nodes_));
      nodes_.push(std::move(node));
    }
  }

  void write_animation() {
    if (baked_.times.size() < 2) return;
    std::vector<float> times;
    for (const double t : baked_.times) times.push_back(static_cast<float>(t));
    for (size_t i = 0; i < baked_.tracks.size(); ++i) {
      const Track& track = baked_.tracks[i];
      if (node_of_[i] < 0) continue;
      if (track.poses.size() > 1) {
        std::vector<float> p, q;
        for (const Pose& X : track.poses) {
          for (int c = 0; c < 3; ++c) p.push_back(static_cast<float>(X.p[c]));
          for (const double c : {X.q.x, X.q.y, X.q.z, X.q.w}) q.push_back(static_cast<float>(c));
        }
        add_channel(times, p, 3, node_of_[i], "translation");
        add_channel(times, q, 4, node_of_[i], "rotation");
      }
      if (!track.scales.empty()) {
        std::vector<float> s;
        for (const Vec3& v : track.scales)
          for (int c = 0; c < 3; ++c) s.push_back(static_cast<float>(v[c]));
        add_channel(times, s, 3, node_of_[i], "scale");
      }
    }
  }
  void add_channel(const std::vector<float>& times, const std::vector<float>& values, int width,
                   int node, const char* path) {
    if (times_ < 0) times_ = buffer_.add_floats(times, 1, Target::kNone, Bounds::kGiven);
    Json sampler = Json::object();
    sampler.set("input", times_)
        .set("output", buffer_.add_floats(values, width, Target::kNone, Bounds::kNone))
        .set("interpolation", "LINEAR");
    Json target = Json::object();
    target.set("node", node).set("path", path);
    Json channel = Json::object();
    channel.set("sampler", size_of(samplers_)).set("target", std::move(target));
    samplers_.push(std::move(sampler));
    channels_.push(std::move(channel));
  }

  Json describe() {
    Json asset = Json::object();
    asset.set("version", "2.0").set("generator", "tenon " + baked_.version);
    Json scene = Json::object();
    scene.set("name", baked_.title);
    if (size_of(roots_) > 0) scene.set("nodes", std::move(roots_));
    Json root = Json::object();
    root.set("asset", std::move(asset)).set("scene", 0);
    root.set("scenes", Json::array({std::move(scene)}));
    Json used = Json::array();
    if (uses_glass_) used.push("KHR_materials_transmission").push("KHR_materials_ior");
    if (size_of(lights_) > 0) used.push("KHR_lights_punctual");
    if (size_of(used) > 0) root.set("extensionsUsed", std::move(used));
    if (size_of(lights_) > 0)
      root.set("extensions", Json::object().set("KHR_lights_punctual",
                                                Json::object().set("lights", std::move(lights_))));
    if (size_of(images_) > 0) {
      root.set("samplers", Json::array({Json::object()
                                            .set("magFilter", 9729)
                                            .set("minFilter", 9987)
                                            .set("wrapS", 10497)
                                            .set("wrapT", 10497)}));
      root.set("textures", Json::array({Json::object().set("sampler", 0).set("source", 0)}));
    }
    if (size_of(channels_) > 0) {
      Json animation = Json::object();
      animation.set("name", baked_.title)
          .set("channels", std::move(channels_))
          .set("samplers", std::move(samplers_));
      root.set("animations", Json::array({std::move(animation)}));
    }
    if (!buffer_.bytes().empty())
      root.set("buffers", Json::array({Json::object().set(
                              "byteLength", static_cast<double>(buffer_.bytes().size()))}));
    // empty lists are not allowed
    const std::pair<const char*, Json> lists[] = {
        {"nodes", std::move(nodes_)},           {"meshes", std::move(meshes_)},
        {"materials", std::move(materials_)},   {"cameras", std::move(cameras_)},
        {"images", std::move(images_)},         {"bufferViews", buffer_.take_views()},
        {"accessors", buffer_.take_accessors()}};
    for (const auto& [key, list] : lists)
      if (size_of(list) > 0) root.set(key, list);
    return root;
  }

  // Header, JSON chunk filled with spaces, binary chunk filled with zeros.
  Result<std::string> pack() {
    std::string json = scene::format_json(describe());
    json.resize((json.size() + 3) / 4 * 4, ' ');
    const std::string& bytes = buffer_.bytes();
    const size_t total = 12 + 8 + json.size() + (bytes.empty() ? 0 : 8 + bytes.size());
    if (total > 0xffffffffu)
      return Error{.message = "the animation does not fit into a glTF file, which ends at 4 GiB",
                   .accepted = "a shorter span of time, or every n-th frame"};
    std::string file;
    file.reserve(total);
    const auto word = [&](size_t value) {
      for (int i = 0; i < 4; ++i) file += static_cast<char>(value >> 8 * i & 0xff);
    };
    word(0x46546c67);  // "glTF"
    word(2);
    word(total);
    word(json.size());
    word(0x4e4f534a);  // "JSON"
    file += json;
    if (bytes.empty()) return file;
    word(bytes.size());
    word(0x004e4942);  // "BIN"
    return file + bytes;
  }

  const Baked& baked_;
  GltfBuffer buffer_;
  Json materials_ = Json::array(), meshes_ = Json::array(), nodes_ = Json::array(),
       roots_ = Json::array(), cameras_ = Json::array(), lights_ = Json::array(),
       images_ = Json::array(), channels_ = Json::array(), samplers_ = Json::array();
  std::map<std::pair<size_t, double>, Stored> stored_;
  std::map<std::pair<size_t, size_t>, int> meshes_of_;
  std::vector<int> node_of_;  // of each track; -1 for none
  int checker_ = -1, times_ = -1;
  bool uses_glass_ = false;
};

}  // namespace

Result<std::string> to_glb(const Baked& baked) { return GltfWriter(baked).write(); }

}  // namespace tenon::exports
