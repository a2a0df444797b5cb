"""The extractive engine: a `LanguageModel` that needs no model. `ExtractiveEngine` is all others use."""

from soulmem.llm.extractive.extractive_engine import ExtractiveEngine

__all__ = ["ExtractiveEngine"]
