"""What is known of one person or thing, put together from notes: who it is, attributes, relations, lists."""
