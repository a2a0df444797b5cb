"""A file of just those weights that a graph reads, beside it in place of the whole of them.

Called by `model_install` for the quantised graph, which keeps its dense layers itself.
"""

from __future__ import annotations

import os
from pathlib import Path

from soulmem.embed.install.onnx_export import save_graph

_PAGE_BYTES = 4096  # onnxruntime maps what begins at a page
_CHUNK_BYTES = 1 << 20


def gather_weights(graph: Path, target: Path) -> None:
    """Copy what the graph reads of other files into `target`, in its own directory, and let it read there."""
    import onnx  # noqa: PLC0415  # needed only when a model is installed

    model = onnx.load(str(graph), load_external_data=False)
    with target.open("wb") as sink:
        for tensor in model.graph.initializer:
            if tensor.data_location != onnx.TensorProto.EXTERNAL:
                continue
            facts = {entry.key: entry.value for entry in tensor.external_data}
            sink.write(b"\0" * (-sink.tell() % _PAGE_BYTES))
            place, left = sink.tell(), int(facts["length"])
            with (graph.parent / facts["location"]).open("rb") as source:
                source.seek(int(facts["offset"]))
                while left and (chunk := source.read(min(left, _CHUNK_BYTES))):
                    sink.write(chunk)
                    left -= len(chunk)
            for entry in tensor.external_data:
                entry.value = {"location": target.name, "offset": str(place)}.get(entry.key, entry.value)
        sink.flush()
        os.fsync(sink.fileno())
    save_graph(model, graph)
