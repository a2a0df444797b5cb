"""Types of what the daemon answers: TypedDicts, one for each shape of the protocol."""

from soulmem.results import *  # noqa: F403 - the same shapes, by the name that clients import
