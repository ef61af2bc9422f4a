#include "tenon/scene/gltf/nodes.h"

#include <algorithm>
#include <cmath>

#include "tenon/scene/gltf/import_gltf.h"

namespace tenon::scene::gltf {
namespace {

constexpr int kDeepest = 100;

// What is a unit quaternion but for round-off stays as it is, so that no digit is lost.
Quat to_unit(const Quat& q) {
  const double norm2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  return std::fabs(norm2 - 1) < 1e-15 ? q : normalized(q);
}

struct Local {
  Pose X;
  Vec3 scale{1, 1, 1};
};

Local read_local(const Json& node) {
  double m[16], t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
  if (read_numbers(node.find("matrix"), m, 16)) {
    Vec3 columns[3] = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}};
    const bool mirrored = dot(columns[0], cross(columns[1], columns[2])) < 0;
    Local local;
    for (int k = 0; k < 3; ++k) local.scale[k] = norm(columns[k]) * (mirrored && k == 0 ? -1 : 1);
    for (int k = 0; k < 3; ++k)
      columns[k] = local.scale[k] != 0 ? columns[k] / local.scale[k] : Vec3{};
    local.X = {{m[12], m[13], m[14]},
               normalized(to_quat(Mat3::from_columns(columns[0], columns[1], columns[2])))};
    return local;
  }
  read_numbers(node.find("translation"), t, 3);
  read_numbers(node.find("rotation"), r, 4);
  read_numbers(node.find("scale"), s, 3);
  return {{{t[0], t[1], t[2]}, to_unit({r[3], r[0], r[1], r[2]})}, {s[0], s[1], s[2]}};
}

class Placer {
 public:
  Placer(const Json& root, const std::string& file) : file_(file) {
    const Json* list = root.find("nodes");
    for (size_t i = 0; list && i < list->items.size(); ++i) {
      Node node;
      node.json = &list->items[i];
      const Json* name = node.json->find("name");
      node.name = name && name->is_string() && !name->string.empty() ? name->string
                                                                     : "node_" + std::to_string(i);
      if (const Json* extensions = node.json->find("extensions"))
        node.physics = extensions->find(kPhysics);
      nodes_.push_back(std::move(node));
    }
    // nodes that nobody names are roots where the file has no scene
    const int wanted = read_index(root, "scene", 1u << 20);
    const Json* scenes = root.find("scenes");
    const size_t scene = wanted < 0 ? 0 : static_cast<size_t>(wanted);
    if (scenes && scene < scenes->items.size()) roots_ = scenes->items[scene].find("nodes");
  }

  Result<std::vector<Node>> run() {
    if (Status placed = place_all(); !placed) return placed.error();
    return std::move(nodes_);
  }

 private:
  Status place_all() {
    if (roots_) return place_children(*roots_, -1, 0);
    std::vector<bool> named(nodes_.size());
    for (const Node& node : nodes_)
      if (const Json* children = node.json->find("children"))
        for (const Json& child : children->items)
          if (child.is_number() && child.number >= 0 &&
              child.number < static_cast<double>(named.size()))
            named[static_cast<size_t>(child.number)] = true;
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (!named[i])
        if (Status placed = place(i, -1, 0, *nodes_[i].json); !placed) return placed;
    return Ok{};
  }

  Status place_children(const Json& list, int parent, int depth) {
    for (const Json& item : list.items) {
      if (!item.is_number() || item.number != std::floor(item.number) || item.number < 0 ||
          item.number >= static_cast<double>(nodes_.size()))
        return wrong(item, "a node is named that is not there");
      if (Status placed = place(static_cast<size_t>(item.number), parent, depth, item); !placed)
        return placed;
    }
    return Ok{};
  }

  Status place(size_t i, int parent, int depth, const Json& at) {
    Node& node = nodes_[i];
    if (node.seen || depth > kDeepest)
      return wrong(at, "a node has two parents, or nodes are within one another too deep");
    node.seen = true;
    const Local local = read_local(*node.json);
    if (!is_finite(local.X.p) || !is_finite(local.scale)) return wrong(at, "no place for a node");
    node.X_WN = node.X_MN = local.X;
    node.scale = local.scale;
    if (parent >= 0) {
      const Node& above = nodes_[static_cast<size_t>(parent)];
      const Pose X{cwise_mul(above.scale, local.X.p), local.X.q};
      node.X_WN = above.X_WN * X;
      node.X_MN = above.X_MN * X;
      node.scale = cwise_mul(above.scale, local.scale);
      node.sheared = above.sheared || (!is_uniform(above.scale) && !(local.X.q == Quat{}));
      node.mover = above.mover;
    }
    if (node.physics && node.physics->find("motion")) {
      node.mover = static_cast<int>(i);
      node.X_MN = {};
    }
    const Json* children = node.json->find("children");
    return children ? place_children(*children, static_cast<int>(i), depth + 1) : Status(Ok{});
  }

  Error wrong(const Json& at, std::string message) const {
    return {.message = std::move(message),
            .file = file_,
            .line = at.place.line,
            .column = at.place.column,
            .accepted = "a tree of nodes"};
  }

  const std::string& file_;
  std::vector<Node> nodes_;
  const Json* roots_ = nullptr;
};

}  // namespace

Result<std::vector<Node>> place_nodes(const Json& root, const std::string& file) {
  return Placer(root, file).run();
}

bool read_numbers(const Json* list, double* out, size_t count) {
  if (!list || !list->is_array() || list->items.size() != count) return false;
  for (const Json& item : list->items)
    if (!item.is_number()) return false;
  for (size_t i = 0; i < count; ++i) out[i] = list->items[i].number;
  return true;
}

double read_number(const Json& object, const char* key, double otherwise) {
  const Json* value = object.find(key);
  return value && value->is_number() ? value->number : otherwise;
}

Vec3 read_vec3(const Json& object, const char* key, const Vec3& otherwise) {
  double v[3];
  return read_numbers(object.find(key), v, 3) ? Vec3{v[0], v[1], v[2]} : otherwise;
}

bool read_flag(const Json& object, const char* key) {
  const Json* value = object.find(key);
  return value && value->is_bool() && value->boolean;
}

int read_index(const Json& object, const char* key, size_t count) {
  const double value = read_number(object, key, -1);
  return value >= 0 && value < static_cast<double>(count) && value == std::floor(value)
             ? static_cast<int>(value)
             : -1;
}

namespace {

const Json* find_list(const Json& root, const char* extension, const char* list) {
  const Json* extensions = root.find("extensions");
  const Json* own = extensions ? extensions->find(extension) : nullptr;
  const Json* found = own ? own->find(list) : nullptr;
  return found && found->is_array() ? found : nullptr;
}

}  // namespace

const Json* find_listed(const Json& root, const char* extension, const char* list, int index) {
  const Json* found = find_list(root, extension, list);
  if (!found || index < 0 || static_cast<size_t>(index) >= found->items.size()) return nullptr;
  return &found->items[static_cast<size_t>(index)];
}

size_t count_listed(const Json& root, const char* extension, const char* list) {
  const Json* found = find_list(root, extension, list);
  return found ? found->items.size() : 0;
}

void Unused::add(const std::string& what, const Json& at, const std::string& reason) {
  for (model::Ignored& known : report_.ignored) {
    if (known.what != what) continue;
    ++known.count;
    return;
  }
  report_.ignored.push_back({what, reason, file_, at.place.line, 1});
}

void Unused::others(const std::string& where, const Json& object,
                    std::initializer_list<std::string_view> known) {
  for (const JsonMember& m : object.members) {
    if (m.key == "name" || m.key == "extras") continue;
    if (std::find(known.begin(), known.end(), m.key) == known.end())
      add(where + " " + m.key, m.value);
  }
}

}  // namespace tenon::scene::gltf
