"""Short scripts, one idea each: `run()` gives a solution, numbers beside their references, and how to draw it."""
