// What the record of a run says of it.
#pragma once

#include <optional>

#include "tenon/recording/records.h"
#include "tenon/scene/build/build.h"

namespace tenon::cli {

// `joints`: whether their track is recorded; by default if they are not too many.
RunRecord make_run_record(const scene::BuiltScene& built, const scene::Document& flat,
                          std::optional<bool> joints, bool contacts);

}  // namespace tenon::cli
