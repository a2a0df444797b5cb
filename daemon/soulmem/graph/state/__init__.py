"""The graph as arrays: ids, adjacency, weights that decay, and what each edge remembers."""
