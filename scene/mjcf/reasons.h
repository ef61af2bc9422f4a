// Why known tags and attributes of MJCF are not used.
#pragma once

#include "tenon/scene/model/report.h"

namespace tenon::scene::mjcf {

const model::Reasons& reasons();

}  // namespace tenon::scene::mjcf
