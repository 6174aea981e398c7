tile.kernel @new()
