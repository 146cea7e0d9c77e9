#include "CSQLiteSettings.h"
