// Tenon: simulation and animation of articulated rigid bodies. This header is the whole library;
// including only what you use compiles faster.
#pragma once

// the engine: bodies, shapes, materials, stepping
#include "tenon/engine/geometry/hull.h"
#include "tenon/engine/geometry/mass_properties.h"
#include "tenon/engine/geometry/ray_cast.h"
#include "tenon/engine/joints/black_box.h"
#include "tenon/engine/joints/black_boxes/black_boxes.h"
#include "tenon/engine/joints/connection.h"
#include "tenon/engine/world/world.h"

// scenes: text <-> document -> world
#include "tenon/scene/aero/world_file.h"
#include "tenon/scene/build/build.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/formats/scene_text.h"

// recordings: write, read, compare, resume
#include "tenon/recording/compare.h"
#include "tenon/recording/export_csv.h"
#include "tenon/recording/file_io.h"
#include "tenon/recording/info.h"
#include "tenon/recording/reader.h"
#include "tenon/recording/recorder.h"
#include "tenon/recording/resume.h"
