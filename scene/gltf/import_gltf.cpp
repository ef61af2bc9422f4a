#include "tenon/scene/gltf/import_gltf.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tenon/scene/gltf/colliders.h"
#include "tenon/scene/gltf/joints.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::gltf {
namespace {

constexpr const char* kNotHonoured = "NOT HONOURED";

class Importer {
 public:
  Importer(const GltfFile& file, std::vector<Node> nodes, GltfMeshes& meshes, model::Imported& out)
      : source_{file, std::move(nodes), meshes, Unused(file.name, out.report), out.report},
        document_(out.document),
        report_(out.report) {}

  Status run();

 private:
  struct Made {
    Body body;
    std::vector<Part> parts;
    bool filtered = false;
    std::optional<Shape> plane;
  };
  void read_motion(size_t i);
  void read_colliders();
  void add_collider(const Node& node, const Json& collider, Made& made, bool sensor);
  void add_pictures();
  void read_joints();
  Joint* add_joint(const Node& node, const Json& json);
  void put_body(Made&& made);
  void list_rest();
  Made& made_of(int mover) { return movers_.at(mover); }

  Source source_;
  Document& document_;
  model::Report& report_;
  std::vector<std::string> materials_;
  std::map<int, Made> movers_;  // by node
  std::vector<Made> still_;
  std::set<std::string> bodies_{kWorldName}, joints_;
};

// Rounded to 40 bits below the largest: what was turned and turned back comes out the same.
double settle(double x, double largest) {
  if (!(largest > 0)) return x;
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(std::round(std::ldexp(x, 40 - exponent)), exponent - 40) + 0.0;  // never -0
}
Vec3 settle(const Vec3& v, double largest) {
  return {settle(v.x, largest), settle(v.y, largest), settle(v.z, largest)};
}
Vec3 turn(const Quat& q, const Vec3& v) {
  return q == Quat{} ? v : settle(rotate(q, v), max_component(cwise_abs(v)));
}

// Zero stands for infinity, which JSON does not have.
void Importer::read_motion(size_t i) {
  const Node& node = source_.nodes[i];
  const Json& motion = *node.physics->find("motion");
  source_.unused.others("motion", motion,
                        {"isKinematic", "mass", "inertiaOrientation", "inertiaDiagonal",
                         "centerOfMass", "linearVelocity", "angularVelocity", "gravityFactor"});
  Body body;
  body.name = model::make_name(node.name, bodies_);
  body.place = motion.place;
  body.position = node.X_WN.p;
  body.orientation = node.X_WN.q;
  const double mass = read_number(motion, "mass", -1);
  if (read_flag(motion, "isKinematic") || mass == 0) body.motion = Motion::kKinematic;
  if (mass > 0 && body.motion == Motion::kDynamic) body.mass = mass;
  const Vec3 moments = read_vec3(motion, "inertiaDiagonal", {-1, -1, -1});
  if (moments.x > 0 && moments.y > 0 && moments.z > 0 && body.mass) {
    double q[4] = {0, 0, 0, 1};
    read_numbers(motion.find("inertiaOrientation"), q, 4);
    const Quat axes{q[3], q[0], q[1], q[2]};
    body.inertia = Mat3::diagonal(moments);
    if (!(axes == Quat{})) {
      const Mat3 R = to_matrix(normalized(axes));
      const Mat3 I = R * Mat3::diagonal(moments) * transpose(R);
      const double most = max_component(moments);
      const Vec3 a = settle(I.r0, most), b = settle(I.r1, most), c = settle(I.r2, most);
      body.inertia = Mat3{a, {a.y, b.y, b.z}, {a.z, b.z, c.z}};
    }
  } else if (motion.find("inertiaDiagonal")) {
    source_.unused.add("motion inertiaDiagonal without a mass, or infinite", motion, kNotHonoured);
  }
  if (motion.find("centerOfMass") && body.motion == Motion::kDynamic)
    body.center_of_mass = read_vec3(motion, "centerOfMass", {});
  body.velocity = turn(node.X_WN.q, read_vec3(motion, "linearVelocity", {}));
  body.angular_velocity = turn(node.X_WN.q, read_vec3(motion, "angularVelocity", {}));
  const double gravity = read_number(motion, "gravityFactor", 1);
  if (gravity == 0) body.gravity = false;
  if (gravity != 0 && gravity != 1)
    source_.unused.add("motion gravityFactor other than 0 and 1", motion, kNotHonoured);
  movers_[static_cast<int>(i)].body = std::move(body);
}

void Importer::add_collider(const Node& node, const Json& collider, Made& made, bool sensor) {
  source_.unused.others(
      sensor ? "trigger" : "collider", collider,
      {"geometry", "physicsMaterial", "collisionFilter", "shape", "node", "convexHull", "nodes"});
  if (sensor && !collider.find("geometry")) return;  // made of others, which stand for themselves
  std::optional<Shape> shape = read_shape(source_, node, collider);
  if (!shape) return;
  if (made.filtered && collider.find("collisionFilter"))
    report_.notes.push_back(made.body.name + ": filters of all its colliders together");
  made.filtered = made.filtered || collider.find("collisionFilter") != nullptr;
  read_filter(source_, collider, document_, made.body);
  const int surface = read_index(collider, "physicsMaterial", materials_.size());
  Part part;
  part.place = collider.place;
  if (node.mover >= 0) {
    part.position = node.X_MN.p;
    part.orientation = node.X_MN.q;
  }
  if (surface >= 0) part.material = materials_[static_cast<size_t>(surface)];
  if (sensor) part.sensor = true;
  if (std::holds_alternative<PlaneShape>(*shape)) {
    if (node.mover >= 0)
      return source_.warn(collider, "a plane cannot move; it is left out", node.name);
    made.plane = shape;
    made.body.material = part.material.empty() ? model::kLinkMaterial : part.material;
    return;
  }
  std::visit(
      [&](auto& s) {
        if constexpr (std::is_constructible_v<PartShape, decltype(s)>) part.shape = s;
      },
      *shape);
  made.parts.push_back(std::move(part));
}

void Importer::read_colliders() {
  for (const Node& node : source_.nodes) {
    if (!node.seen || !node.physics) continue;
    source_.unused.others("node", *node.physics, {"motion", "collider", "trigger", "joint"});
    for (const char* key : {"collider", "trigger"}) {
      const Json* collider = node.physics->find(key);
      if (!collider || node.scale == Vec3{}) continue;
      const bool sensor = key[0] == 't';
      if (node.mover >= 0) {
        add_collider(node, *collider, made_of(node.mover), sensor);
        continue;
      }
      Made made;
      made.body.name = model::make_name(node.name, bodies_);
      made.body.place = collider->place;
      made.body.motion = Motion::kStatic;
      made.body.position = node.X_WN.p;
      made.body.orientation = node.X_WN.q;
      add_collider(node, *collider, made, sensor);
      if (!made.parts.empty() || made.plane) still_.push_back(std::move(made));
    }
  }
}

// What is seen and does not touch. Where something is seen, colliders are not.
void Importer::add_pictures() {
  std::map<int, size_t> colliders;
  for (auto& [mover, made] : movers_) colliders[mover] = made.parts.size();
  for (const Node& node : source_.nodes) {
    if (!node.seen) continue;
    std::optional<Part> part = read_picture(source_, node);
    if (!part) continue;
    if (node.mover >= 0) {
      made_of(node.mover).parts.push_back(std::move(*part));
      continue;
    }
    Made made;
    made.body.name = model::make_name(node.name + " mesh", bodies_);
    made.body.motion = Motion::kStatic;
    made.body.position = node.X_WN.p;
    made.body.orientation = node.X_WN.q;
    part->position = {};
    part->orientation = {};
    made.parts.push_back(std::move(*part));
    still_.push_back(std::move(made));
  }
  for (const auto& [mover, count] : colliders) {
    Made& made = made_of(mover);
    for (size_t i = 0; i < count && made.parts.size() > count; ++i)
      made.parts[i].role = PartRole::kContact;
  }
}

void Importer::put_body(Made&& made) {
  Body& body = made.body;
  if (!made.plane) {
    // the material of most of it
    for (const Part& part : made.parts)
      if (!part.material.empty()) body.material = part.material;
    if (made.parts.empty() || body.material == kDefaultMaterial)
      body.material = model::kLinkMaterial;
    for (Part& part : made.parts)
      if (part.material == body.material) part.material.clear();
  }
  if (made.plane) {
    body.shape = *made.plane;
  } else if (made.parts.empty()) {
    if (body.motion == Motion::kDynamic) {
      if (!body.mass) body.mass = 1;
      body.shape = PointMassShape{};
      report_.notes.push_back(body.name + ": no collider, a mass that touches nothing");
    } else {
      body.shape = FixedPointShape{};
    }
  } else if (Part& part = made.parts.front();
             made.parts.size() == 1 && part.position == Vec3{} && part.orientation == Quat{} &&
             part.role == PartRole::kAll && part.material.empty()) {
    std::visit([&](const auto& shape) { body.shape = shape; }, part.shape);
    body.sensor = part.sensor.value_or(false);
  } else {
    body.shape = CompoundShape{std::move(made.parts)};
  }
  report_.mass_kg += body.mass.value_or(0);
  document_.bodies.push_back(std::move(body));
}

void Importer::read_joints() {
  for (const Node& node : source_.nodes) {
    const Json* json = node.seen && node.physics ? node.physics->find("joint") : nullptr;
    if (!json) continue;
    source_.unused.others("joint", *json, {"connectedNode", "joint", "enableCollision"});
    const int other = read_index(*json, "connectedNode", source_.nodes.size());
    const Json* description = find_listed(source_.file.root, kPhysics, "physicsJoints",
                                          read_index(*json, "joint", size_t{1} << 30));
    const Node* end = other >= 0 ? &source_.nodes[static_cast<size_t>(other)] : nullptr;
    if (!end || !end->seen || !description || end->mover == node.mover) {
      source_.warn(*json, "a joint is left out", node.name,
                   "a connectedNode of another body, and a joint of physicsJoints");
      continue;
    }
    JointText text = read_joint(*description, source_.file.name, source_.unused, report_);
    Joint joint = std::move(text.joint);
    joint.name = model::make_name(node.name, joints_);
    joint.place = json->place;
    joint.bodies_collide = read_flag(*json, "enableCollision");
    const Node *parent = &node, *child = end;
    if (child->mover < 0) {
      // the world cannot be the child: seen from the other side all coordinates run backwards
      std::swap(parent, child);
      for (JointLaw& law : joint.laws) law = model::reversed(law);
      report_.notes.push_back(joint.name + ": turned around, the world is its parent");
    }
    const auto is_free = [&](const Node& at) {
      return at.mover >= 0 && made_of(at.mover).body.motion == Motion::kDynamic;
    };
    if (!is_free(*parent) && !is_free(*child)) {
      source_.warn(*json, "a joint of bodies that nothing moves is left out", joint.name,
                   "one dynamic body at least");
      continue;
    }
    const auto frame = [&](const Node& at) {
      const Quat q = text.turn == Quat{} ? at.X_MN.q : normalized(at.X_MN.q * text.turn);
      return JointFrame{at.X_MN.p, q, {}, {}};
    };
    if (parent->mover >= 0) joint.parent.name = made_of(parent->mover).body.name;
    joint.child.name = made_of(child->mover).body.name;
    joint.parent_frame = frame(*parent);
    joint.child_frame = frame(*child);
    document_.joints.push_back(std::move(joint));
  }
}

// What a file has besides bodies.
void Importer::list_rest() {
  const Json& root = source_.file.root;
  for (const auto& [key, why] :
       std::initializer_list<std::pair<const char*, const char*>>{{"animations", kNotHonoured},
                                                                  {"skins", kNotHonoured},
                                                                  {"cameras", "not read"},
                                                                  {"images", "colours only"}}) {
    if (const Json* list = root.find(key)) source_.unused.add(key, *list, why);
  }
  const Json* extensions = root.find("extensions");
  for (size_t i = 0; extensions && i < extensions->members.size(); ++i) {
    const JsonMember& m = extensions->members[i];
    if (m.key == kPhysics)
      source_.unused.others(kPhysics, m.value,
                            {"physicsMaterials", "physicsJoints", "collisionFilters"});
    else if (m.key == kShapes)
      source_.unused.others(kShapes, m.value, {"shapes"});
    else
      source_.unused.add("extension " + m.key, m.value);
  }
  // those of materials and meshes, which are named here only
  const Json* used = root.find("extensionsUsed");
  for (size_t i = 0; used && i < used->items.size(); ++i) {
    const std::string& name = used->items[i].string;
    if (name != kPhysics && name != kShapes && !(extensions && extensions->find(name)))
      source_.unused.add("extension " + name, used->items[i]);
  }
  for (const Node& node : source_.nodes) {
    const Json* own = node.json->find("extensions");
    for (size_t i = 0; own && i < own->members.size(); ++i)
      if (own->members[i].key != kPhysics)
        source_.unused.add("node extension " + own->members[i].key, own->members[i].value);
  }
}

Status Importer::run() {
  materials_ = read_materials(source_, document_);
  if (std::find(materials_.begin(), materials_.end(), model::kLinkMaterial) == materials_.end())
    document_.materials.push_back(model::make_link_material());
  for (size_t i = 0; i < source_.nodes.size(); ++i)
    if (source_.nodes[i].mover == static_cast<int>(i)) read_motion(i);
  read_colliders();
  if (movers_.empty() && still_.empty())
    return Error{.message = "the file has no rigid bodies",
                 .file = source_.file.name,
                 .accepted = std::string("nodes with ") + kPhysics +
                             "; its triangles alone: \"type\": \"mesh\", \"file\": ..."};
  add_pictures();
  read_joints();
  for (Made& made : still_) put_body(std::move(made));
  for (auto& [node, made] : movers_) put_body(std::move(made));
  list_rest();
  return Ok{};
}

}  // namespace

bool is_gltf_file(std::string_view path) {
  return path.ends_with(".gltf") || path.ends_with(".glb");
}

Result<model::Imported> import_gltf(std::string_view bytes, const std::string& file,
                                    const FileReader& read, const model::ImportOptions& options) {
  const Result<GltfFile> opened = open_gltf(bytes, file);
  if (!opened) return opened.error();
  Result<std::vector<Node>> nodes = place_nodes(opened->root, file);
  if (!nodes) return nodes.error();
  GltfMeshes meshes(*opened, {.read = read});
  if (Status loaded = meshes.load(); !loaded) return loaded.error();
  model::Imported out;
  out.report.format = "glTF";
  out.report.name = file.substr(file.find_last_of('/') + 1);
  const Json* scenes = opened->root.find("scenes");
  const Json* title =
      scenes && !scenes->items.empty() ? scenes->items.front().find("name") : nullptr;
  out.document.title = title && title->is_string() ? title->string : out.report.name;
  out.document.tags = {"gltf"};
  if (Status s = Importer(*opened, std::move(*nodes), meshes, out).run(); !s) return s.error();
  if (options.floor) model::add_floor(read, out.document);
  if (Status s = model::finish_document(out, file); !s) return s.error();
  return out;
}

}  // namespace tenon::scene::gltf
