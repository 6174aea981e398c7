int bytes = unit(16);
