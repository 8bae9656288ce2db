// Several observers of one controller, told in the order of the list.
#pragma once

#include <vector>

#include "hw/channel/command_observer.h"

namespace lockstep {

class ObserverList final : public CommandObserver {
 public:
  // nullptr stands for none.
  void assign(std::initializer_list<CommandObserver*> observers) {
    observers_.clear();
    for (CommandObserver* const observer : observers) {
      if (observer != nullptr) observers_.push_back(observer);
    }
  }
  // What a controller is to be given: nullptr if there is nobody to tell.
  CommandObserver* get() { return observers_.empty() ? nullptr : this; }

  void on_commands(const IssuedCommands& issued) override {
    for (CommandObserver* const observer : observers_) observer->on_commands(issued);
  }

 private:
  std::vector<CommandObserver*> observers_;
};

}  // namespace lockstep
