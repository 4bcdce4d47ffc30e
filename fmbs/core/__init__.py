"""Protocols and plain data that every other layer builds on."""
