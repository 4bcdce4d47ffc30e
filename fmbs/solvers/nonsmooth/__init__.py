"""Time stepping for rigid surfaces: equal steps over impacts, none of which is located."""
