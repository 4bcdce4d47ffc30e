"""Bodies of any shape: volume cells of a mesh."""
