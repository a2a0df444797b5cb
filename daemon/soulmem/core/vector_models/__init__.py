"""Vector models: small networks that read the vectors of sentences, and say what words seldom tell."""
