// A take as a page draws it.
#include <cmath>
#include <cstring>

#include "tenon/engine/base/hash.h"
#include "tenon/scene/build/body_color.h"
#include "tenon/scene/formats/scene_text.h"
#include "tenon/scene/mesh/mesh_library.h"
#include "tenon/studio/session/json_list.h"
#include "tenon/studio/session/session.h"

namespace tenon::studio {
namespace {

using namespace tenon::scene;

// Triangles of the meshes of a scene, each once, for all bodies that have it.
class MeshWriter {
 public:
  MeshWriter(const FileReader& read, std::set<std::string>& told) : read_(read), told_(told) {}
  // Its place in the list; -1 where there are no triangles or too many of them for a page.
  int find(const MeshShape& shape) {
    for (const auto& [known, index] : known_)
      if (*known == shape) return index;
    int index = -1;
    const Result<MeshData> data = resolve_mesh(shape, read_);
    if (data && data->triangles.size() <= kMostTriangles) {
      push(*data);
      index = count_++;
    }
    known_.emplace_back(&shape, index);
    return index;
  }
  Json take() { return std::move(meshes_); }

 private:
  // By content, so that a page that has it is not sent it again with every edit.
  static std::string identify(const MeshData& data) {
    Hasher hash;
    for (const Vec3& p : data.vertices)
      for (const double x : {p.x, p.y, p.z}) hash.add(x);
    for (const auto& triangle : data.triangles)
      for (const int corner : triangle) hash.add(static_cast<uint64_t>(corner));
    return std::to_string(hash.value());
  }
  void push(const MeshData& data) {
    Json one = Json::object();
    const std::string id = identify(data);
    one.set("id", id);
    if (told_.insert(id).second) {
      Json points = Json::array(), corners = Json::array();
      for (const Vec3& p : data.vertices) {
        for (const double x : {p.x, p.y, p.z})
          points.push(static_cast<double>(static_cast<float>(x)));
      }
      for (const auto& triangle : data.triangles) {
        for (const int corner : triangle) corners.push(corner);
      }
      one.set("vertices", std::move(points)).set("triangles", std::move(corners));
    }
    meshes_.push(std::move(one));
  }

  static constexpr size_t kMostTriangles = 300'000;
  const FileReader& read_;
  std::set<std::string>& told_;
  std::vector<std::pair<const MeshShape*, int>> known_;
  Json meshes_ = Json::array();
  int count_ = 0;
};

struct ShapeWriter {
  MeshWriter& meshes;
  const Document& flat;
  const Body& body;
  Json out = Json::object();
  void operator()(const SphereShape& s) { out.set("type", "sphere").set("radius", s.radius); }
  void operator()(const BoxShape& s) { out.set("type", "box").set("size", list(s.size)); }
  void operator()(const CylinderShape& s) {
    out.set("type", "cylinder").set("radius", s.radius).set("height", s.height);
  }
  void operator()(const CapsuleShape& s) {
    out.set("type", "capsule").set("radius", s.radius).set("length", s.length);
  }
  void operator()(const PlaneShape& s) {
    out.set("type", "plane").set("normal", list(s.normal)).set("offset", s.offset);
  }
  void operator()(const HullShape& s) {
    Json points = Json::array();
    for (const Vec3& p : s.points) points.push(list(p));
    out.set("type", "hull").set("points", std::move(points));
  }
  void operator()(const MeshShape& s) { out.set("type", "mesh").set("mesh", meshes.find(s)); }
  void operator()(const PointMassShape&) { out.set("type", "point_mass"); }
  void operator()(const FixedPointShape&) { out.set("type", "fixed_point"); }
  void operator()(const CompoundShape& s) {
    Json parts = Json::array();
    for (const Part& part : s.parts) {
      ShapeWriter writer{meshes, flat, body};
      std::visit(writer, part.shape);
      Json one = Json::object();
      one.set("shape", std::move(writer.out)).set("position", list(part.position));
      one.set("orientation", list(part.orientation)).set("material", part.material);
      const std::string& material = part.material.empty() ? body.material : part.material;
      one.set("color", list(find_shown_color(flat, body, material, false, &part)));
      parts.push(std::move(one));
    }
    out.set("type", "compound").set("parts", std::move(parts));
  }
};

Json write_look(const Look& look) {
  Json out = Json::object();
  out.set("color", list(look.color)).set("roughness", look.roughness);
  out.set("metallic", look.metallic).set("transparency", look.transparency);
  out.set("texture", look.texture);
  return out;
}

Json write_materials(const Document& flat) {
  Json out = Json::object();
  const auto add = [&](const Material& m) {
    Json one = write_look(m.look);
    one.set("density", m.density).set("restitution", m.restitution);
    one.set("static_friction", m.static_friction).set("sliding_friction", m.sliding_friction);
    one.set("rolling_friction", m.rolling_friction).set("spinning_friction", m.spinning_friction);
    one.set("stiffness", m.stiffness).set("damping", m.damping);
    one.set("builtin", find_builtin_material(m.name) != nullptr);
    out.set(m.name, std::move(one));
  };
  for (const Material& m : builtin_materials()) add(m);
  for (const Material& m : flat.materials) add(m);
  return out;
}

Json write_body(const Body& body, const Take& take, const World* world, size_t index,
                MeshWriter& meshes) {
  static const char* const motions[] = {"dynamic", "static", "kinematic"};
  ShapeWriter shape{meshes, *take.flat, body};
  std::visit(shape, body.shape);
  Json out = Json::object();
  out.set("name", body.name).set("shape", std::move(shape.out)).set("material", body.material);
  out.set("motion", motions[static_cast<int>(body.motion)]);
  out.set("position", list(body.position)).set("orientation", list(body.orientation));
  if (const Material* m = find_material(*take.flat, body.material); m != nullptr) {
    Look look = m->look;
    const bool is_plane = std::holds_alternative<PlaneShape>(body.shape);
    look.color = find_shown_color(*take.flat, body, body.material, is_plane, nullptr);
    look.roughness = body.roughness.value_or(look.roughness);
    look.metallic = body.metallic.value_or(look.metallic);
    look.transparency = body.transparency.value_or(look.transparency);
    out.set("look", write_look(look));
  }
  if (world != nullptr && index < take.cast.handles.size() &&
      world->contains(take.cast.handles[index])) {
    out.set("mass", world->mass(take.cast.handles[index]).mass);
  }
  // bodies of arrays and prefabs have no entry of their own
  out.set("own", find_entry(*take.tree, "bodies", body.name) != nullptr);
  return out;
}

std::string body_name(const Cast& cast, BodyHandle handle) {
  for (size_t i = 0; i < cast.handles.size(); ++i)
    if (cast.handles[i] == handle) return cast.names[i];
  return kWorldName;
}

// Limits of its first freedom that has any, and how what it holds would swing.
void add_laws(Json& out, const World& world, JointHandle handle, const JointDef& def) {
  static const char* const axes[] = {"x", "y", "z", "rx", "ry", "rz"};
  for (size_t k = 0; k < def.axes.size(); ++k) {
    const JointAxisDef& axis = def.axes[k];
    if (!(axis.min > -kInfinity) && !(axis.max < kInfinity)) continue;
    Json limit = Json::object();
    limit.set("axis", axes[k]);
    if (axis.min > -kInfinity) limit.set("min", axis.min);
    if (axis.max < kInfinity) limit.set("max", axis.max);
    out.set("limit", std::move(limit));
    break;
  }
  // what it leaves free, each with its limits
  Json free = Json::array();
  const uint8_t bits = world.read_joint(handle).free_axes;
  for (size_t k = 0; k < def.axes.size(); ++k) {
    if ((bits >> k & 1) == 0) continue;
    Json one = Json::object();
    one.set("axis", axes[k]);
    if (def.axes[k].min > -kInfinity) one.set("min", def.axes[k].min);
    if (def.axes[k].max < kInfinity) one.set("max", def.axes[k].max);
    free.push(std::move(one));
  }
  out.set("free", std::move(free));
  const Vibration swing = world.calc_vibration(handle);
  if (swing.has_spring) {
    out.set("frequency", swing.frequency_hz);
    out.set("damping_ratio", swing.damping_ratio);
  }
}

// A gear has no place: between the bodies that its two joints move.
Json write_gear(const Take& take, const World& world, const JointDef& gear,
                const std::string& name) {
  const auto moved = [&](JointHandle joint) {
    return world.contains(joint) ? body_name(take.cast, world.joint_def(joint).child)
                                 : std::string(kWorldName);
  };
  Json one = Json::object();
  one.set("name", name).set("type", "gear");
  one.set("a", moved(gear.first)).set("b", moved(gear.second));
  one.set("pa", list(Vec3{})).set("qa", list(Quat{}));
  one.set("pb", list(Vec3{})).set("qb", list(Quat{}));
  one.set("section", "joints").set("free", Json::array());
  one.set("own", find_entry(*take.tree, "joints", name) != nullptr);
  return one;
}

Json write_joints(const Take& take, const World& world) {
  Json joints = Json::array();
  for (size_t i = 0; i < take.cast.joint_handles.size(); ++i) {
    const JointHandle handle = take.cast.joint_handles[i];
    if (!world.contains(handle)) continue;
    const JointDef& def = world.joint_def(handle);
    const std::string& name = take.cast.joint_names[i];
    Json one = Json::object();
    if (def.kind == JointKind::kGear) {
      joints.push(write_gear(take, world, def, name));
      continue;
    }
    one.set("name", name).set("type", take.cast.joint_types[i]);
    one.set("a", body_name(take.cast, def.parent)).set("b", body_name(take.cast, def.child));
    one.set("pa", list(def.X_BP.p)).set("qa", list(def.X_BP.q));
    one.set("pb", list(def.X_BC.p)).set("qb", list(def.X_BC.q));
    const Connection* connection = find_connection(*take.flat, name);
    const char* section = connection != nullptr ? "connections" : "joints";
    if (connection != nullptr && connection->length) one.set("length", *connection->length);
    one.set("section", section);
    one.set("own", find_entry(*take.tree, section, name) != nullptr);
    add_laws(one, world, handle, def);
    joints.push(std::move(one));
  }
  return joints;
}

}  // namespace

Json describe_scene(const Take& take, const World* world, const FileReader& read,
                    std::set<std::string>& told) {
  Json out = Json::object();
  out.set("scene", static_cast<double>(take.number));
  if (take.tree) out.set("document", *take.tree);
  out.set("errors", to_json(take.errors)).set("warnings", to_json(take.warnings));
  if (!take.flat) return out;
  const Document& flat = *take.flat;
  out.set("title", flat.title).set("duration", flat.world.duration);
  out.set("step_length", flat.world.step).set("gravity", list(flat.world.gravity));
  Json bodies = Json::array();
  MeshWriter meshes(read, told);
  for (size_t i = 0; i < flat.bodies.size(); ++i)
    bodies.push(write_body(flat.bodies[i], take, world, i, meshes));
  out.set("meshes", meshes.take());
  out.set("bodies", std::move(bodies)).set("materials", write_materials(flat));
  out.set("joints", world != nullptr ? write_joints(take, *world) : Json::array());
  describe_view(take, out);
  describe_instances(take, out);
  return out;
}

namespace {

template <class T>
void put(std::string& bytes, T value) {
  char raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.append(raw, sizeof value);
}

// Between two poses: positions on a line, quaternions on the shorter chord, made unit again.
void blend(const float* a, const float* b, float share, float* out) {
  for (int i = 0; i < 3; ++i) out[i] = a[i] + share * (b[i] - a[i]);
  float dot = 0, length = 0;
  for (int i = 3; i < 7; ++i) dot += a[i] * b[i];
  for (int i = 3; i < 7; ++i) {
    out[i] = a[i] + share * ((dot < 0 ? -b[i] : b[i]) - a[i]);
    length += out[i] * out[i];
  }
  const float scale = length > 0 ? 1 / std::sqrt(length) : 1;
  for (int i = 3; i < 7; ++i) out[i] *= scale;
}

}  // namespace

std::string encode_frame(const Take& take, double step, const Frame& frame, const Frame* next,
                         double share, uint32_t flags) {
  std::string bytes;
  bytes.reserve(48 + 4 * (kStatCount + frame.poses.size()));
  put(bytes, uint32_t{0x4d524654});  // "TFRM"
  put(bytes, uint32_t{1});
  put(bytes, take.number);
  put(bytes, flags);
  put(bytes, step);
  put(bytes, next != nullptr ? frame.time + share * (next->time - frame.time) : frame.time);
  put(bytes, 0.0);  // the end of the take and the rate are the session's to fill in
  put(bytes, 0.0);
  put(bytes, static_cast<uint32_t>(frame.poses.size() / 7));
  put(bytes, static_cast<uint32_t>(kStatCount));
  float stats[kStatCount];
  std::memcpy(stats, &frame.stats, sizeof stats);
  for (const float value : stats) put(bytes, value);
  float pose[7];
  for (size_t i = 0; i + 7 <= frame.poses.size(); i += 7) {
    if (next != nullptr && next->poses.size() == frame.poses.size()) {
      blend(&frame.poses[i], &next->poses[i], static_cast<float>(share), pose);
    } else {
      std::memcpy(pose, &frame.poses[i], sizeof pose);
    }
    for (const float value : pose) put(bytes, value);
  }
  return bytes;
}

}  // namespace tenon::studio
