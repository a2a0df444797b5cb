"""Facts of other people that change over years, back and forth: nothing is lost, what is so now comes first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checking import Checking, checking
from daemon_fixture import daemon_process
from soulmem.store.session.verify import damages
from years_of_others import YEAR_S, cases, ended_by_mistake, lost, tell

START = "2020-03-02T18:00:00Z"
LANGUAGES = ("en", "zh")
LEAST_FIRST = 30  # of 32 in each language


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checking]:
    """Minds that heard all of it, a year after the other."""
    with daemon_process(tmp_path_factory.mktemp("years"), "--simulated-clock", START) as daemon:
        found = checking(daemon)
        for language in LANGUAGES:
            found.call("mind.create", mind=language, profile="assistant", language=language)
        for place in range(max(len(case.told) for language in LANGUAGES for case in cases(language))):
            for language in LANGUAGES:
                tell(found, language, language, place)
                found.call("idle.run", mind=language)
                found.settle(language)
            found.call("clock.advance", seconds=YEAR_S)
        yield found
        for language in LANGUAGES:
            assert damages(daemon.state / "minds" / f"{language}.db") == []


def test_there_are_sixty_cases_and_a_third_of_them_goes_back() -> None:
    told = [case.told for language in LANGUAGES for case in cases(language)]
    back = [each for each in told if len({value for _, value in each}) < len(each)]
    assert (len(told), len(cases("en")) == len(cases("zh"))) == (64, True)
    assert len(back) > len(told) / 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_that_was_told_is_lost_and_nothing_that_holds_is_ended(api: Checking, language: str) -> None:
    notes = api.notes(language)
    assert lost(notes, language) == []
    assert ended_by_mistake(notes, language) == []
    assert api.notes(language, state="forgotten") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_so_now_comes_before_what_was(api: Checking, language: str) -> None:
    wrong = []
    for case in cases(language):
        texts = [item["text"] for item in api.found(language, case.question, k=10)]
        telling = [text for text in texts if any(value in text for value in (case.now, *case.outdated))]
        if not telling or case.now not in telling[0]:
            wrong.append(case.who)
    assert len(cases(language)) - len(wrong) >= LEAST_FIRST, wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_another_night_changes_nothing(api: Checking, language: str) -> None:
    def picture() -> list[tuple[object, ...]]:
        keys = ("id", "text", "tags", "valid_from", "valid_to", "superseded_by", "lifecycle")
        return [tuple(map(str, (note[key] for key in keys))) for note in api.notes(language)]

    before = picture()
    for _ in range(2):
        api.call("idle.run", mind=language)
        api.settle(language)
    assert picture() == before
