"""Pure decisions of the memory, without any I/O: text, time, names, facts, decay, grounding, search."""
