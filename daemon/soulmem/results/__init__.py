"""Shapes of what the daemon answers, each once: the types of the clients and the source of `schemas/rpc`."""
# ruff: noqa: F403 - nothing but shapes stands in these files

from soulmem.results.mind_results import *
from soulmem.results.note_results import *
from soulmem.results.talk_results import *
