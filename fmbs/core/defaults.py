"""Defaults of the analyses that more than one layer names: the methods of Model show them, `fmbs.analysis` takes them."""

ASSEMBLY_TOLERANCE = 0.1  # of the model's size, and in radians: what is moved farther to fit the joints is an error
ENERGY_TOLERANCE = 0.01  # of the energy exchanged: what is missing beyond it is told
EQUILIBRIUM_TOLERANCE = 1e-11  # last increment of an equilibrium, relative to the model's size
EQUILIBRIUM_ITERATIONS = 50  # of Newton's method in a load step
PER_ELEMENT = 4  # slices along a flexible element that is drawn
FRAMES_SIZE = 2 << 30  # bytes that the frames of a run, or files for ParaView, take where nobody says how many there are
PICTURE_SIZE = (1280, 800)  # pixels
