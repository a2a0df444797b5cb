"""Names in text: people, animals, places and organisations, Chinese and English."""
