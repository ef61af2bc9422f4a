// Pieces of SVG text.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "tenon/render/detail/lighting.h"
#include "tenon/render/detail/view.h"

namespace tenon::render {

// At most `decimals` digits after the point, without trailing zeros: "0.35", "12", "-3.1".
// Values that are not finite become 0, so that no picture is ever invalid.
std::string fixed(double value, int decimals);

// Text for element content and attributes. Characters XML 1.0 does not allow and bytes that are no
// UTF-8 become "?".
std::string escape(std::string_view text);

enum class Ends { kOpen, kClosed };
// Data of a <path> through the points, to a tenth of a pixel; empty for fewer than two different
// ones.
std::string path_data(std::span<const Point2> points, Ends ends);

// An ellipse (a circle where it nearly is one) with these attributes.
std::string ellipse_element(const Ellipse& ellipse, std::string_view attributes);

// Gradients that make flat outlines look round.
class Gradients {
 public:
  explicit Gradients(const View& view) : view_(view) {}
  // Makes a disc a sphere: "url(#s7)". Equal ones are written once.
  std::string sphere(const Surface& surface, const Illumination& light);
  // Colours along a line of the picture, at increasing shares 0 ... 1 of it.
  struct Stop {
    double share = 0;
    scene::Color color;
  };
  std::string line(const Point2& from, const Point2& to, std::span<const Stop> stops);
  // All gradients, for <defs>.
  const std::string& definitions() const { return definitions_; }

 private:
  View view_;
  std::map<std::string, size_t> ids_;
  std::string definitions_;
  size_t lines_ = 0;
};

}  // namespace tenon::render
