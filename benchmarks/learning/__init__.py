"""How a mind learns from everyday talk: what was told together, and what comes up again and again."""
