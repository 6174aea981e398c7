#include "FooBar.h"
#include "Helper.h"
#include "../Lower/Base.h"
