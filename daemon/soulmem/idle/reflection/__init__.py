"""Thinking over what was noted: the step `reflect`, by counting what recurs and by asking a model."""
