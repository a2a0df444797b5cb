"""Notes by hand: written, changed, forgotten, restored, forecast and reconstructed."""
