"""One recall's view of the graph: its moment and mood, the weights of edges, the seeds."""
