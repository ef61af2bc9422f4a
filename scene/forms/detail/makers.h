// One maker per form. Parameters have passed check_form.
#pragma once

#include "tenon/scene/document/form.h"
#include "tenon/scene/forms/surface.h"

namespace tenon::scene {

Surface make(const SphereForm& form);
Surface make(const BoxForm& form);
Surface make(const TorusForm& form);
Surface make(const ChainLinkForm& form);
Surface make(const LinkForm& form);
Surface make(const GearForm& form);
Surface make(const SprocketForm& form);
Surface make(const NutForm& form);
Surface make(const BowlForm& form);
Surface make(const LetterForm& form);
Surface make(const TreadForm& form);
Surface make(const BoneForm& form);
Surface make(const GridForm& form);

}  // namespace tenon::scene
