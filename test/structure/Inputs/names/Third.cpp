static int half(int n) { return n >> 1; }
