#include "tenon/scene/document/form.h"

#include <cmath>

namespace tenon::scene {
namespace {

Error wrong(const char* field, const char* message, const char* accepted) {
  return {.message = message, .value = field, .accepted = accepted};
}

Status check(const SphereForm&) { return Ok{}; }
Status check(const BoxForm&) { return Ok{}; }
Status check(const BoneForm&) { return Ok{}; }
Status check(const GridForm&) { return Ok{}; }

Status check(const TorusForm& f) {
  if (f.bar < f.radius) return Ok{};
  return wrong("bar", "the bar is too thick for its ring", "below the radius of the ring");
}

Status check(const ChainLinkForm& f) {
  if (f.bar < f.radius) return Ok{};
  return wrong("bar", "the bar is too thick for its bends", "below the radius of the bends");
}

Status check(const LinkForm& f) {
  if (f.knob < f.bar) return wrong("knob", "a knob is thinner than the bar", "at least the bar");
  if (f.knob >= f.radius) {
    return wrong("knob", "the knobs are too thick for the arc", "below the radius of the arc");
  }
  if (f.angle * f.radius > 2 * f.knob && f.angle * f.radius + 2 * f.knob < 2 * kPi * f.radius) {
    return Ok{};
  }
  return wrong("angle", "the knobs at the ends of the arc overlap",
               "an arc longer than two knobs, that leaves a gap in the ring");
}

Status check(const GearForm& f) {
  const double r = f.module * f.teeth / 2, base = r * cos(f.pressure_angle);
  const double root = r - f.dedendum * f.module, tip = r + f.addendum * f.module;
  const auto involute = [](double a) { return tan(a) - a; };
  const double foot = (kPi * f.module / 2 - f.backlash) / (2 * r) + involute(f.pressure_angle);
  if (tip > base && foot - involute(acos(base / tip)) < 1e-3 / f.teeth) {
    return wrong("addendum", "teeth come to a point below their tips",
                 "a smaller addendum, backlash or pressure angle, or more teeth");
  }
  if (foot > kPi / f.teeth * 0.99) {
    return wrong("teeth", "teeth touch one another at their feet",
                 "more teeth or a smaller pressure angle");
  }
  if (f.bore >= 0.98 * root) {
    return wrong("bore", "the bore reaches the teeth", "below the radius at the feet of teeth");
  }
  return Ok{};
}

Status check(const SprocketForm& f) {
  const double R = f.pitch / (2 * sin(kPi / f.teeth));
  if (f.seat >= 0.45 * f.pitch) {
    return wrong("seat", "seats leave nothing of the teeth between them",
                 "below 0.45 of the pitch");
  }
  if (f.bore >= 0.98 * (R - f.seat)) {
    return wrong("bore", "the bore reaches the seats", "below the radius under the seats");
  }
  return Ok{};
}

Status check(const NutForm& f) {
  if (2 * f.bore < 0.98 * f.across) return Ok{};
  return wrong("bore", "the bore reaches the flats", "below half of what is across them");
}

Status check(const BowlForm& f) {
  if (f.wall >= f.radius / 2) {
    return wrong("wall", "the wall is too thick for the bowl", "below half the radius");
  }
  if (f.height > 2 * f.wall && f.height < 1.9 * f.radius) return Ok{};
  return wrong("height", "the bowl has no opening or no inside",
               "more than two walls, and less than 1.9 times the radius");
}

Status check(const LetterForm& f) {
  if (f.letter.size() != 1 || f.letter[0] < 'A' || f.letter[0] > 'Z') {
    return wrong("letter", "there is no form of this letter", "one of A to Z");
  }
  if (f.pen > f.height / 4) {
    return wrong("pen", "the pen is too wide for the letter", "at most a quarter of the height");
  }
  return Ok{};
}

Status check(const TreadForm& f) {
  if (f.thickness > f.pitch / 3) {
    return wrong("thickness", "eyes are too thick for the pitch", "at most a third of the pitch");
  }
  if (2 * f.pin > 0.9 * f.thickness) {
    return wrong("pin", "the pin is too thick for its eye", "below 0.45 of the thickness");
  }
  if (f.eyes % 2 == 0) return wrong("eyes", "the number of eyes is even", "an odd number");
  if (f.width / f.eyes < 0.4 * f.thickness) {
    return wrong("eyes", "so many eyes are thinner than the gaps between them", "fewer eyes");
  }
  return Ok{};
}

}  // namespace

Status check_form(const Form& form) {
  return std::visit([](const auto& f) { return check(f); }, form);
}

}  // namespace tenon::scene
