"""Compiled kernels of gaps that may close: kinematics of stations, contact, films, tangents. They know vectors and laws."""
