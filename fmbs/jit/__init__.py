"""The compiler toolkit: kernels, the tables they take, calls by address, the cache on disk. It knows no mechanics."""
