"""What recalls teach edges: the trace of a recall, and the update of edge memories after feedback."""
