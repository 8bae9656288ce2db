#include "tests/configs/mistakes.h"
