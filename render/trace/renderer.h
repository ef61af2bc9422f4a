// Pictures of stages by path tracing: soft shadows, light of the sky, reflections, glass.
// The same stage and options give the same picture with any number of threads.
#pragma once

#include <span>
#include <string>

#include "tenon/engine/base/parallel.h"
#include "tenon/render/image/image.h"
#include "tenon/render/stage.h"
#include "tenon/render/trace/geometry.h"

namespace tenon::render {

enum class Quality {
  kDraft,  // previews: one sample, light of suns, and one look at the sky
  kFilm,   // clean by the denoiser
  kPhoto,  // for stills: many samples, more bounces
};
const char* name(Quality quality);
// Error: lists the known words.
Result<Quality> parse_quality(const std::string& word);

struct RenderOptions {
  int width = 1280, height = 720;  // px, 16 ... 8192
  Quality quality = Quality::kFilm;
  int samples = 0;  // per pixel; 0: as the quality has it
};
inline constexpr int kLeastPixels = 16, kMostPixels = 8192;
Status check(const RenderOptions& options);

class Renderer {
 public:
  explicit Renderer(int threads);
  // Seen from `camera`. Precondition: check(options) is good.
  Image draw(const Stage& stage, const StageCamera& camera, const RenderOptions& options);
  // The mean of several instants: motion blur. At least one.
  Image draw(std::span<const Stage> stages, std::span<const StageCamera> cameras,
             const RenderOptions& options);

 private:
  Device device_;
  ThreadPool pool_;
};

}  // namespace tenon::render
