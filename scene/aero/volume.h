// Masses and centres of gravity of composed bodies, which world files place by them.
#pragma once

#include "tenon/scene/document/document.h"

namespace tenon::scene::aero {

// m^3; zero for shapes that AERO does not know.
double calc_volume(const PartShape& shape);
// kg: its own, or by density.
double calc_part_mass(const Document& document, const Body& body, const Part& part);
// Of a compound, in the frame of its parts; zero where nothing weighs anything.
Vec3 calc_center(const Document& document, const Body& body, const CompoundShape& compound);

}  // namespace tenon::scene::aero
