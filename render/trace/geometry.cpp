#include "tenon/render/trace/geometry.h"

#include <embree3/rtcore.h>

#include <array>
#include <map>
#include <mutex>

#include "tenon/render/detail/mesh_surface.h"
#include "tenon/render/detail/tessellate.h"
#include "tenon/render/trace/round_shapes.h"

namespace tenon::render {
// named, since Geometry::State has members of these types
namespace trace_detail {

constexpr double kFurthest = 1e15;       // m: Embree refuses boxes beyond 1.8e18
constexpr size_t kLargeHullFaces = 128;  // from here on a hull is placed, not copied
constexpr int kThroughGlass = 16;        // surfaces that light of a lamp may pass

enum GeometryId : unsigned { kMesh, kSpheres, kRounds, kTubes, kFirstInstance };

struct Frame {  // of a solid, from the eye
  V3 x, y, z, p;
  V3 to_local(const V3& q) const {
    const V3 d = q - p;
    return {dot(x, d), dot(y, d), dot(z, d)};
  }
  V3 turn_local(const V3& d) const { return {dot(x, d), dot(y, d), dot(z, d)}; }
  V3 turn_world(const V3& d) const { return d.x * x + d.y * y + d.z * z; }
};

struct PlaneAt {
  V3 normal;
  float offset;
  size_t solid;
};

// Shadows ask for opaque things first, which Embree answers fastest, and then for what tints. What
// glows is an overlay and throws none.
enum class Which { kAll, kOpaque, kGlass };
bool belongs(const StageLook& look, Which which) {
  return which == Which::kAll ||
         (!(look.glow > 0) && (look.transparency > 0) == (which == Which::kGlass));
}

struct Rounds {  // what Embree's callbacks see
  std::vector<RoundShape> shapes;
  std::vector<Frame> frames;
};

void bound_round(const RTCBoundsFunctionArguments* args) {
  const auto& rounds = *static_cast<const Rounds*>(args->geometryUserPtr);
  const RoundShape& s = rounds.shapes[args->primID];
  const Frame& f = rounds.frames[args->primID];
  // half extents of the axis swept by a disc (or, a little larger, by a ball)
  const V3 r = s.half * V3{std::fabs(f.y.x), std::fabs(f.y.y), std::fabs(f.y.z)} +
               V3{s.radius, s.radius, s.radius};
  RTCBounds& b = *args->bounds_o;
  b.lower_x = f.p.x - r.x, b.lower_y = f.p.y - r.y, b.lower_z = f.p.z - r.z;
  b.upper_x = f.p.x + r.x, b.upper_y = f.p.y + r.y, b.upper_z = f.p.z + r.z;
}

// The first surface within the ray's reach: entry, or exit for a ray from inside.
std::optional<float> meet_round(const Rounds& rounds, unsigned prim, const RTCRay& ray) {
  const Frame& f = rounds.frames[prim];
  const auto passage =
      find_passage(rounds.shapes[prim], f.to_local({ray.org_x, ray.org_y, ray.org_z}),
                   f.turn_local({ray.dir_x, ray.dir_y, ray.dir_z}));
  if (!passage) return std::nullopt;
  for (const float t : {passage->in, passage->out})
    if (t > ray.tnear && t < ray.tfar) return t;
  return std::nullopt;
}

void intersect_round(const RTCIntersectFunctionNArguments* args) {
  if (args->valid[0] == 0) return;
  auto* hit = reinterpret_cast<RTCRayHit*>(args->rayhit);
  const auto t =
      meet_round(*static_cast<const Rounds*>(args->geometryUserPtr), args->primID, hit->ray);
  if (!t) return;
  hit->ray.tfar = *t;
  hit->hit.geomID = kRounds;
  hit->hit.primID = args->primID;
  hit->hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
}

void occlude_round(const RTCOccludedFunctionNArguments* args) {
  if (args->valid[0] == 0) return;
  auto* ray = reinterpret_cast<RTCRay*>(args->ray);
  if (meet_round(*static_cast<const Rounds*>(args->geometryUserPtr), args->primID, *ray))
    ray->tfar = -INFINITY;
}

}  // namespace trace_detail
using namespace trace_detail;  // NOLINT

// A mesh in Embree, in its own frame.
struct Device::PlacedMesh {
  std::shared_ptr<const MeshGeometry> mesh;  // kept, so that its address is no other's
  std::vector<std::array<V3, 3>> normals;
  RTCScene scene = nullptr;
  PlacedMesh() = default;
  PlacedMesh(const PlacedMesh&) = delete;
  PlacedMesh& operator=(const PlacedMesh&) = delete;
  ~PlacedMesh() {
    if (scene != nullptr) rtcReleaseScene(scene);
  }
};

struct Device::Meshes {
  std::mutex mutex;
  std::map<const MeshGeometry*, PlacedMesh> made;
};

namespace {
void place_mesh(RTCDevice device, Device::PlacedMesh& placed) {
  const MeshGeometry& mesh = *placed.mesh;
  for (const auto& corners : calc_corner_normals(mesh))
    placed.normals.push_back({to_v3(corners[0]), to_v3(corners[1]), to_v3(corners[2])});
  placed.scene = rtcNewScene(device);
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  auto* points = static_cast<std::array<float, 3>*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                              sizeof(std::array<float, 3>), mesh.vertices.size()));
  auto* indices = static_cast<std::array<unsigned, 3>*>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                              sizeof(std::array<unsigned, 3>), mesh.triangles.size()));
  for (size_t i = 0; points != nullptr && i < mesh.vertices.size(); ++i) {
    const V3 p = to_v3(mesh.vertices[i]);
    points[i] = {p.x, p.y, p.z};
  }
  for (size_t i = 0; indices != nullptr && i < mesh.triangles.size(); ++i)
    for (size_t k = 0; k < 3; ++k) indices[i][k] = static_cast<unsigned>(mesh.triangles[i][k]);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(placed.scene, geometry, 0);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(placed.scene);
}
}  // namespace

Device::Device() {
  handle_ = std::shared_ptr<void>(rtcNewDevice("frequency_level=simd256"), [](void* device) {
    if (device != nullptr) rtcReleaseDevice(static_cast<RTCDevice>(device));
  });
  meshes_ = std::make_shared<Meshes>();
}

const Device::PlacedMesh& Device::find_mesh(const std::shared_ptr<const MeshGeometry>& mesh) const {
  const std::lock_guard lock(meshes_->mutex);
  PlacedMesh& placed = meshes_->made[mesh.get()];
  if (placed.scene == nullptr) {
    placed.mesh = mesh;
    place_mesh(static_cast<RTCDevice>(handle_.get()), placed);
  }
  return placed;
}

struct Geometry::State {
  const Device& door;
  const Stage& stage;
  Vec3 origin;
  RTCDevice device;
  RTCScene scene;
  std::vector<Frame> frames;  // of the solids
  std::vector<PlaneAt> planes;
  Rounds rounds;
  std::vector<size_t> mesh_owner, sphere_owner, round_owner, tube_owner, instance_owner;
  std::vector<const Device::PlacedMesh*> instance_mesh;  // nullptr: a hull
  std::vector<std::array<float, 3>> vertices;
  std::vector<std::array<unsigned, 3>> triangles;
  std::vector<std::array<float, 4>> spheres, tube_points;
  std::vector<unsigned> tube_segments;
  std::map<const HullGeometry*, RTCScene> large_hulls;

  State(const Device& with, const Stage& from, const Vec3& at)
      : door(with),
        stage(from),
        origin(at),
        device(static_cast<RTCDevice>(with.handle())),
        scene(rtcNewScene(device)) {}
  void build(Which which);
  ~State() {
    rtcReleaseScene(scene);
    for (const auto& entry : large_hulls) rtcReleaseScene(entry.second);
  }

  bool place(const StageSolid& solid, Frame& frame) const {
    const Vec3 p = solid.X_WS.p - origin;
    if (!(max_component(cwise_abs(p)) < kFurthest)) return false;
    const Mat3 R = to_matrix(solid.X_WS.q);
    frame = {to_v3(R * Vec3{1, 0, 0}), to_v3(R * Vec3{0, 1, 0}), to_v3(R * Vec3{0, 0, 1}),
             to_v3(p)};
    return true;
  }

  void add_mesh(const Shape& shape, const Frame& f, size_t solid) {
    for (const MeshFace& face : tessellate(shape, 3)) {
      const auto first = static_cast<unsigned>(vertices.size());
      for (const Vec3& p_S : face.points) {
        const V3 p = f.turn_world(to_v3(p_S)) + f.p;
        vertices.push_back({p.x, p.y, p.z});
      }
      for (unsigned i = 2; i < face.points.size(); ++i) {
        triangles.push_back({first, first + i - 1, first + i});
        mesh_owner.push_back(solid);
      }
    }
  }

  RTCScene find_large_hull(const std::shared_ptr<const HullGeometry>& hull) {
    RTCScene& made = large_hulls[hull.get()];
    if (made != nullptr) return made;
    State part(door, stage, {});
    part.add_mesh(Hull{hull}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {}}, 0);
    part.commit_mesh();
    rtcCommitScene(part.scene);
    rtcRetainScene(part.scene);
    return made = part.scene;
  }

  void add_instance(RTCScene placed, const Frame& f, size_t solid, const Device::PlacedMesh* mesh) {
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(geometry, placed);
    const float columns[12] = {f.x.x, f.x.y, f.x.z, f.y.x, f.y.y, f.y.z,
                               f.z.x, f.z.y, f.z.z, f.p.x, f.p.y, f.p.z};
    rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, columns);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene, geometry,
                          kFirstInstance + static_cast<unsigned>(instance_owner.size()));
    rtcReleaseGeometry(geometry);
    instance_owner.push_back(solid);
    instance_mesh.push_back(mesh);
  }

  void add_solid(size_t i) {
    const StageSolid& solid = stage.solids[i];
    Frame& f = frames[i];
    if (!place(solid, f)) return;
    const auto number = [](double x) { return static_cast<float>(x); };
    if (std::holds_alternative<Plane>(solid.shape)) {
      planes.push_back({f.y, dot(f.y, f.p), i});
    } else if (const auto* sphere = std::get_if<Sphere>(&solid.shape)) {
      spheres.push_back({f.p.x, f.p.y, f.p.z, number(sphere->radius)});
      sphere_owner.push_back(i);
    } else if (const auto* cylinder = std::get_if<Cylinder>(&solid.shape)) {
      rounds.shapes.push_back({number(cylinder->radius), number(cylinder->half_height), false});
      rounds.frames.push_back(f);
      round_owner.push_back(i);
    } else if (const auto* capsule = std::get_if<Capsule>(&solid.shape)) {
      rounds.shapes.push_back({number(capsule->radius), number(capsule->half_length), true});
      rounds.frames.push_back(f);
      round_owner.push_back(i);
    } else if (const auto* hull = std::get_if<Hull>(&solid.shape);
               hull != nullptr && hull->geometry &&
               hull->geometry->faces.size() > kLargeHullFaces) {
      add_instance(find_large_hull(hull->geometry), f, i, nullptr);
    } else if (const auto* mesh = std::get_if<Mesh>(&solid.shape); mesh && mesh->geometry) {
      const Device::PlacedMesh& placed = door.find_mesh(mesh->geometry);
      add_instance(placed.scene, f, i, &placed);
    } else {
      add_mesh(solid.shape, f, i);
    }
  }

  void add_tube(size_t i) {
    const StageTube& tube = stage.tubes[i];
    const auto first = static_cast<unsigned>(tube_points.size());
    for (const Vec3& p_W : tube.points_W) {
      const V3 p = to_v3(p_W - origin);
      tube_points.push_back({p.x, p.y, p.z, static_cast<float>(tube.radius)});
    }
    for (unsigned k = 0; k + 1 < tube.points_W.size(); ++k) {
      tube_segments.push_back(first + k);
      tube_owner.push_back(i);
    }
  }

  template <class T>
  void set_buffer(RTCGeometry geometry, RTCBufferType type, RTCFormat format,
                  const std::vector<T>& values) const {
    auto* to = static_cast<T*>(
        rtcSetNewGeometryBuffer(geometry, type, 0, format, sizeof(T), values.size()));
    if (to != nullptr) std::copy(values.begin(), values.end(), to);
  }
  void attach(RTCGeometry geometry, unsigned id) const {
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene, geometry, id);
    rtcReleaseGeometry(geometry);
  }
  void commit_mesh() const {
    if (triangles.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    set_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, vertices);
    set_buffer(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles);
    attach(geometry, kMesh);
  }
  void commit_rest() {
    if (!spheres.empty()) {
      RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
      set_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, spheres);
      attach(geometry, kSpheres);
    }
    if (!rounds.shapes.empty()) {
      RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
      rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(rounds.shapes.size()));
      rtcSetGeometryUserData(geometry, &rounds);
      rtcSetGeometryBoundsFunction(geometry, bound_round, nullptr);
      rtcSetGeometryIntersectFunction(geometry, intersect_round);
      rtcSetGeometryOccludedFunction(geometry, occlude_round);
      attach(geometry, kRounds);
    }
    if (!tube_segments.empty()) {
      RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
      set_buffer(geometry, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, tube_points);
      set_buffer(geometry, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, tube_segments);
      attach(geometry, kTubes);
    }
  }

  void set_solid(size_t i, Hit& hit) const {
    const StageSolid& solid = stage.solids[i];
    hit.local = frames[i].to_local(hit.point);
    hit.look = &solid.look;
    hit.shape = &solid.shape;
    hit.seed = solid.body;
  }
  void bend_normal(const RTCRayHit& found, const V3& facing, Hit& hit) const;
  void describe(const RTCRayHit& found, Hit& hit) const;
  const PlaneAt* find_plane(const Ray& ray, float& distance) const;
  bool find(const Ray& ray, Hit& hit) const;
  bool blocked(const Ray& ray) const;
};

void Geometry::State::build(Which which) {
  frames.resize(stage.solids.size());
  for (size_t i = 0; i < stage.solids.size(); ++i)
    if (belongs(stage.solids[i].look, which)) add_solid(i);
  for (size_t i = 0; i < stage.tubes.size(); ++i)
    if (belongs(stage.tubes[i].look, which)) add_tube(i);
  commit_mesh();
  commit_rest();
  rtcCommitScene(scene);
}

Geometry::Geometry(const Device& device, const Stage& stage, const Vec3& origin_W) {
  const auto make = [&](Which which) {
    auto state = std::make_unique<State>(device, stage, origin_W);
    state->build(which);
    return state;
  };
  state_ = make(Which::kAll);
  const auto any = [&](const auto& is) {
    return std::any_of(stage.solids.begin(), stage.solids.end(), is) ||
           std::any_of(stage.tubes.begin(), stage.tubes.end(), is);
  };
  const bool glass = any([](const auto& thing) { return thing.look.transparency > 0; });
  const bool overlays = any([](const auto& thing) { return thing.look.glow > 0; });
  if (glass || overlays) opaque_ = make(Which::kOpaque);
  if (glass) glass_ = make(Which::kGlass);
}
Geometry::~Geometry() = default;

// Over a smooth surface of facets the normal turns as it would on the curved one; not so far that a
// facet would be seen from behind.
void Geometry::State::bend_normal(const RTCRayHit& found, const V3& facing, Hit& hit) const {
  const size_t instance = found.hit.instID[0] - kFirstInstance;
  if (instance_mesh[instance] == nullptr) return;
  const auto& n = instance_mesh[instance]->normals[found.hit.primID];
  const float u = found.hit.u, v = found.hit.v;
  const V3 smooth = unit((1 - u - v) * n[0] + u * n[1] + v * n[2]);
  const V3 bent = frames[instance_owner[instance]].turn_world(smooth);
  const V3 along{found.ray.dir_x, found.ray.dir_y, found.ray.dir_z};
  if (dot(smooth, facing) > 0 && dot(bent, along) * dot(hit.normal, along) > 0) hit.bent = bent;
}

void Geometry::State::describe(const RTCRayHit& found, Hit& hit) const {
  const unsigned prim = found.hit.primID;
  const V3 facing = unit({found.hit.Ng_x, found.hit.Ng_y, found.hit.Ng_z});
  if (found.hit.instID[0] != RTC_INVALID_GEOMETRY_ID) {
    const size_t i = instance_owner[found.hit.instID[0] - kFirstInstance];
    set_solid(i, hit);
    hit.normal = hit.bent = frames[i].turn_world(facing);
    bend_normal(found, facing, hit);
    return;
  }
  switch (found.hit.geomID) {
    case kMesh: {
      const size_t owner = mesh_owner[prim];
      set_solid(owner, hit);
      hit.normal = hit.bent = facing;
      // not of glass: light that a worn edge let in would not come out
      if (const auto* box = std::get_if<Box>(hit.shape); box && hit.look->transparency == 0)
        hit.bent = frames[owner].turn_world(worn_normal(to_v3(box->half), hit.local));
      break;
    }
    case kSpheres:
      set_solid(sphere_owner[prim], hit);
      hit.normal = hit.bent = unit(hit.point - frames[sphere_owner[prim]].p);
      break;
    case kRounds: {
      set_solid(round_owner[prim], hit);
      const Frame& f = frames[round_owner[prim]];
      hit.normal = hit.bent = f.turn_world(round_normal(rounds.shapes[prim], hit.local));
      break;
    }
    default:
      hit.look = &stage.tubes[tube_owner[prim]].look;
      hit.shape = nullptr;
      hit.local = hit.point;
      hit.normal = hit.bent = facing;
  }
}

const PlaneAt* Geometry::State::find_plane(const Ray& ray, float& distance) const {
  const PlaneAt* nearest = nullptr;
  for (const PlaneAt& plane : planes) {
    const float slope = dot(plane.normal, ray.along);
    if (slope == 0) continue;
    const float t = (plane.offset - dot(plane.normal, ray.from)) / slope;
    if (t > ray.near && t < distance) {
      distance = t;
      nearest = &plane;
    }
  }
  return nearest;
}

namespace {
RTCRay to_embree(const Ray& ray) {
  RTCRay r{};
  r.org_x = ray.from.x, r.org_y = ray.from.y, r.org_z = ray.from.z;
  r.dir_x = ray.along.x, r.dir_y = ray.along.y, r.dir_z = ray.along.z;
  r.tnear = ray.near, r.tfar = ray.far;
  r.mask = 0xffffffffu;
  return r;
}
}  // namespace

bool Geometry::find(const Ray& ray, Hit& hit) const { return state_->find(ray, hit); }

bool Geometry::State::find(const Ray& ray, Hit& hit) const {
  RTCRayHit query{};
  query.ray = to_embree(ray);
  query.hit.geomID = query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &query);
  float distance = query.ray.tfar;
  if (const PlaneAt* plane = find_plane(ray, distance)) {
    hit.distance = distance;
    hit.point = ray.from + distance * ray.along;
    set_solid(plane->solid, hit);
    hit.normal = hit.bent = plane->normal;
    return true;
  }
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return false;
  hit.distance = distance;
  hit.point = ray.from + distance * ray.along;
  describe(query, hit);
  return true;
}

bool Geometry::State::blocked(const Ray& ray) const {
  float distance = ray.far;
  if (find_plane(ray, distance) != nullptr) return true;
  RTCRay query = to_embree(ray);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene, &context, &query);
  return query.tfar < 0;
}

V3 Geometry::find_light(const Ray& ray) const {
  if ((opaque_ ? *opaque_ : *state_).blocked(ray)) return {};
  V3 light{1, 1, 1};
  Ray rest = ray;
  for (int i = 0; glass_ && i < kThroughGlass; ++i) {
    Hit hit;
    if (!glass_->find(rest, hit)) return light;
    // some is lost at either surface, more where the ray grazes it
    const float facing = std::fabs(dot(hit.normal, ray.along));
    const V3 tint{std::sqrt(static_cast<float>(hit.look->color.x)),
                  std::sqrt(static_cast<float>(hit.look->color.y)),
                  std::sqrt(static_cast<float>(hit.look->color.z))};
    light =
        (static_cast<float>(hit.look->transparency) * (0.35f + 0.65f * facing)) * (light * tint);
    if (largest(light) < 1e-3f) return {};
    rest.near = std::max(hit.distance * (1 + 1e-5f), std::nextafter(hit.distance, 1e30f));
  }
  return light;
}

}  // namespace tenon::render
