// Scenes for POV-Ray 3.7, one file per picture, as the stage has them. The language is written by
// hand: there is no library for it. Coordinates stay as they are: POV-Ray's axes are left-handed by
// custom only, its camera is given by vectors of our own.
#pragma once

#include <map>

#include "tenon/render/stage.h"

namespace tenon::exports {

struct PovOptions {
  int width = 640, height = 360;  // px, 16 ... 8192
  double fps = 25;                // of the animation
};

// Collects shapes and looks while frames are written, so that each is described once.
class PovWriter {
 public:
  explicit PovWriter(const PovOptions& options) : options_(options) {}

  // One picture: camera, lights and where everything is. Includes the two files below.
  std::string frame(const render::Stage& stage, const render::StageCamera& camera);
  // "tenon_scene.inc": shapes and looks of all frames so far.
  std::string scene_include() const;
  // "tenon_materials.inc": textures of wood, stone, metals, glass, ice and floors.
  static std::string materials_include();
  // "NAME.pov": passes on to the file of the frame that the animation has come to.
  static std::string animation_scene(const std::string& name, size_t frames);
  // "NAME.ini": renders all frames, `povray NAME.ini`.
  std::string animation_ini(const std::string& name, size_t frames, double from_s,
                            double to_s) const;

 private:
  size_t find_shape(const Shape& shape);
  size_t find_look(const render::StageLook& look, int grain);

  PovOptions options_;
  std::map<std::string, size_t> shapes_, looks_;
  std::string shape_text_, look_text_;
};

// "NAME_007.pov" for the seventh of some hundred frames; its picture is NAME_007.png.
std::string pov_frame_name(const std::string& name, size_t number, size_t frames);

}  // namespace tenon::exports
