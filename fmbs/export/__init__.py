"""From a Solution to files and pictures for people and other programs."""
