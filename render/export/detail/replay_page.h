// The parts of the replay page: written by hand, put together by replay.cpp.
#pragma once

namespace tenon::exports {

extern const char* const kReplayStyle;    // CSS
extern const char* const kReplayBody;     // HTML of the controls
extern const char* const kReplayShaders;  // JavaScript with the GLSL of everything that is drawn
extern const char* const kReplayScene;    // JavaScript that unpacks and draws
extern const char* const kReplayControl;  // JavaScript of camera, timeline and keys

}  // namespace tenon::exports
