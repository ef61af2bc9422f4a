#include "tenon/scene/gltf/import_gltf.h"

#include <set>

#include "tenon/scene/gltf/bodies.h"
#include "tenon/scene/gltf/joints.h"
#include "tenon/scene/model/to_document.h"

namespace tenon::scene::gltf {
namespace {

// Joints of the nodes, between the bodies that they belong to.
void read_joints(Source& source, const BodyReader& bodies, Document& document) {
  std::set<std::string> names;
  for (const Node& node : source.nodes) {
    const Json* json = node.seen && node.physics ? node.physics->find("joint") : nullptr;
    if (!json) continue;
    source.unused.others("joint", *json, {"connectedNode", "joint", "enableCollision"});
    const int other = read_index(*json, "connectedNode", source.nodes.size());
    const Json* description = find_listed(source.file.root, kPhysics, "physicsJoints",
                                          read_index(*json, "joint", size_t{1} << 30));
    const Node* end = other >= 0 ? &source.nodes[static_cast<size_t>(other)] : nullptr;
    if (!end || !end->seen || !description || end->mover == node.mover) {
      source.warn(*json, "a joint is left out", node.name,
                  "a connectedNode of another body, and a joint of physicsJoints");
      continue;
    }
    JointText text = read_joint(*description, source.file.name, source.unused, source.report);
    Joint joint = std::move(text.joint);
    joint.name = model::make_name(node.name, names);
    joint.place = json->place;
    joint.bodies_collide = read_flag(*json, "enableCollision");
    const Node *parent = &node, *child = end;
    if (child->mover < 0) {
      // the world cannot be the child: seen from the other side all coordinates run backwards
      std::swap(parent, child);
      for (JointLaw& law : joint.laws) law = model::reversed(law);
      source.report.notes.push_back(joint.name + ": turned around, the world is its parent");
    }
    const auto is_free = [&](const Node& at) {
      return at.mover >= 0 && bodies.body_of(at).motion == Motion::kDynamic;
    };
    if (!is_free(*parent) && !is_free(*child)) {
      source.warn(*json, "a joint of bodies that nothing moves is left out", joint.name,
                  "one dynamic body at least");
      continue;
    }
    const auto frame = [&](const Node& at) {
      const Quat q = text.turn == Quat{} ? at.X_MN.q : normalized(at.X_MN.q * text.turn);
      return JointFrame{at.X_MN.p, q, {}, {}};
    };
    if (parent->mover >= 0) joint.parent.name = bodies.body_of(*parent).name;
    joint.child.name = bodies.body_of(*child).name;
    joint.parent_frame = frame(*parent);
    joint.child_frame = frame(*child);
    document.joints.push_back(std::move(joint));
  }
}

// What a file has besides bodies.
void list_rest(Source& source) {
  const Json& root = source.file.root;
  for (const auto& [key, why] :
       std::initializer_list<std::pair<const char*, const char*>>{{"animations", kNotHonoured},
                                                                  {"skins", kNotHonoured},
                                                                  {"cameras", "not read"},
                                                                  {"images", "colours only"}}) {
    if (const Json* list = root.find(key)) source.unused.add(key, *list, why);
  }
  const Json* extensions = root.find("extensions");
  for (size_t i = 0; extensions && i < extensions->members.size(); ++i) {
    const JsonMember& m = extensions->members[i];
    if (m.key == kPhysics)
      source.unused.others(kPhysics, m.value,
                           {"physicsMaterials", "physicsJoints", "collisionFilters"});
    else if (m.key == kShapes)
      source.unused.others(kShapes, m.value, {"shapes"});
    else
      source.unused.add("extension " + m.key, m.value);
  }
  // those of materials and meshes, which are named here only
  const Json* used = root.find("extensionsUsed");
  for (size_t i = 0; used && i < used->items.size(); ++i) {
    const std::string& name = used->items[i].string;
    if (name != kPhysics && name != kShapes && !(extensions && extensions->find(name)))
      source.unused.add("extension " + name, used->items[i]);
  }
  for (const Node& node : source.nodes) {
    const Json* own = node.json->find("extensions");
    for (size_t i = 0; own && i < own->members.size(); ++i)
      if (own->members[i].key != kPhysics)
        source.unused.add("node extension " + own->members[i].key, own->members[i].value);
  }
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
  Source source{*opened, std::move(*nodes), meshes, Unused(file, out.report), out.report};
  BodyReader bodies(source, out.document);
  if (Status s = bodies.read(); !s) return s.error();
  read_joints(source, bodies, out.document);
  bodies.put_all();
  list_rest(source);
  if (options.floor) model::add_floor(read, out.document, out.report);
  if (Status s = model::finish_document(out, file); !s) return s.error();
  return out;
}

}  // namespace tenon::scene::gltf
