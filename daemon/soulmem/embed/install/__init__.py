"""How the embedded model comes into its folder: fetched, exported to ONNX, quantised, checked."""
