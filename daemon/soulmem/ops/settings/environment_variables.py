"""Which variables of the environment are ours: all that begin with `SOULMEM_`, and every one of them has its meaning.

The settings have theirs by name (`ops/settings/config_loader`); what else there is stands here. Read by
`ops/settings/config_loader` when the daemon starts and by the command line before a command runs, so that a slip of the
finger is told and not passed over. Importing this loads nothing heavy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from soulmem.core.text.did_you_mean import suggestion

PREFIX = "SOULMEM_"
OURS: Mapping[str, str] = {
    "SOULMEM_CONFIG": "the file of settings, in place of the usual ones",
    "SOULMEM_SOCKET": "the socket, for the daemon and for its clients",
    "SOULMEM_MODELS": "the directory of embedding models",
    "SOULMEM_MCP_TOKEN": "what clients of `soulmem mcp --http` must bring",
    "SOULMEM_PROXY_UPSTREAM": "the endpoint behind `soulmem proxy`",
    "SOULMEM_PROXY_KEY": "the key of that endpoint",
    "SOULMEM_PROXY_TOKEN": "what clients of `soulmem proxy` must bring",
    "SOULMEM_HTTP_TOKEN": "what clients of `soulmem http` must bring",
    "SOULMEM_TRACEBACK": "a command that fails by our fault shows where",
}
OF_TESTS: Mapping[str, str] = {
    "SOULMEM_EVENT_RECORD": "the file to which the name of every event goes at its first appearance",
    "SOULMEM_SHOW_EVENTS": "after a test run, tell which events nobody emitted",
    "SOULMEM_STRICT_EVENTS": "an event that is not in the catalogue raises",
    "SOULMEM_TEST_EXAMPLES": "how many examples a property is tried on at the most",
    "SOULMEM_TORTURE": "property and crash tests try many more cases",
    "SOULMEM_WARM_START": "daemons of tests are forked from one that has loaded its modules",
    "SOULMEM_WRITE_GOLDENS": "goldens are written anew in place of compared",
}


def unknown(environ: Mapping[str, str], settings: Iterable[str]) -> str | None:
    """The first variable of ours that means nothing, in words for who set it; None if all are known.

    `settings`: the names of the variables of settings.
    """
    known = {*settings, *OURS, *OF_TESTS}
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in known:
            # compared without what all have in common, or everything would be like everything
            tails = {each.removeprefix(PREFIX) for each in known}
            meant = suggestion(name.removeprefix(PREFIX), tails)
            return f"environment: unknown variable {name}" + (f" (did you mean {PREFIX}{meant}?)" if meant else "")
    return None
