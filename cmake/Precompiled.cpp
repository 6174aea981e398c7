// Holds the precompiled header of the compiler half; there is no code here.
