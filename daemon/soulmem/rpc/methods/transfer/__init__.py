"""The methods that give a whole mind away and take one in."""
