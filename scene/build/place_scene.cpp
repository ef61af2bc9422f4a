// A scene's text with bodies elsewhere.
#include <map>
#include <set>

#include "tenon/scene/build/assembly_parts.h"
#include "tenon/scene/build/connection_parts.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

Json to_json(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }
Json to_json(const Quat& q) { return Json::array({q.w, q.x, q.y, q.z}); }
Json to_json(const Pose& X) {
  return Json::object().set("position", to_json(X.p)).set("orientation", to_json(X.q));
}

void erase(Json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    std::erase_if(object.members, [&](const JsonMember& member) { return member.key == key; });
  }
}

// The entry of a list that has the name, or nullptr.
Json* find_entry(Json& root, const char* section, const std::string& name) {
  Json* list = root.find(section);
  for (size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    const Json* entry = list->items[i].find("name");
    if (entry != nullptr && entry->is_string() && entry->string == name) return &list->items[i];
  }
  return nullptr;
}

struct Placer {
  const Document& flat;
  const BuiltScene& scene;
  std::set<std::string> moved = {};
  std::map<std::string, Pose> start = {};  // by body

  bool touches(const std::string& a, const std::string& b) const {
    return moved.contains(a) || moved.contains(b);
  }
  JointEnd end_of(const std::string& name) const {
    const auto found = start.find(name);
    return found == start.end() ? JointEnd{} : JointEnd{{}, found->second};
  }
  bool place_bodies(Json& root) const;
  bool place_joints(Json& root) const;
  bool place_connections(Json& root) const;
  bool place_all(Json& root) const {
    return place_bodies(root) && place_joints(root) && place_connections(root);
  }
};

// False where an entry does not stand in the scene itself.
bool Placer::place_bodies(Json& root) const {
  for (size_t i = 0; i < scene.names.size(); ++i) {
    if (!moved.contains(scene.names[i])) continue;
    Json* entry = find_entry(root, "bodies", scene.names[i]);
    if (entry == nullptr) return false;
    const Pose X_WB = scene.world.pose(scene.handles[i]);
    entry->set("position", to_json(X_WB.p));
    entry->set("orientation", to_json(X_WB.q));
    // the velocity stays, the axes it is given in do not
    if (entry->find("angular_velocity_body") == nullptr) continue;
    erase(*entry, {"angular_velocity_body"});
    entry->set("angular_velocity", to_json(scene.world.angular_velocity(scene.handles[i])));
  }
  return true;
}

bool Placer::place_joints(Json& root) const {
  for (const Joint& joint : flat.joints) {
    if (joint.type == JointType::kGear || !touches(joint.parent.name, joint.child.name)) continue;
    const bool length = joint.type == JointType::kDistance && !joint.length;
    if (joint.parent_frame && joint.child_frame && !length) continue;
    Json* entry = find_entry(root, "joints", joint.name);
    if (entry == nullptr) return false;
    const JointEnd parent = end_of(joint.parent.name), child = end_of(joint.child.name);
    const JointFrames frames = calc_frames(joint, parent, child);
    erase(*entry, {"at", "to", "axis", "axis2"});
    entry->set("parent_frame", to_json(frames.X_BP));
    entry->set("child_frame", to_json(frames.X_BC));
    if (length) {
      const Pose X_WP = parent.X_WB * frames.X_BP, X_WC = child.X_WB * frames.X_BC;
      entry->set("length", norm(X_WC.p - X_WP.p));
    }
  }
  return true;
}

bool Placer::place_connections(Json& root) const {
  for (const Connection& c : flat.connections) {
    if (!touches(c.a.name, c.b.name)) continue;
    const bool together = c.type == ConnectionType::kRigid || c.type == ConnectionType::kBall;
    if (c.point_a && c.point_b && (c.length || together)) continue;
    Json* entry = find_entry(root, "connections", c.name);
    if (entry == nullptr) return false;
    const JointEnd a = end_of(c.a.name), b = end_of(c.b.name);
    const ConnectionDef def = make_connection_def(c, a, b);
    erase(*entry, {"at", "to"});
    entry->set("point_a", to_json(def.point_a));
    entry->set("point_b", to_json(def.point_b));
    if (c.length || together || c.type == ConnectionType::kDamper) continue;
    const Vec3 way =
        (b.X_WB.p + rotate(b.X_WB.q, def.point_b)) - (a.X_WB.p + rotate(a.X_WB.q, def.point_a));
    entry->set("length", norm(way));
  }
  return true;
}

}  // namespace

PlacedScene place_scene(const Json& root, const Document& document, const Document& flat,
                        const BuiltScene& scene) {
  Placer placer{flat, scene};
  for (size_t i = 0; i < scene.names.size(); ++i) {
    const Body& body = flat.bodies[i];
    const Pose start{body.position, normalized(body.orientation)};
    const Pose now = scene.world.pose(scene.handles[i]);
    placer.start.emplace(body.name, Pose{body.position, body.orientation});
    const bool same = now.p == start.p && (now.q == start.q || now.q == body.orientation);
    if (body.motion == Motion::kDynamic && !same) placer.moved.insert(body.name);
  }
  PlacedScene placed{root, false};
  const bool plain = document.bodies.size() == flat.bodies.size();
  if (placer.place_all(placed.root) || plain) return placed;
  placed = {encode(flat), true};
  placer.place_all(placed.root);
  return placed;
}

}  // namespace tenon::scene
