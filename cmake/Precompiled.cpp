// Compiled with each precompiled header (TileGPTPrecompiled.cmake); there is no code here.
