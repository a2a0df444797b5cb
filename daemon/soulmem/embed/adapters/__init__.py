"""The embedders: ONNX in this process, an endpoint, hashing; and which of them is used."""
