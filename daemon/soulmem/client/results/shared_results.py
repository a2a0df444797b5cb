"""Shapes that several families of answers hold.

Generated from `schemas/rpc` by `python -m soulmem.client.result_writer`; do not edit.
"""
# ruff: noqa
# fmt: off

from __future__ import annotations

from typing import NotRequired, TypedDict

class ProfileEvidence(TypedDict):
    id: str
    at: str | None
    quote: str

class SourceShape(TypedDict):
    conversation: str
    seq: int
    id: str
    quote: NotRequired[str | None]
