"""A recall from question to items: search, graph, reranking, deeper thought, explanation."""
