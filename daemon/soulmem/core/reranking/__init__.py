"""What is shown of what was found: diversity, validity, the memory stream, filter expressions."""
