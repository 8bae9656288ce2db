// lockstep alloc OPLOG.json: replays allocator operations and prints the block ids we return.
#include <memory>

#include <fmt/format.h>

#include "firmware/kv/oplog.h"
#include "sim/commands/declare.h"

namespace lockstep {

void declare_alloc(CLI::App& app, int&) {
  auto file = std::make_shared<std::string>();
  app.add_option("OPLOG", *file, "JSON array of operation logs")->required();
  app.footer(
      "Prints one JSON object per log, in the shape of the file, with the ids that our policies "
      "return.");
  app.callback([file] {
    for (const auto& log : read_oplogs(*file)) fmt::print("{}\n", replay(log));
  });
}

}  // namespace lockstep
