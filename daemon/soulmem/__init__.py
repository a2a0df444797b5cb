"""soulmem: a memory daemon for characters, companions and agents that run on language models."""

__version__ = "0.1.0"
