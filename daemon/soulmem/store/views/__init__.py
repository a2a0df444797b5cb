"""Rows as others read them: notes as they have faded by now, previews, and the shapes of the protocol."""
