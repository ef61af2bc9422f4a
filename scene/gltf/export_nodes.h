// The nodes of a glTF file that is being written, and what all parts of the writer share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tenon/engine/math/transform.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/gltf/export_gltf.h"
#include "tenon/scene/gltf/import_gltf.h"

namespace tenon::scene::gltf {

inline Json list_of(const Vec3& v) {
  Json list = Json::array();
  for (int k = 0; k < 3; ++k) list.push(v[k]);
  return list;
}

inline Json make_node(const std::string& name, const Pose& X) {
  Json node = Json::object();
  node.set("name", name);
  if (!(X.p == Vec3{})) node.set("translation", list_of(X.p));
  if (!(X.q == Quat{})) node.set("rotation", Json::array({X.q.x, X.q.y, X.q.z, X.q.w}));
  return node;
}

// Adds an entry that is not there yet; its number either way.
inline int put_once(Json entry, Json& list) {
  for (size_t i = 0; i < list.items.size(); ++i)
    if (list.items[i] == entry) return static_cast<int>(i);
  list.push(std::move(entry));
  return static_cast<int>(list.items.size()) - 1;
}

struct Exporting {
  const Document& flat;
  std::vector<Error> warnings{};  // what the format cannot say
  Json nodes = Json::array(), roots = Json::array();
  std::map<std::string, int> bodies{};  // their nodes

  void warn(const Place& place, std::string message, std::string value) {
    warnings.push_back(
        model::error_at(flat.source.name, place, std::move(message), std::move(value)));
  }
  Json& node(int index) { return nodes.items[static_cast<size_t>(index)]; }
  int put(Json json) {
    nodes.push(std::move(json));
    return static_cast<int>(nodes.items.size()) - 1;
  }
  void add_child(int parent, int child) {
    Json& json = node(parent);
    if (!json.find("children")) json.set("children", Json::array());
    json.find("children")->push(child);
  }
  // The extension of a node, made where it has none.
  Json& physics_of(int index) {
    Json& json = node(index);
    if (!json.find("extensions")) json.set("extensions", Json::object());
    Json& extensions = *json.find("extensions");
    if (!extensions.find(kPhysics)) extensions.set(kPhysics, Json::object());
    return *extensions.find(kPhysics);
  }
};

}  // namespace tenon::scene::gltf
