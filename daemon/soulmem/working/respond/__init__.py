"""What a client is answered: the dialogue service and the context of a prompt."""
