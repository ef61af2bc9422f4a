// One function per bone; see bones.h for the frame.
#pragma once

#include <vector>

#include "tenon/scene/forms/blobs.h"

namespace tenon::scene {

std::vector<Blob> make_pelvis();
std::vector<Blob> make_lumbar();
std::vector<Blob> make_rib_cage();
std::vector<Blob> make_neck();
std::vector<Blob> make_skull();
std::vector<Blob> make_clavicle();
std::vector<Blob> make_upper_arm();
std::vector<Blob> make_forearm();
std::vector<Blob> make_hand();
std::vector<Blob> make_thigh();
std::vector<Blob> make_shin();
std::vector<Blob> make_foot();
std::vector<Blob> make_toes();

}  // namespace tenon::scene
