"""Records of recalls: what was asked, what came back, and by which links."""
