#include "tenon/tests/unit/solve_contact/faithful/faithful_fixture.h"
