"""Small mathematics without mechanics: rotations, signals of time, compiled vector algebra."""
