// What contacts did in the last step goes on in those of this one.
#pragma once

#include <span>

#include "tenon/engine/contact/contact.h"

namespace tenon {

// Impulses of the last step go on with the points that bear the same name; `shift`, m: how far
// points have gone since. Friction stays with the patch.
void carry_points(const Contact& old, const Vec3& shift, Contact& c);
// The same for all patches of a pair, before and now.
void carry_patches(std::span<const Contact> old, const Vec3& shift, std::span<Contact> now);

}  // namespace tenon
