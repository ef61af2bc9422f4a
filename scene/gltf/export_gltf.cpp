#include "tenon/scene/gltf/export_gltf.h"

#include "tenon/scene/build/joint_parts.h"
#include "tenon/scene/gltf/export_bodies.h"
#include "tenon/scene/gltf/joints.h"

namespace tenon::scene::gltf {
namespace {

class Writer {
 public:
  Writer(const Document& flat, const FileReader& read)
      : e_{flat}, glb_(read), surfaces_(e_), bodies_(e_, glb_, surfaces_, read) {}

  Result<GltfBytes> run() {
    if (e_.flat.bodies.empty())
      return Error{.message = "there are no bodies", .file = e_.flat.source.name};
    for (const Body& body : e_.flat.bodies)
      if (Status s = bodies_.add(body); !s) return s.error();
    for (const Joint& joint : e_.flat.joints) add_joint(joint);
    name_losses();
    surfaces_.choose_combines();
    return GltfBytes{glb_.finish(make_root()), std::move(e_.warnings)};
  }

 private:
  void add_joint(const Joint& joint);
  int add_end(const std::string& body, const std::string& name, const Pose& X);
  void name_losses();
  Json make_root();

  Exporting e_;
  GlbWriter glb_;
  SurfaceList surfaces_;
  BodyWriter bodies_;
  Json joints_ = Json::array();
};

int Writer::add_end(const std::string& body, const std::string& name, const Pose& X) {
  const int node = e_.put(make_node(name, X));
  const auto found = e_.bodies.find(body);
  if (found == e_.bodies.end()) e_.roots.push(node);
  if (found != e_.bodies.end()) e_.add_child(found->second, node);
  return node;
}

void Writer::add_joint(const Joint& joint) {
  if (!can_write(joint) || !joint.enabled)
    return e_.warn(joint.place, "glTF has no joint like this one; left out", joint.name);
  const auto end_of = [&](const std::string& name) {
    const Body* body = find_body(e_.flat, name);
    return body ? JointEnd{{}, {body->position, body->orientation}} : JointEnd{};
  };
  const JointFrames frames =
      calc_frames(joint, end_of(joint.parent.name), end_of(joint.child.name));
  const int parent = add_end(joint.parent.name, joint.name, frames.X_BP);
  const int child = add_end(joint.child.name, joint.name + " end", frames.X_BC);
  joints_.push(write_joint(joint, e_.flat.source.name, e_.warnings));
  Json json = Json::object();
  json.set("connectedNode", child).set("joint", static_cast<int>(joints_.items.size()) - 1);
  if (joint.bodies_collide) json.set("enableCollision", true);
  e_.physics_of(parent).set("joint", std::move(json));
}

void Writer::name_losses() {
  if (!(e_.flat.world.gravity == WorldSettings{}.gravity))
    e_.warn({}, "glTF has no gravity of its own: others take 9.81 m/s^2 downwards",
            "world.gravity");
  for (const Connection& c : e_.flat.connections)
    e_.warn(c.place, "glTF has no springs and ropes between points; left out", c.name);
  for (const Force& f : e_.flat.forces) e_.warn(f.place, "glTF has no forces; left out", f.name);
  for (const Rule& r : e_.flat.rules) e_.warn(r.place, "glTF has no rules; left out", r.name);
}

Json Writer::make_root() {
  Json asset = Json::object(), scene = Json::object(), root = Json::object();
  asset.set("version", "2.0").set("generator", "Tenon");
  scene.set("name", e_.flat.title).set("nodes", e_.roots);
  Json used = Json::array(), extensions = Json::object(), physics = Json::object();
  used.push(kPhysics).push(kShapes);
  if (!surfaces_.json().items.empty()) physics.set("physicsMaterials", surfaces_.json());
  if (!joints_.items.empty()) physics.set("physicsJoints", joints_);
  if (!bodies_.filters().items.empty()) physics.set("collisionFilters", bodies_.filters());
  Json shapes = Json::object();
  shapes.set("shapes", bodies_.shapes());
  extensions.set(kPhysics, std::move(physics));
  if (!bodies_.shapes().items.empty()) extensions.set(kShapes, std::move(shapes));
  root.set("asset", std::move(asset)).set("extensionsUsed", std::move(used));
  root.set("extensions", std::move(extensions)).set("scene", 0);
  root.set("scenes", Json::array({std::move(scene)})).set("nodes", e_.nodes);
  return root;
}

}  // namespace

Result<GltfBytes> export_gltf(const Document& flat, const FileReader& read) {
  return Writer(flat, read).run();
}

}  // namespace tenon::scene::gltf
