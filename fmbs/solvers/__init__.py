"""Linear and nonlinear solvers, time integration."""
