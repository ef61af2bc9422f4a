#include "tenon/render/export/replay.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tenon/render/color.h"
#include "tenon/render/export/base64.h"
#include "tenon/render/export/detail/keys.h"
#include "tenon/render/export/detail/replay_page.h"
#include "tenon/render/plot/drawing.h"
#include "tenon/scene/formats/json_text.h"

namespace tenon::exports {
namespace {

using scene::Json;

Result<std::string> packed(const std::string& raw) {
  std::string bytes(compressBound(static_cast<uLong>(raw.size())), '\0');
  uLongf size = static_cast<uLongf>(bytes.size());
  const int code =
      compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(raw.data()), static_cast<uLong>(raw.size()), 9);
  if (code != Z_OK) return Error{.message = "the replay cannot be packed: not enough memory"};
  bytes.resize(size);
  return bytes;
}

// The binary part: everything in the order in which the page takes it out again.
class Blob {
 public:
  void add(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    for (int i = 0; i < 4; ++i) bytes_ += static_cast<char>(bits >> 8 * i & 0xff);
  }
  void add(double value) { add(static_cast<float>(value)); }
  void add(uint32_t value) { add(std::bit_cast<float>(value)); }
  // Whole numbers of 16 bits as differences, all low bytes before all high ones: smooth motions
  // have high bytes that are nearly all zero.
  void add_differences(const std::vector<uint16_t>& values) {
    std::string low, high;
    uint16_t before = 0;
    for (const uint16_t value : values) {
      const auto difference = static_cast<int16_t>(static_cast<uint16_t>(value - before));
      const auto folded = static_cast<uint16_t>(difference << 1 ^ difference >> 15);
      low += static_cast<char>(folded & 0xff);
      high += static_cast<char>(folded >> 8);
      before = value;
    }
    bytes_ += low + high;
    // what follows is aligned
    bytes_.resize((bytes_.size() + 3) / 4 * 4, '\0');
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

Json float_list(std::initializer_list<double> values) {
  Json list = Json::array();
  for (const double v : values) list.push(static_cast<double>(static_cast<float>(v)));
  return list;
}
Json float_list(const Vec3& v) { return float_list({v.x, v.y, v.z}); }
Json float_list(const Pose& X) {
  return float_list({X.p.x, X.p.y, X.p.z, X.q.w, X.q.x, X.q.y, X.q.z});
}

Json write_mesh(const TriangleMesh& mesh, Blob& blob) {
  for (const Vec3& p : mesh.points)
    for (int c = 0; c < 3; ++c) blob.add(p[c]);
  for (const Vec3& n : mesh.normals)
    for (int c = 0; c < 3; ++c) blob.add(n[c]);
  for (const auto& triangle : mesh.triangles)
    for (const uint32_t corner : triangle) blob.add(corner);
  return float_list(
      {static_cast<double>(mesh.points.size()), static_cast<double>(mesh.triangles.size())});
}

void write_positions(const Track& track, Vec3& lo, Vec3& step, Blob& blob) {
  Vec3 hi = lo = track.poses.front().p;
  for (const Pose& pose : track.poses)
    for (int c = 0; c < 3; ++c) {
      lo[c] = std::min(lo[c], pose.p[c]);
      hi[c] = std::max(hi[c], pose.p[c]);
    }
  step = (hi - lo) / 65535.0;
  for (int c = 0; c < 3; ++c) {
    std::vector<uint16_t> values;
    for (const Pose& pose : track.poses)
      values.push_back(step[c] > 0 ? static_cast<uint16_t>(std::lround(
                                         std::min((pose.p[c] - lo[c]) / step[c], 65535.0)))
                                   : uint16_t{0});
    blob.add_differences(values);
  }
}

void write_rotations(const Track& track, Blob& blob) {
  for (int c = 0; c < 4; ++c) {
    std::vector<uint16_t> values;
    for (const Pose& pose : track.poses) {
      const double parts[] = {pose.q.w, pose.q.x, pose.q.y, pose.q.z};
      values.push_back(static_cast<uint16_t>(
          static_cast<int16_t>(std::lround(32767 * std::clamp(parts[c], -1.0, 1.0)))));
    }
    blob.add_differences(values);
  }
}

Json write_track(const Track& track, Blob& blob) {
  Json json = Json::object();
  json.set("name", track.name);
  if (track.body != kNoBody) json.set("body", static_cast<double>(track.body));
  if (track.poses.size() == 1) {
    json.set("pose", float_list(track.poses.front()));
  } else {
    Vec3 lo, step;
    write_positions(track, lo, step, blob);
    write_rotations(track, blob);
    json.set("lo", float_list(lo)).set("step", float_list(step));
  }
  if (track.scales.empty()) return json;
  json.set("scaled", true);
  for (const Vec3& s : track.scales)
    for (int c = 0; c < 3; ++c) blob.add(s[c]);
  return json;
}

Json write_look(const render::StageLook& look) {
  Json json = Json::object();
  json.set("color", float_list(look.color))
      .set("pattern", std::string(render::name(look.pattern)))
      .set("size", look.pattern_size)
      .set("roughness", look.roughness)
      .set("metallic", look.metallic)
      .set("transparency", look.transparency)
      .set("reflection", look.reflection);
  return json;
}

// Sun and sky of a scene without lights of its own, the brightest of the three colours.
constexpr double kPlainDay = 1.4;

Json write_light(const render::StageLight& light, double scale) {
  Json json = Json::object();
  json.set("type", light.type == scene::LightType::kSun     ? "sun"
                   : light.type == scene::LightType::kPoint ? "point"
                                                            : "ambient")
      .set("direction", float_list(light.direction_W))
      .set("position", float_list(light.p_W))
      .set("rgb", float_list(scale * light.rgb));
  return json;
}

Json describe(const Baked& baked, Blob& blob) {
  Json json = Json::object();
  json.set("title", baked.title).set("source", baked.source).set("version", baked.version);
  json.set("frames", static_cast<double>(baked.times.size()));
  for (const double t : baked.times) blob.add(t);
  Json meshes = Json::array(), tracks = Json::array(), looks = Json::array();
  for (const TriangleMesh& mesh : baked.meshes) meshes.push(write_mesh(mesh, blob));
  for (const Track& track : baked.tracks) tracks.push(write_track(track, blob));
  for (const render::StageLook& look : baked.looks) looks.push(write_look(look));
  Json pieces = Json::array(), cameras = Json::array(), lights = Json::array();
  for (const Piece& piece : baked.pieces) {
    Json entry = float_list({static_cast<double>(piece.track), static_cast<double>(piece.mesh),
                             static_cast<double>(piece.look)});
    entry.push(float_list(piece.X_TP));
    entry.push(kind(baked.shapes[piece.mesh]) == ShapeKind::kPlane);
    entry.push(grain_axis(baked.shapes[piece.mesh]));
    pieces.push(std::move(entry));
  }
  for (const CameraTrack& camera : baked.cameras)
    cameras.push(float_list({static_cast<double>(camera.track), camera.fov_rad, camera.focus_m}));
  // the page shows the light of a scene that lists none as it is
  const double scale = kPlainDay * baked.exposure;
  for (const render::StageLight& light : baked.lights) lights.push(write_light(light, scale));
  json.set("meshes", std::move(meshes)).set("tracks", std::move(tracks));
  json.set("looks", std::move(looks)).set("pieces", std::move(pieces));
  json.set("cameras", std::move(cameras));
  // where the camera changes: frame and camera
  Json shots = Json::array();
  for (size_t f = 0; f < baked.shots.size(); ++f)
    if (f == 0 || baked.shots[f] != baked.shots[f - 1])
      shots.push(float_list({static_cast<double>(f), static_cast<double>(baked.shots[f])}));
  json.set("shots", std::move(shots));
  json.set("lights", std::move(lights));
  json.set("lo", float_list(baked.bounds.lo)).set("hi", float_list(baked.bounds.hi));
  return json;
}

// JSON within <script>: "</script>" in a name must not end it.
std::string guarded(std::string json) {
  for (size_t at = json.find('<'); at != std::string::npos; at = json.find('<', at + 6))
    json.replace(at, 1, "\\u003c");
  return json;
}

}  // namespace

Result<std::string> to_replay_html(const Baked& baked) {
  Blob blob;
  const std::string json = guarded(scene::format_json(describe(baked, blob)));
  const Result<std::string> data = packed(blob.bytes());
  if (!data) return data.error();
  if (data->size() > size_t{750} << 20)
    return Error{.message = "the replay would be larger than a browser opens",
                 .accepted = "a shorter span of time, or every n-th frame"};
  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      plot::escape(baked.title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>";
  page += std::string(kReplayStyle) + "</style>\n</head>\n<body>\n" + kReplayBody;
  page += "<script type=\"application/json\" id=\"scene\">" + json + "</script>\n";
  page += "<script type=\"text/plain\" id=\"data\">" + base64(*data) + "</script>\n<script>\n";
  page += std::string("'use strict';\n") + kReplayShaders + kReplayScene + kReplayControl;
  return page + "</script>\n</body>\n</html>\n";
}

}  // namespace tenon::exports
