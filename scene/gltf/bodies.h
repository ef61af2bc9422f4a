// Nodes with a motion, colliders or pictures as bodies of a scene.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tenon/scene/gltf/colliders.h"

namespace tenon::scene::gltf {

inline constexpr const char* kNotHonoured = "NOT HONOURED";

class BodyReader {
 public:
  BodyReader(Source& source, Document& document) : source_(source), document_(document) {}

  // Materials, and the bodies of all nodes. Error: nothing moves and nothing is to be touched.
  Status read();
  // The body that a node belongs to as it moves. Precondition: it has a mover.
  const Body& body_of(const Node& node) const { return movers_.at(node.mover).body; }
  // Puts them into the document, what stands first. The reader is empty afterwards.
  void put_all();

 private:
  struct Made {
    Body body;
    std::vector<Part> parts;
    bool filtered = false;
    std::optional<Shape> plane;
  };
  void read_motion(size_t i);
  void read_inertia(const Json& motion, Body& body);
  void read_colliders();
  void add_collider(const Node& node, const Json& collider, Made& made, bool sensor);
  void add_pictures();
  void put_body(Made&& made);
  Made& made_of(int mover) { return movers_.at(mover); }

  Source& source_;
  Document& document_;
  std::vector<std::string> materials_;
  std::map<int, Made> movers_;  // by node
  std::vector<Made> still_;
  std::set<std::string> bodies_{kWorldName};
};

}  // namespace tenon::scene::gltf
