"""Embedders: adapters of the `Embedder` port, their installation, and the threads they run in.

The daemon calls `embedder_choice.load_embedder` and hands the result to `embedding_threads.EmbedWorker`; `soulmem
model` calls `model_install`, `model_manifest` and `embedder_trial`. Importing this package loads none of onnxruntime,
onnx, tokenizers, openai.
"""
