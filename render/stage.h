// The stage: everything visible at one instant of a recording, whoever draws it (our ray tracer,
// POV-Ray, glTF, a page for the browser). World frame W, y up, metres, linear light.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/engine/geometry/shape.h"
#include "tenon/recording/reader.h"
#include "tenon/scene/document/document.h"

namespace tenon::render {

// What varies over a surface, in the frame of the solid. kChecker is for scale: fields of
// `StageLook::pattern_size`.
enum class Pattern { kPlain, kWood, kStone, kBrushed, kGlass, kIce, kChecker };
const char* name(Pattern pattern);

struct StageLook {
  Vec3 color{0.8, 0.8, 0.8};  // linear rgb, 0 ... 1
  Pattern pattern = Pattern::kPlain;
  double pattern_size = 1;   // m: fields of a checker, spacing of year rings, grains ...
  double roughness = 0.5;    // 0 mirror smooth ... 1 matt
  double metallic = 0;       // 0 ... 1
  double transparency = 0;   // 0 opaque ... 1 clear
  double reflection = 0.05;  // share of light mirrored at normal incidence
  double refraction = 1.5;   // index of refraction, > 1
  double glow = 0;           // light of its own, for overlays; 0 for everything real
};

// What a drawn thing is there for.
enum class Role {
  kBody,     // a part of a body
  kLink,     // a part of a spring, damper, rod, rope
  kJoint,    // a marker of a joint
  kOverlay,  // arrows, contact points, trails: nothing that is there
};

struct StageSolid {
  Role role = Role::kBody;
  uint32_t body = kNoBody;  // place in RunRecord::body_names
  std::string name;         // of the body, connection or joint
  Shape shape;              // a plane is infinite
  Pose X_WS;                // finite, unit quaternion
  StageLook look;
  bool marker = false;  // a body without extent, drawn as a small sphere
};

// A round tube along a line: coils, ropes, trails.
struct StageTube {
  Role role = Role::kLink;
  uint32_t body = kNoBody;  // of a trail
  std::string name;
  std::vector<Vec3> points_W;  // at least two; always as many for the same tube of the same run
  double radius = 0.01;        // m
  StageLook look;
};

// A connection as such, for those who draw it their own way; tubes and solids draw it already.
struct StageLink {
  scene::ConnectionType type = scene::ConnectionType::kSpring;
  std::string name;
  uint32_t a = kNoBody, b = kNoBody;  // kNoBody: the world
  Vec3 from_W, to_W;
  double radius = 0.01;  // m, of the coil or cylinder
};

struct StageLabel {
  std::string text;
  Vec3 p_W;
};

struct StageLight {
  scene::LightType type = scene::LightType::kSun;
  Vec3 direction_W{0, -1, 0};  // of travel, unit; of a sun
  Vec3 p_W;                    // m, of a point light
  Vec3 rgb{1, 1, 1};           // linear, times intensity; 1 = full daylight, point lights at 1 m
};

struct StageCamera {
  std::string name;
  Vec3 p_WE;
  Vec3 right_W{1, 0, 0}, up_W{0, 1, 0}, forward_W{0, 0, -1};  // orthonormal
  double fov_rad = 0.7853981633974483;                        // vertical
  double focus_m = 1;  // distance of what it looks at, along forward_W
  uint32_t carrier = kNoBody;
};

// What the energy bar shows, J.
struct StageEnergy {
  double kinetic = 0, potential = 0, elastic = 0;
  double scale = 1;  // J, full length of the bar over the whole run
};

struct Stage {
  double time = 0;  // s
  std::string title;
  Vec3 middle_W;                   // of what is there over the whole run
  double extent = 0;               // m, half its diagonal; 0: not known
  std::vector<Pose> poses;         // X_WB of all bodies of the recording, finite or not
  std::vector<StageSolid> solids;  // bodies in the order of the recording come first
  std::vector<StageTube> tubes;
  std::vector<StageLink> links;
  std::vector<StageLabel> labels;
  std::vector<StageLight> lights;    // at least one sun or ambient light
  std::vector<StageCamera> cameras;  // those of the scene, in its order; "auto" is the last
  size_t camera = 0;                 // the one that the options or the scene's shots ask for
  std::optional<StageEnergy> energy;
  bool show_time = false;
};

struct Show {
  bool joints = false, contacts = false, forces = false, velocities = false, frames = false,
       trails = false, labels = false, energy = false, time = false;
};
// "joints,contacts ..."; an unknown word is an error that lists the known ones.
Result<Show> parse_show(const std::string& words);

struct StageOptions {
  Show show;
  // A camera of the scene, or "auto". Empty: the scene's shots, else its first camera, else "auto".
  std::string camera;
  double aspect = 16.0 / 9;  // width / height of the picture: what "auto" fits the scene into
  // The range that "auto" keeps in the picture; cut to that of the recording.
  double from_s = -std::numeric_limits<double>::infinity();
  double to_s = std::numeric_limits<double>::infinity();
};

// Makes stages from a recording: opened once, asked for many times. Used by one thread at a time.
class StageSource {
 public:
  // The reader outlives the source. Reads up to a million poses to place the automatic camera.
  // Errors: no frames, a scene that cannot be read, an unknown camera, an empty range. Where a part
  // of the recording is damaged, the range ends before it.
  static Result<StageSource> open(RecordingReader& reader, const StageOptions& options = {});
  StageSource(StageSource&&) noexcept;
  StageSource& operator=(StageSource&&) noexcept;
  ~StageSource();

  // Between two frames, bodies move along smooth curves with the recorded velocities, straight
  // where they are kicked (detail/between_frames.h). Times outside of the recording show its first
  // or last frame. Bodies whose pose is not finite are left out, as are those that the scene does
  // not list.
  Result<Stage> at(double t) { return at(t, t); }
  // The same with the camera that the shots choose for another time: all instants of a blurred
  // picture belong to one shot.
  Result<Stage> at(double t, double shot_s);
  double first_time() const;  // s, of the range
  double last_time() const;
  double extent() const;  // m, half the diagonal of what moves in the whole run and about it
  // Why the range ends before the recording does: a damaged part; nothing otherwise.
  const std::optional<Error>& damage() const;
  // Bodies that the automatic camera leaves out at some time, for they are too far away.
  std::vector<std::string> strays() const;
  const scene::Document& document() const;  // flat

 private:
  struct State;
  explicit StageSource(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// The solid of a body that a point is in, planes included; nullptr for none.
const StageSolid* find_around(const Stage& stage, const Vec3& p_W);

// One stage, where no more are needed.
Result<Stage> make_stage(RecordingReader& reader, double t, const StageOptions& options = {});

}  // namespace tenon::render
