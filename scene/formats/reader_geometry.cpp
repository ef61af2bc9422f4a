// Vectors, orientations, inertias and colours.
#include <cmath>
#include <cstring>

#include "tenon/scene/formats/color_names.h"
#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/formats/reader.h"

namespace tenon::scene {
namespace {

constexpr const char* kOrientations =
    "[w, x, y, z], {\"axis\": [0, 1, 0], \"angle\": \"90 deg\"}, or {\"euler\": [\"90 deg\", 0, "
    "0]}";
constexpr const char* kColors =
    "\"#rrggbb\", a colour name, [r, g, b] or {\"hsv\": [h, s, v]} with values from 0 to 1";

std::string element(std::string_view name, const char* suffix) {
  return std::string(name) + suffix;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "#rgb" or "#rrggbb".
bool parse_hex_color(std::string_view text, Color& out) {
  if ((text.size() != 4 && text.size() != 7) || text[0] != '#') return false;
  double values[3];
  for (size_t i = 0; i < 3; ++i) {
    const bool narrow = text.size() == 4;
    const int high = hex_digit(text[narrow ? 1 + i : 1 + 2 * i]);
    const int low = narrow ? high : hex_digit(text[2 + 2 * i]);
    if (high < 0 || low < 0) return false;
    values[i] = (16 * high + low) / 255.0;
  }
  out = {values[0], values[1], values[2]};
  return true;
}

// Hue, saturation, value, each in [0, 1]; hue wraps round.
Color from_hsv(double h, double s, double v) {
  const double sector = 6 * (h - std::floor(h));
  auto channel = [&](double shift) {
    double k = shift + sector;
    if (k >= 6) k -= 6;
    const double ramp = std::fmax(0.0, std::fmin(std::fmin(k, 4 - k), 1.0));
    return v - v * s * ramp;
  };
  return {channel(5), channel(3), channel(1)};
}

}  // namespace

bool Reader::read(const Json& json, Vec3& out, const Spec& spec, std::string_view name) {
  const bool plain = spec.dimension.none();
  if (spec.is_scale && !json.is_array()) {
    double all = 1;
    if (!read(json, all, spec, name)) return false;
    if (all == 0) error(json, std::string(name) + " must not be 0", "any other number");
    out = {all, all, all};
    return all != 0;
  }
  if (!read_list(json, 3, name,
                 plain ? "three numbers [x, y, z]"
                       : "three values [x, y, z], each " + describe(spec.dimension))) {
    return false;
  }
  Vec3 v;
  bool good = read(json.items[0], v.x, spec, element(name, "[0]"));
  good &= read(json.items[1], v.y, spec, element(name, "[1]"));
  good &= read(json.items[2], v.z, spec, element(name, "[2]"));
  if (!good) return false;
  if (spec.is_scale && v.x * v.y * v.z == 0) {
    error(json, std::string(name) + " must not have a 0", "any other numbers");
    return false;
  }
  if (spec.is_direction && !(max_component(cwise_abs(v)) > 1e-100)) {
    error(json, std::string(name) + " must not be the zero vector", "any other direction");
    return false;
  }
  out = v;
  return true;
}

bool Reader::read_axis_angle(const Json& json, Quat& out, std::string_view name) {
  const Json* axis = json.find("axis");
  const Json* angle = json.find("angle");
  if (!axis || !angle || json.members.size() != 2) {
    error(json, std::string(name) + " needs both 'axis' and 'angle', and nothing else",
          kOrientations);
    return false;
  }
  Vec3 direction;
  double turn = 0;
  bool good = read(*axis, direction, spec::direction(), element(name, ".axis"));
  good &= read(*angle, turn, spec::quantity(kAngle, 1e6), element(name, ".angle"));
  if (good) out = from_axis_angle(normalized(direction), turn);
  return good;
}

// Turns about the fixed axes x, then y, then z.
bool Reader::read_euler(const Json& json, Quat& out, std::string_view name) {
  const bool degrees = json.members[0].key == "euler_deg";
  const Json& list = json.members[0].value;
  const Spec range = degrees ? spec::quantity(kNumber, 1e6) : spec::quantity(kAngle, 1e6);
  Vec3 v;
  if (!read(list, v, range, element(name, degrees ? ".euler_deg" : ".euler"))) return false;
  if (degrees) v *= kPi / 180;
  out = from_axis_angle({0, 0, 1}, v.z) * from_axis_angle({0, 1, 0}, v.y) *
        from_axis_angle({1, 0, 0}, v.x);
  return true;
}

bool Reader::read(const Json& json, Quat& out, const Spec&, std::string_view name) {
  Quat q;
  if (json.is_object()) {
    const bool euler = json.members.size() == 1 &&
                       (json.members[0].key == "euler" || json.members[0].key == "euler_deg");
    if (!(euler ? read_euler(json, q, name) : read_axis_angle(json, q, name))) return false;
    out = normalized(q);
    return true;
  }
  if (!json.is_array() || json.items.size() != 4) {
    error(json, std::string(name) + " must be an orientation", kOrientations);
    return false;
  }
  const Spec any = spec::quantity(kNumber, 1e100);
  bool good = read(json.items[0], q.w, any, element(name, "[0]"));
  good &= read(json.items[1], q.x, any, element(name, "[1]"));
  good &= read(json.items[2], q.y, any, element(name, "[2]"));
  good &= read(json.items[3], q.z, any, element(name, "[3]"));
  if (!good) return false;
  const double n = norm(q);
  if (!(n > 1e-100)) {
    error(json, std::string(name) + " is a quaternion of length zero", kOrientations);
    return false;
  }
  if (std::fabs(n - 1) > 0.01) {
    warn(json.place, std::string(name) + " is no unit quaternion and was normalised",
         format_short(json));
  }
  // one that is unit to round-off stays as it is, so that saving and loading changes no bit
  out = std::fabs(n - 1) < 1e-15 ? q : normalized(q);
  return true;
}

bool Reader::check_inertia(const Json& json, const Mat3& I, std::string_view name) {
  const double scale =
      std::fmax(std::fmax(std::fabs(I.r0.x), std::fabs(I.r1.y)), std::fabs(I.r2.z));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < i; ++j) {
      if (std::fabs(I(i, j) - I(j, i)) <= 1e-9 * scale) continue;
      error(json, std::string(name) + " must be symmetric", "xy = yx, xz = zx, yz = zy");
      return false;
    }
  }
  const Vec3 moments = scale > 0 ? calc_symmetric_eigen(I).values : Vec3{};
  if (!(moments.x > 0)) {
    error(json, std::string(name) + " must have three principal moments above 0",
          "a positive definite matrix");
    return false;
  }
  // equality is a flat plate; round-off may put it on either side
  if (moments.z > (moments.x + moments.y) * (1 + 1e-9)) {
    error(json, std::string(name) + " breaks the triangle inequality: no body has it",
          "each principal moment at most the sum of the other two (here " +
              format_number(moments.x) + ", " + format_number(moments.y) + ", " +
              format_number(moments.z) + ")");
    return false;
  }
  return true;
}

bool Reader::read(const Json& json, Mat3& out, const Spec& spec, std::string_view name) {
  const char* accepted = "[xx, yy, zz], [xx, yy, zz, xy, xz, yz] or three rows of three";
  const size_t count = json.is_array() ? json.items.size() : 0;
  Mat3 m;
  if (count == 3 && json.items[0].is_array()) {
    bool good = true;
    for (int i = 0; i < 3; ++i)
      good &= read(json.items[static_cast<size_t>(i)], m.row(i), spec, name);
    if (!good) return false;
  } else if (count == 3 || count == 6) {
    double v[6] = {};
    bool good = true;
    for (size_t i = 0; i < count; ++i) good &= read(json.items[i], v[i], spec, name);
    if (!good) return false;
    m = {{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}};
  } else {
    error(json, std::string(name) + " must be a list of 3, 6 or 3x3 numbers", accepted);
    return false;
  }
  if (spec.is_inertia && !check_inertia(json, m, name)) return false;
  // the two halves may differ by round-off in the file, never in the document
  m.r1.x = m.r0.y;
  m.r2.x = m.r0.z;
  m.r2.y = m.r1.z;
  out = m;
  return true;
}

bool Reader::read(const Json& json, Color& out, const Spec&, std::string_view name) {
  if (json.is_string()) {
    std::string text;
    if (!read(json, text, Spec{}, name)) return false;
    if (parse_hex_color(text, out)) return true;
    std::vector<std::string> known;
    for (const NamedColor& color : kNamedColors) {
      if (text == color.name) {
        out = color.value;
        return true;
      }
      known.push_back(color.name);
    }
    error(json, std::string(name) + " is no known colour" + did_you_mean(text, known), kColors);
    return false;
  }
  const bool hsv = json.is_object() && json.members.size() == 1 && json.members[0].key == "hsv";
  const Json& list = hsv ? json.members[0].value : json;
  if (!list.is_array() || list.items.size() != 3) {
    error(json, std::string(name) + " must be a colour", kColors);
    return false;
  }
  Vec3 v;
  const Spec hue = hsv ? spec::quantity(kNumber, 1e6) : spec::share();
  bool good = read(list.items[0], v.x, hue, element(name, "[0]"));
  good &= read(list.items[1], v.y, spec::share(), element(name, "[1]"));
  good &= read(list.items[2], v.z, spec::share(), element(name, "[2]"));
  if (good) out = hsv ? from_hsv(v.x, v.y, v.z) : Color{v.x, v.y, v.z};
  return good;
}

}  // namespace tenon::scene
