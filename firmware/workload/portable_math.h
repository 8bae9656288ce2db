// Logarithm and exponential that give the same bits with every C library. They use only operations
// that IEEE 754 rounds correctly, so a generated workload does not depend on the machine.
#pragma once

namespace lockstep {

// Natural logarithm of a positive, finite x; within 4 units in the last place of ln.
double portable_log(double x);

// e to the x for |x| <= 700; relative error below 1e-13.
double portable_exp(double x);

}  // namespace lockstep
