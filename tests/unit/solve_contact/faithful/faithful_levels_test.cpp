#include "tenon/engine/solve_contact/faithful/step.h"
#include <gtest/gtest.h>
