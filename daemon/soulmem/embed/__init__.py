"""Embedders: adapters of the `Embedder` port, their installation, and the threads they run in.

The daemon calls `choice.load_embedder` and hands the result to `worker.EmbedWorker`; `soulmem model` calls
`install`, `manifest` and `trial`. Importing this package loads none of onnxruntime, onnx, tokenizers, openai.
"""
