// What the tests of the reader share: run a reader over a text and hand back the report.
#pragma once

#include <string>

#include "configs/config.h"

namespace lockstep {

// The report on `text`, called `c.yaml`, after `read` has read its root; "" if it is valid.
template <typename Read>
std::string mistakes_in(const std::string& text, Read read) {
  ConfigDocument doc = ConfigDocument::from_text(text, "c.yaml");
  read(doc.root());
  return doc.mistakes();
}

}  // namespace lockstep
