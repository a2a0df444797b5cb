"""From seeds to related notes: edge expansion, personalised PageRank, diffusion, paths."""
