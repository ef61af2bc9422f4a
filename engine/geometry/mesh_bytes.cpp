#include "tenon/engine/geometry/mesh_bytes.h"

#include <string>

#include "tenon/engine/base/hash_bytes.h"
#include "tenon/engine/geometry/detail/byte_list.h"
#include "tenon/engine/geometry/detail/mesh_build.h"
#include "tenon/engine/geometry/detail/mesh_bytes_check.h"

namespace tenon {
namespace {

struct MeshHead {
  char magic[8] = {'T', 'N', 'M', 'E', 'S', 'H', 0, 0};
  uint64_t version = kMeshVersion, fields = kFieldVersion;
  WideHash hash;  // of all that follows
};

struct TreeLink {
  int first = 0, count = 0;
};

// What is kept, in one order for both ways.
template <class Archive, class Geometry>
void visit(Archive& bytes, Geometry& mesh) {
  bytes.list(mesh.vertices);
  bytes.list(mesh.triangles);
  bytes.list(mesh.vertex_normals);
  bytes.list(mesh.neighbours);
  bytes.list(mesh.unsure);
  bytes.list(mesh.tree.order);
  bytes.list(mesh.tree.slabs);
  bytes.list(mesh.reach);
  bytes.value(mesh.open_edge);
  bytes.value(mesh.bounds);
  bytes.value(mesh.origin_radius);
  bytes.value(mesh.area);
  bytes.value(mesh.volume);
  bytes.value(mesh.centroid);
  bytes.value(mesh.inertia);
  bytes.value(mesh.size);
  bytes.value(mesh.content);
  bytes.list(mesh.samples.nodes);
  bytes.value(mesh.samples.spacing);
  bytes.value(mesh.samples.sag);
  bytes.value(mesh.samples.dip);
}

template <class Archive, class Point>
void visit_point(Archive& bytes, Point& point) {
  bytes.value(point.p);
  bytes.value(point.normal);
  bytes.value(point.cone);
  bytes.value(point.triangle);
  bytes.value(point.corner);
  bytes.value(point.edge);
}

// Bools: closed, thinned, smooth.
uint64_t flags_of(const MeshGeometry& mesh) {
  return (mesh.closed ? 1u : 0u) | (mesh.samples.thinned ? 2u : 0u) |
         (mesh.samples.smooth ? 4u : 0u);
}

Error damaged_mesh(const std::string& what) {
  return {.message = "the bytes of a mesh are damaged: " + what};
}

// All but the field; false where the bytes end too early or late.
bool read_body(std::span<const std::byte> body, MeshGeometry& mesh, std::vector<std::byte>& field) {
  detail::ByteReader in(body);
  uint64_t flags = 0, points = 0;
  std::vector<TreeLink> links;
  in.value(flags);
  in.list(links);
  visit(in, mesh);
  in.value(points);
  // no more than there may be: each takes more than 64 bytes
  if (points > body.size() / 64) return false;
  mesh.samples.points.resize(static_cast<size_t>(points));
  for (MeshSamples::Point& p : mesh.samples.points) visit_point(in, p);
  in.list(field);
  mesh.closed = (flags & 1) != 0;
  mesh.samples.thinned = (flags & 2) != 0;
  mesh.samples.smooth = (flags & 4) != 0;
  mesh.tree.nodes.resize(links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    mesh.tree.nodes[i].first = links[i].first;
    mesh.tree.nodes[i].count = links[i].count;
  }
  return in.is_whole();
}

}  // namespace

std::vector<std::byte> encode_mesh(const MeshGeometry& mesh, ThreadPool* pool) {
  detail::ByteWriter out;
  out.reserve(sizeof(MeshHead) + 64 * mesh.triangles.size() +
              (mesh.field ? mesh.field->byte_count() : 0) + (size_t{1} << 16));
  MeshHead head;
  out.value(head);
  out.value(flags_of(mesh));
  std::vector<TreeLink> links;
  links.reserve(mesh.tree.nodes.size());
  for (const MeshTree::Node& node : mesh.tree.nodes) links.push_back({node.first, node.count});
  out.list(links);
  visit(out, mesh);
  out.value(static_cast<uint64_t>(mesh.samples.points.size()));
  for (const MeshSamples::Point& p : mesh.samples.points) visit_point(out, p);
  out.list(mesh.field ? encode_field(*mesh.field) : std::vector<std::byte>{});
  std::vector<std::byte> bytes = out.take();
  head.hash = hash_bytes(std::span(bytes).subspan(sizeof head), pool);
  std::memcpy(bytes.data(), &head, sizeof head);
  return bytes;
}

Result<Mesh> decode_mesh(std::span<const std::byte> bytes, ThreadPool* pool) {
  MeshHead head, expected;
  if (bytes.size() < sizeof head) return damaged_mesh("too short");
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::memcmp(head.magic, expected.magic, sizeof head.magic) != 0 ||
      head.version != expected.version || head.fields != expected.fields)
    return damaged_mesh("another kind of file, or of another version");
  const std::span<const std::byte> body = bytes.subspan(sizeof head);
  if (hash_bytes(body, pool) != head.hash) return damaged_mesh("its check sum is wrong");
  auto mesh = std::make_shared<MeshGeometry>();
  std::vector<std::byte> field_bytes;
  if (!read_body(body, *mesh, field_bytes)) return damaged_mesh("too short or too long");
  if (!field_bytes.empty()) {
    Result<DistanceField> field = decode_field(field_bytes);
    if (!field) return field.error();
    mesh->field = std::make_shared<const DistanceField>(std::move(*field));
  }
  if (const char* what = detail::find_damage(*mesh)) return damaged_mesh(what);
  detail::calc_face_normals(*mesh, pool);
  detail::calc_boxes(*mesh);
  detail::calc_cones(*mesh);
  if (!mesh->unsure.empty()) detail::calc_dipoles(*mesh);
  if (mesh->field) mesh->convex = detail::find_convex(*mesh);
  return Mesh{std::move(mesh)};
}

}  // namespace tenon
