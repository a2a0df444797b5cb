"""The statements of a conversation: gathered, completed by their context, and what tells nothing left out."""
