// A recording baked for players that know nothing of scenes: meshes, looks, and one pose per frame
// for everything that moves. What is there, and how it looks, is what the stage says.
#pragma once

#include "tenon/render/export/mesh.h"
#include "tenon/render/stage.h"

namespace tenon::exports {

struct BakeOptions {
  double from_s = -std::numeric_limits<double>::infinity();  // cut to the recording's span
  double to_s = std::numeric_limits<double>::infinity();
  uint64_t every = 1;  // every n-th recorded frame, the last one as well; >= 1
  std::string camera;  // of StageOptions
  int sides = 0;       // of round shapes; 0: 32, fewer where there are very many bodies
};

// Something that moves as one: a body, a part of a spring or rope, a camera.
struct Track {
  std::string name;
  uint32_t body = kNoBody;
  // One per frame, or a single one for what never moves.
  std::vector<Pose> poses;  // unit quaternions, neighbours at most half a turn apart in sign
  // Stretch along the axes of the track, one per frame; empty = none. Zero: not there.
  std::vector<Vec3> scales;
};

// A mesh on a track.
struct Piece {
  size_t track = 0, mesh = 0, look = 0;
  Pose X_TP;  // in the track's frame
};

struct CameraTrack {
  size_t track = 0;      // the camera looks along -z of it, y up
  double fov_rad = 0.8;  // vertical
  double focus_m = 1;
};

struct Baked {
  std::string title, source;  // of the scene; name of the recording's scene
  std::string version;        // of Tenon
  std::vector<double> times;  // s, ascending
  std::vector<TriangleMesh> meshes;
  std::vector<Shape> shapes;  // of the meshes; spheres of radius 0 for tubes
  std::vector<render::StageLook> looks;
  std::vector<Track> tracks;
  std::vector<Piece> pieces;
  std::vector<CameraTrack> cameras;  // "auto" is the last
  std::vector<size_t> shots;         // of each frame: the camera that the scene or options choose
  std::vector<render::StageLight> lights;
  double exposure = 1;                   // that of films
  Aabb bounds{{-1, -1, -1}, {1, 1, 1}};  // m, of everything but planes, over all frames
};

// One pose per recorded frame; more of them, evenly between, where straight lines from frame to
// frame would visibly open joints and every frame is asked for.
// Equal shapes are one mesh, equal looks one look. Springs are coils of constant wire that the
// track stretches; ropes are chains of cylinders. Errors: those of StageSource::open, `every` of 0.
// Memory: 56 bytes per thing that moves and frame.
Result<Baked> bake(RecordingReader& reader, const BakeOptions& options = {});

}  // namespace tenon::exports
