tile.kernel @known()
