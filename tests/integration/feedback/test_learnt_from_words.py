"""What words found teaches too: praise and blame reach the links between what they brought, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking import Checking, checking
from daemon_fixture import daemon_process

LANGUAGES = ("en", "zh")
BEES = {"en": "Marta keeps bees on the roof.", "zh": "玛塔在屋顶上养蜜蜂。"}
HONEY = {"en": "Marta sells her honey on Saturdays.", "zh": "玛塔星期六卖蜂蜜。"}
ASKED = {"en": "What does Marta do with bees and honey?", "zh": "玛塔养蜜蜂和卖蜂蜜吗？"}


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checking]:
    with daemon_process(tmp_path_factory.mktemp("w")) as daemon:
        yield checking(daemon)


def _mind(api: Checking, name: str, language: str) -> tuple[str, str]:
    """A mind with two notes that belong together, both of which words find."""
    api.call("mind.create", mind=name)
    bees, honey = api.note(name, BEES[language]), api.note(name, HONEY[language])
    api.call("link.add", mind=name, src=bees, dst=honey, kind="association", strength=0.6)
    return bees, honey


@pytest.mark.parametrize("language", LANGUAGES)
def test_praise_reaches_the_links_between_what_words_found(api: Checking, language: str) -> None:
    mind = f"praise-{language}"
    _mind(api, mind, language)
    api.settle(mind)
    recall = api.call("recall", mind=mind, query=ASKED[language])
    assert {item["tier"] for item in recall["items"]} == {"vector"}
    praised = api.call("feedback", mind=mind, recall_id=recall["recall_id"], verdict="good")
    assert praised["enhanced"] > 0
    assert "warnings" not in praised


@pytest.mark.parametrize("language", LANGUAGES)
def test_blame_unlearns_what_praise_taught(api: Checking, language: str) -> None:
    mind = f"blame-{language}"
    _mind(api, mind, language)
    api.settle(mind)
    first, second = (api.call("recall", mind=mind, query=ASKED[language])["recall_id"] for _ in range(2))
    assert api.call("feedback", mind=mind, recall_id=first, verdict="good")["enhanced"] > 0
    assert api.call("feedback", mind=mind, recall_id=second, verdict="bad")["penalised"] > 0
