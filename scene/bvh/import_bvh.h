// A BVH file as a scene: a figure that follows the motion of the file and is then released.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/scene/bvh/figure.h"
#include "tenon/scene/document/document.h"

namespace tenon::scene::bvh {

struct ImportOptions {
  FigureOptions figure;
  // s: the figure is dynamic from then on. Left out: a frame before the end of the motion, where
  // it still has its velocity.
  std::optional<double> release;
  bool follow_only =
      false;           // never released; the scene then has no joints, there is nothing to hold
  double fps = 0;      // key frames per second; 0: the frames of the file
  bool floor = false;  // a plane, and the figure moved up or down to where it just touches it
};

// How well a joint holds in the key frames.
struct JointFit {
  std::string name;                 // that of the child
  std::string type;                 // "ball" or "hinge"
  double gap_m = 0, angle_rad = 0;  // largest in any key frame
  std::vector<std::string> notes;   // see FigureJoint
};

struct ImportReport {
  size_t nodes = 0, frames = 0, keys = 0;
  double frame_time = 0, duration = 0;  // s
  double scale = 0, height_m = 0, mass_kg = 0;
  std::optional<double> release;  // s
  std::vector<JointFit> joints;
  std::vector<std::string> merged;  // "LHipJoint into Hips"
  double gap_m = 0, gap_rel = 0,
         angle_rad = 0;  // largest of all joints; by the smaller body's size
  double moved_m = 0;    // how far the assembly moved a body off the motion at most, ...
  std::string moved;     // ... and which
  double between_m = 0;  // largest gap of a joint half way between two key frames
};

struct Imported {
  Document document;
  ImportReport report;
};

// Reads the file, makes the figure, and finds its key frames: for each, the poses nearest to the
// motion's in which all joints hold (World::assemble). Error: what parse refuses, options out of
// range, a motion that the figure cannot follow.
Result<Imported> import_motion(std::string_view text, std::string_view file,
                               const ImportOptions& options = {});

// The bodies and joints of a figure: dynamic ones, all at the origin, without a motion yet.
Document make_document(const MotionFile& motion, const Figure& figure);

// For people: what was read, what was made of it, how well it holds.
std::string format(const ImportReport& report);

}  // namespace tenon::scene::bvh
