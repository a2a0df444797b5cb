"""The words sent to a model: as stored, in both languages alike, with the user's own in their place where they work."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from every_row import every_row
from goldens.requests_sent import request
from soulmem.cli.main import run
from soulmem.core.schema.engine_tasks import Task
from soulmem.core.schema.note_requests import Cast, Role, SplitRequest, Summary, Turn
from soulmem.core.text.tokens import estimate_tokens, script_of
from soulmem.llm.contracts import TABLE
from soulmem.llm.engine.answer_schema import strict_schema
from soulmem.llm.prompts import LANGUAGES, NAMES, Prompts, built_in, language, placeholders

GOLDENS = Path(__file__).parents[3] / "goldens" / "prompts"
WRITE = "SOULMEM_WRITE_GOLDENS"
CHARACTERS = {Task.LINK, Task.ANALYSE_QUERY, Task.RECONSTRUCT}
BOTH = pytest.mark.parametrize("lang", LANGUAGES)
EVERY = pytest.mark.parametrize("task", list(Task), ids=str)


def sent(task: Task, lang: str) -> str:
    asked = request(task, lang)
    contract = TABLE[task]
    assert language(None, contract.sample(asked)) == lang
    prompt = Prompts().render(task, lang, contract.describe(asked))
    return f"{prompt.system}\n=====\n{prompt.user}\n"


@BOTH
@EVERY
def test_a_prompt_is_sent_as_stored(task: Task, lang: str) -> None:
    path = GOLDENS / lang / f"{task.value}.md"
    if os.environ.get(WRITE):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(sent(task, lang), "utf-8")
    assert path.read_text("utf-8") == sent(task, lang), f"if this is meant: {WRITE}=1, then read the difference"


@BOTH
@EVERY
def test_every_prompt_has_names_for_what_its_contract_tells_and_no_others(task: Task, lang: str) -> None:
    told = TABLE[task].describe(request(task, lang))
    assert placeholders(built_in(task.value, lang)) == set(told)
    assert ({"persona", "mood"} <= set(told)) is (task in CHARACTERS)
    assert all(isinstance(value, str) and value for value in told.values())


def test_both_languages_have_the_same_prompts_short_enough_for_small_models() -> None:
    for name in NAMES:
        english, chinese = built_in(name, "en"), built_in(name, "zh")
        assert placeholders(english) == placeholders(chinese), name
        assert max(estimate_tokens(english), estimate_tokens(chinese)) < 900, name
        assert script_of(english) == "latin", name
        assert script_of(chinese) != "latin", name


@BOTH
@EVERY
def test_what_people_said_is_fenced_and_keeps_to_its_line(task: Task, lang: str) -> None:
    lines = sent(task, lang).splitlines()
    assert lines.count("<<<") == lines.count(">>>") >= 1
    inside = False
    for line in lines:
        assert not (inside and line == "<<<"), "fences do not nest"
        inside = line == "<<<" if line in {"<<<", ">>>"} else inside
    assert ("never an instruction" if lang == "en" else "指令") in sent(task, lang)


def test_ids_and_system_prompts_are_never_shown() -> None:
    for lang in LANGUAGES:
        for task in (Task.SUMMARISE, Task.SPLIT):
            text = sent(task, lang)
            assert {"en": "— Sat 2026-05-09 —", "zh": "— 2026-05-09 周六 —"}[lang] in text
            assert "⏎" in text
            assert {"en": "You are Mira", "zh": "你是米拉"}[lang] not in text


def test_a_placeholder_in_the_data_stays_what_was_said() -> None:
    text = sent(Task.SPLIT, "en")
    assert "write {{summary}}." in text
    variables = dict.fromkeys(placeholders(built_in("split", "en")), "{{transcript}} {{most}} {{ character }}")
    prompt = Prompts().render(Task.SPLIT, "en", variables)
    assert "{{transcript}} {{most}} {{ character }}" in prompt.user
    assert "{{transcript}}" in prompt.system


@every_row(
    [
        ("zh-CN", "hello there", "zh"),
        ("zh_Hant", "", "zh"),
        ("en-GB", "你好吗", "en"),
        ("de", "你好", "en"),
        (None, "我上周五搬到了大理", "zh"),
        ("", "I moved to Denver", "en"),
        (None, "我 love 这个 so much 真的", "zh"),
        (None, "", "en"),
        (None, "🙂🙂", "en"),
        (None, "昨日は友達と一緒に映画を見ました", "en"),
        (None, "어제 친구와 영화를 봤어요", "en"),
    ],
    unpack=True,
)
def test_the_language_is_the_one_wanted_or_that_of_the_text(wanted: str | None, text: str, found: str) -> None:
    assert language(wanted, text) == Prompts.language(wanted, text) == found


def test_the_shape_is_an_outline_not_a_schema() -> None:
    shape = Prompts().shape("en", strict_schema(TABLE[Task.SUMMARISE]))
    point = '{"from": [string, …], "quote": string | null, "text": string}'
    assert f'{{"points": [{point}, …], "drop": [string, …]}}' in shape
    assert "additionalProperties" not in shape
    merge = Prompts().shape("zh", strict_schema(TABLE[Task.MERGE]))
    assert '{"verdict": "same" | "variant" | "different", "text": string | null}' in merge
    assert "JSON" in merge


def test_a_complaint_is_one_bounded_line() -> None:
    told = Prompts().retry("en", "wrong\n\n{{error}} " + "x" * 5_000)
    assert "wrong {{error}} xxx" in told
    assert len(told) < 900
    assert "JSON" in Prompts().retry("zh", "没有 points")


def own(folder: Path, name: str, text: str | bytes, lang: str = "en") -> Path:
    path = folder / lang / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_users_file_takes_our_files_place_and_is_read_when_it_changes(tmp_path: Path) -> None:
    prompts = Prompts(tmp_path / "prompts")
    ours = prompts.render(Task.MERGE, "en", {"who": "w", "notes": "n"})
    path = own(tmp_path / "prompts", "merge", "\ufeffMine.\r\n---\r\nLook: {{who}} {{ notes }}\r\n")
    mine = prompts.render(Task.MERGE, "en", {"who": "w", "notes": "n"})
    assert (mine.system, mine.user) == ("Mine.", "Look: w n")
    assert prompts.render(Task.MERGE, "zh", {"who": "w", "notes": "n"}) != mine
    path.write_text("Mine again.\n---\n{{who}} {{notes}}")
    assert prompts.render(Task.MERGE, "en", {"who": "w", "notes": "n"}).system == "Mine again."
    assert prompts.problems() == ()
    path.unlink()
    assert prompts.render(Task.MERGE, "en", {"who": "w", "notes": "n"}) == ours


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("merge", "all in one {{who}} {{notes}}", "no line ---"),
        ("merge", "---\n{{who}} {{notes}}", "no line ---"),
        ("merge", "a\n---\n{{who}}", "{{notes}} is missing"),
        ("merge", "a\n---\n{{who}} {{notes}} {{id}}", "{{id}} is unknown"),
        ("merge", b"a\n---\n{{notes}} \xff\xfe", "not UTF-8"),
        ("merge", "a\n---\n{{who}} {{notes}}" + "x" * 100_001, "longer than"),
        ("retry", "no error named", "{{error}} is missing"),
        ("shape", "{{shape}} {{error}}", "{{error}} is unknown"),
        ("marge", "a\n---\nb", "there is no such prompt"),
    ],
)
def test_a_users_file_that_could_not_work_is_told_of_and_not_used(
    tmp_path: Path, name: str, text: str | bytes, reason: str
) -> None:
    path = own(tmp_path, name, text)
    prompts = Prompts(tmp_path)
    data = {"who": "w", "notes": "n"}
    assert prompts.render(Task.MERGE, "en", data) == Prompts().render(Task.MERGE, "en", data)
    assert prompts.shape("en", {"type": "string"}) == Prompts().shape("en", {"type": "string"})
    (problem,) = prompts.problems()
    assert problem.path == path
    assert reason in problem.reason


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        run(arguments)
    said = capsys.readouterr()
    return int(ended.value.code or 0), said.out, said.err


def test_the_command_lists_shows_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path)
    own(tmp_path, "merge", "Mine.\n---\n{{who}} {{notes}}")
    code, out, _ = command(capsys, "prompts", "list", "--dir", folder)
    assert code == 0
    assert len(out.splitlines()) == 2 * len(NAMES) + 2
    assert "yours" in out
    code, out, _ = command(capsys, "prompts", "show", "merge", "--dir", folder)
    assert (code, out) == (0, "Mine.\n---\n{{who}} {{notes}}\n")
    code, out, _ = command(capsys, "prompts", "show", "merge", "-l", "zh", "--ours", "--dir", folder)
    assert (code, out.rstrip("\n")) == (0, built_in("merge", "zh").rstrip("\n"))
    code, out, _ = command(capsys, "prompts", "check", "--dir", folder)
    assert (code, out) == (0, f"1 prompt of yours is used, from {folder}\n")
    broken = own(tmp_path, "split", "{{nonsense}}\n---\nx", "zh")
    code, out, _ = command(capsys, "prompts", "check", "--dir", folder, "--json")
    assert code == 78
    told = json.loads(out)
    assert [Path(each["path"]) for each in told["problems"]] == [broken]
    code, out, _ = command(capsys, "prompts", "list", "--dir", folder, "--json")
    assert [each["name"] for each in json.loads(out)["items"] if each["refused"]] == ["split"]


def test_the_command_refuses_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (("show", "mregre"), ("show", "merge", "-l", "fr"), ("check", "--dir", str(tmp_path / "away"))):
        code, out, err = command(capsys, "prompts", *arguments)
        assert code == 64
        assert out == ""
        assert len(err.splitlines()) == 1


@pytest.mark.parametrize(("lang", "told"), [("en", "User talks with Pip"), ("zh", "用户在和Pip说话")])
def test_whoever_gave_no_name_is_called_as_on_the_lines(lang: str, told: str) -> None:
    text = {"en": "The boiler broke again.", "zh": "锅炉又坏了。"}[lang]
    asked = SplitRequest(Summary(""), (Turn(1, Role.USER, "", text, 0),), cast=Cast("Pip"))
    prompt = Prompts().render(Task.SPLIT, lang, TABLE[Task.SPLIT].describe(asked))
    assert told in prompt.user
