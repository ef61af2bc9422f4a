#include "tenon/scene/forms/forms.h"

#include <algorithm>
#include <string>

#include "tenon/scene/forms/detail/makers.h"

namespace tenon::scene {
namespace {

// The longest side of the box around a form, roughly: what bounds the number of its triangles.
double rough_size(const SphereForm& f) { return 2 * f.radius; }
double rough_size(const BoxForm& f) { return max_component(f.size); }
double rough_size(const TorusForm& f) { return 2 * (f.radius + f.bar); }
double rough_size(const ChainLinkForm& f) { return f.length + 2 * (f.radius + f.bar); }
double rough_size(const LinkForm& f) { return std::min(f.angle, 2.0) * f.radius + 2 * f.knob; }
double rough_size(const GearForm& f) { return std::max(f.module * (f.teeth + 2), f.width); }
double rough_size(const SprocketForm& f) { return std::max(f.pitch * f.teeth / 3, f.width); }
double rough_size(const NutForm& f) { return std::max(1.2 * f.across, f.height); }
double rough_size(const BowlForm& f) { return 2 * f.radius; }
double rough_size(const LetterForm& f) { return std::max(f.height, f.depth); }
double rough_size(const TreadForm& f) { return std::max(1.3 * f.pitch, f.width); }
double rough_size(const BoneForm& f) { return 0.3 * f.stature; }
double rough_size(const GridForm& f) { return std::max(f.length, f.width); }

// The shortest edge for a size of 1: with it, a cube or a ground has about kMostTriangles. A field
// is sampled in a volume, so bones end earlier.
template <class T>
constexpr double kShortest = 1.0 / 2000;
template <>
constexpr double kShortest<BoneForm> = 1.0 / 1000;

}  // namespace

Result<Surface> make_surface(const Form& form) {
  if (const Status checked = check_form(form); !checked) return checked.error();
  const auto too_fine = [](double shortest) {
    return Error{.message = "the edges of this form are so short that it would have more than " +
                            std::to_string(kMostTriangles) + " triangles",
                 .value = "edge",
                 .accepted = "at least " + std::to_string(shortest) + " m"};
  };
  const double shortest =
      std::visit([]<class T>(const T& f) { return kShortest<T> * rough_size(f); }, form);
  const Edge edge = std::visit([](const auto& f) { return f.edge; }, form);
  if (edge && *edge < shortest) return too_fine(shortest);
  Surface surface = std::visit([](const auto& f) { return make(f); }, form);
  if (surface.triangles.size() > kMostTriangles) return too_fine(2 * shortest);
  return surface;
}

}  // namespace tenon::scene
