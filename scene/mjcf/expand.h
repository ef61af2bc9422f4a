// What MJCF says by reference and repetition, written out: <include> and <replicate>.
#pragma once

#include "tenon/scene/mjcf/settings.h"
#include "tenon/scene/model/report.h"
#include "tenon/scene/xml/element.h"

namespace tenon::scene::mjcf {

// The root with the content of all included files in the places of the <include>s. Errors: a file
// that is not there, or that includes itself, with the chain of names; more than the limits.
Result<xml::Element> load_with_includes(std::string_view text, const std::string& file,
                                        const model::Files& files);

// Copies what stands in <replicate>, each copy in a <frame> of its own, with an index behind its
// names; what refers to such a name elsewhere is copied as well.
Status expand_replicates(const Settings& settings, xml::Element& root);

}  // namespace tenon::scene::mjcf
