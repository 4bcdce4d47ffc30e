"""Rigid surfaces: impacts and resting contact."""
