"known"
