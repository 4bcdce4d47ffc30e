"""What links show of themselves: strains and section forces at places, surfaces with fields."""
