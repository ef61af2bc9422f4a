// What a recording looks like as a silhouette, twice: drawn by our own renderer, and as a scene for
// POV-Ray. Usage: silhouette RECORDING TIME WIDTH HEIGHT FOLDER; writes ours.png, mask_1.pov and
// the files that it includes. Everything but planes glows, and there is no light.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tenon/recording/file_io.h"
#include "tenon/render/export/pov.h"
#include "tenon/render/trace/renderer.h"

namespace tenon {
namespace {

bool write(const std::string& path, const void* bytes, size_t size) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool good = std::fwrite(bytes, 1, size, file) == size;
  return std::fclose(file) == 0 && good;
}
bool write(const std::string& path, const std::string& text) {
  return write(path, text.data(), text.size());
}

void make_mask(render::Stage& stage) {
  std::erase_if(stage.solids, [](const render::StageSolid& solid) {
    return kind(solid.shape) == ShapeKind::kPlane;
  });
  render::StageLook bright;
  bright.color = {1, 1, 1};
  bright.glow = 1;
  bright.reflection = 0;
  bright.roughness = 1;
  for (render::StageSolid& solid : stage.solids) solid.look = bright;
  for (render::StageTube& tube : stage.tubes) tube.look = bright;
  stage.lights.clear();
}

int draw(char** argv) {
  auto source = FileSource::open(argv[1]);
  if (!source) return 1;
  auto reader = RecordingReader::open(*source);
  if (!reader) return 1;
  render::RenderOptions options;
  options.width = std::atoi(argv[3]);
  options.height = std::atoi(argv[4]);
  options.samples = 32;
  render::StageOptions stage_options;
  stage_options.aspect = static_cast<double>(options.width) / options.height;
  auto stage = render::make_stage(*reader, std::atof(argv[2]), stage_options);
  if (!stage) {
    std::fprintf(stderr, "%s\n", format(stage.error()).c_str());
    return 1;
  }
  make_mask(*stage);
  const render::StageCamera& camera = stage->cameras[stage->camera];
  const std::string folder = std::string(argv[5]) + "/";
  exports::PovWriter writer({options.width, options.height, 25});
  const std::string frame = writer.frame(*stage, camera);
  const auto png = render::encode_png(render::Renderer(1).draw(*stage, camera, options));
  const bool good = write(folder + "mask_1.pov", frame) &&
                    write(folder + "tenon_scene.inc", writer.scene_include()) &&
                    write(folder + "tenon_materials.inc", writer.materials_include()) &&
                    write(folder + "mask.ini", writer.animation_ini("mask", 1, 0, 0)) &&
                    write(folder + "ours.png", png.data(), png.size());
  return good ? 0 : 1;
}

}  // namespace
}  // namespace tenon

int main(int argc, char** argv) { return argc == 6 ? tenon::draw(argv) : 2; }
