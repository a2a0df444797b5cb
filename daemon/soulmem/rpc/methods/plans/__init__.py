"""The methods of plans and their shapes."""
