tile.kernel @broken(
