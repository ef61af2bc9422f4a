#include "tenon/scene/document/document.h"

#include <algorithm>

namespace tenon::scene {
namespace {

using Names = std::vector<std::string>;

bool overlap(const Names& a, const Names& b) {
  return std::any_of(a.begin(), a.end(), [&](const std::string& name) {
    return std::find(b.begin(), b.end(), name) != b.end();
  });
}

const Group* find_group(const Document& document, const std::string& name) {
  for (const Group& group : document.groups) {
    if (group.name == name) return &group;
  }
  return nullptr;
}

// Whether the rules of `a` (its own and those of its groups) admit a body in `others`.
bool admits(const Document& document, const Body& a, const Names& others) {
  if (overlap(a.ignores, others)) return false;
  if (a.collides_with && !overlap(*a.collides_with, others)) return false;
  for (const std::string& name : a.groups) {
    const Group* group = find_group(document, name);
    if (!group) continue;
    if (overlap(group->ignores, others)) return false;
    if (group->collides_with && !overlap(*group->collides_with, others)) return false;
  }
  return true;
}

}  // namespace

const Body* find_body(const Document& document, std::string_view name) {
  for (const Body& body : document.bodies) {
    if (body.name == name) return &body;
  }
  return nullptr;
}

const Joint* find_joint(const Document& document, std::string_view name) {
  for (const Joint& joint : document.joints) {
    if (joint.name == name) return &joint;
  }
  return nullptr;
}

const Connection* find_connection(const Document& document, std::string_view name) {
  for (const Connection& connection : document.connections) {
    if (connection.name == name) return &connection;
  }
  return nullptr;
}

bool may_collide(const Document& document, const Body& a, const Body& b) {
  return a.collision && b.collision && admits(document, a, b.groups) &&
         admits(document, b, a.groups);
}

}  // namespace tenon::scene
