#include <vector>

#include "sim/study/study_table.h"

namespace lockstep {

Span<StudyPart> study_parts() {
  static const std::vector<StudyPart> all = [] {
    std::vector<StudyPart> parts(placement_parts().begin(), placement_parts().end());
    parts.insert(parts.end(), serving_parts().begin(), serving_parts().end());
    return parts;
  }();
  return all;
}

}  // namespace lockstep
