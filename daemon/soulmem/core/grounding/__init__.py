"""Whether a drafted note rests on what was really said; what does not is kept out of the graph."""
