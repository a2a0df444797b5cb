"""The language model's settings: tables by task and by model, keys of endpoints, and what a mistake sounds like."""

from __future__ import annotations

from pathlib import Path

import pytest

from soulmem.core.schema.engine_tasks import Task
from soulmem.errors import StartupError
from soulmem.ops.settings.config_loader import Config, load_config
from soulmem.ops.settings.engine_settings import Analysis, EngineName, PriceSettings, TaskSettings


def load(root: Path, text: str = "", **environ: str) -> Config:
    path = root / "config.toml"
    path.write_text(text, "utf-8")
    return load_config(config_file=path, environ={"HOME": str(root), **environ}, system_file=root / "none.toml")


def refusal(root: Path, text: str, **environ: str) -> str:
    with pytest.raises(StartupError) as caught:
        load(root, text, **environ)
    assert caught.value.exit_code == 78
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_without_a_word_there_is_no_model(tmp_path: Path) -> None:
    config = load(tmp_path)
    assert config.engine.name is EngineName.AUTO
    assert config.engine.base_url == ""
    assert config.engine.tasks is None
    assert config.engine.analysis is Analysis.DEEP
    assert config.budget.tokens_per_day == 500_000
    assert config.engine.prompts_dir == tmp_path / "prompts"


def test_tables_by_task_and_by_model(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        '[engine]\nbase_url = "http://127.0.0.1:11434/v1"\nmodel = "qwen3:8b"\n'
        "[engine.tasks.split]\nmodel = 'big'\ntemperature = 0\n[engine.tasks.link]\ndeadline_s = 90\n"
        '[engine.prices."gpt-x"]\ninput = 0.15\noutput = 0.6\n',
    )
    assert config.engine.tasks is not None
    assert config.engine.tasks[Task.SPLIT] == TaskSettings(model="big", temperature=0.0)
    assert config.engine.tasks["link"].deadline_s == 90
    assert config.engine.prices == {"gpt-x": PriceSettings(0.15, 0.6)}
    shown = {name: value for name, value, _ in config.explain()}
    assert shown["engine.tasks"] == "split: model big, temperature 0.0; link: deadline_s 90.0"
    assert shown["engine.prices"] == "gpt-x: input 0.15, output 0.6"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[engine.tasks.sing]\nmodel = 'x'\n", "engine.tasks has no sing; there are summarise, split"),
        ("[engine.tasks]\nsplit = 3\n", "engine.tasks must hold a table under split"),
        ("[engine]\ntasks = 'all'\n", "engine.tasks must be a table of tables"),
        ("[engine.tasks.split]\nmodle = 'x'\n", "engine.tasks has an unknown key split.modle; there are model"),
        ("[engine.tasks.split]\ntemperature = 9\n", "engine.tasks has a wrong split.temperature: it must be between"),
        ("[engine.prices.x]\ninput = -1\n", "engine.prices has a wrong x.input: it must be between 0"),
        ("[engine]\nbase_url = 'localhost:11434'\n", "engine.base_url is not valid"),
        ("[engine]\napi_key = 'sk-1'\n", "engine.api_key must not stand here; use engine.api_key_file"),
        ("[engine]\nname = 'magic'\n", "engine.name must be one of auto, extractive, openai"),
        ("[budget]\ntoken_per_day = 3\n", "did you mean budget.tokens_per_day?"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_key(tmp_path: Path, text: str, said: str) -> None:
    assert said in refusal(tmp_path, text)


def test_what_a_file_says_of_a_task_that_is_none_any_more_is_passed_over(tmp_path: Path) -> None:
    config = load(tmp_path, "[engine.tasks.condense]\nmodel = 'x'\n[engine.tasks.link]\nmodel = 'y'\n")
    assert config.engine.tasks == {"link": TaskSettings(model="y")}


def test_a_table_cannot_come_from_the_environment(tmp_path: Path) -> None:
    said = refusal(tmp_path, "", SOULMEM_ENGINE_TASKS="split=big")
    assert "SOULMEM_ENGINE_TASKS must be a table of tables, and can only stand in a file" in said


def test_a_key_is_read_from_its_file_and_never_shown(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-very-secret\n", "utf-8")
    config = load(tmp_path, "[engine]\napi_key_file = 'key'\n")
    assert config.engine.api_key is not None
    assert config.engine.api_key.reveal() == "sk-very-secret"
    assert "very-secret" not in repr(config)
    assert not any("very-secret" in value for _, value, _ in config.explain())


def test_a_unix_socket_is_an_address(tmp_path: Path) -> None:
    assert load(tmp_path, SOULMEM_ENGINE_BASE_URL="unix:/run/llm.sock").engine.base_url == "unix:/run/llm.sock"
