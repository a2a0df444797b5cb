"""How fast, how heavy: messages, recalls, starts, imports, many clients, a hanging model."""
