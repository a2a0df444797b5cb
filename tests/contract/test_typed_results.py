"""The types of what the clients return: those of the schemas, and such that a type checker sees a slip."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints, is_typeddict

import pytest

from soulmem.client import AsyncClient, Client, results, stub_writer
from soulmem.client.calls import Calls

ROOT = Path(__file__).resolve().parents[2]
RIGHT = """
from soulmem.client import AsyncClient, Client
from soulmem.client.results import ItemShape

client = Client()
text: str = client.recall("mira", "bees 蜂", k=5)["items"][0]["text"]
score: float = client.recall("mira", "bees")["items"][0]["score"]
item: ItemShape = client.recall("mira", "bees")["items"][0]
found: str | None = item.get("from")
seq: int = client.add_message("mira", "hello")["seq"]
seqs: list[int] = [each["seq"] for each in client.add("mira", [{"role": "user", "content": "x"}])]
context = client.add_message("mira", "hello", recall=True).get("context")
told: str = context["text"] if context else ""
plan: str = client.add_plans("mira", [{"text": "x"}])["items"][0]["status"]
anything: dict[str, object] = client.call("recall", {"mind": "mira", "query": "x"})


async def waiting(memory: AsyncClient) -> str:
    return (await memory.recall("mira", "bees"))["items"][0]["text"]
"""
WRONG = {
    'client.recall("mira", "x")["itmes"]': 'TypedDict "RecallResult" has no key "itmes"',
    'client.recall("mira", "x")["items"][0]["texts"]': 'TypedDict "ItemShape" has no key "texts"',
    'client.recall("mira", "x")["items"][0]["text"] + 1': "Unsupported operand types",
    'client.recall("mira", "x", k="5")': 'Argument "k" to "recall"',
    'client.notes("mira")["items"][0]["importance"] + "1"': "Unsupported operand types",
}


def test_they_are_what_the_schemas_say() -> None:
    stub = (Path(stub_writer.__file__).parent / "typed_calls.pyi").read_text("utf-8")
    assert stub == stub_writer.rendered(), "run `python -m soulmem.client.stub_writer`"


def test_every_shape_of_an_answer_has_its_type() -> None:
    types = vars(results)
    hints = {name: get_type_hints(each) for name, each in types.items() if is_typeddict(each)}
    for path in (ROOT / "schemas" / "rpc").glob("*.json"):
        schema = json.loads(path.read_text("utf-8"))
        if "method" in schema:
            assert hints[schema["result"]["title"]].keys() == schema["result"].get("properties", {}).keys()
            for name, part in schema["result"].get("$defs", {}).items():
                if "enum" in part:
                    assert list(get_args(types[name])) == part["enum"]
                else:
                    assert hints[name].keys() == part["properties"].keys()
    assert get_args(hints["MindShape"]["profile"]) == ("companion", "assistant")


def test_every_method_of_the_clients_is_in_the_stub() -> None:
    spelt = {name for name in dir(Calls) if not name.startswith("_")} - {"call"}
    stub = (ROOT / "daemon" / "soulmem" / "client" / "typed_calls.pyi").read_text("utf-8")
    for each in re.split(r"^class ", stub, flags=re.MULTILINE)[1:]:
        assert set(re.findall(r"^    def (\w+)", each, re.MULTILINE)) == spelt
    assert issubclass(Client, Calls)
    assert issubclass(AsyncClient, Calls)


@pytest.mark.thorough
def test_a_type_checker_reads_answers_and_finds_slips(tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(RIGHT, "utf-8")
    wrong.write_text("from soulmem.client import Client\n\nclient = Client()\n" + "\n".join(WRONG) + "\n", "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run(
        [*command, str(right), str(wrong)], capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"MYPYPATH": str(ROOT / "daemon"), "PATH": ""},
    )  # fmt: skip
    assert done.stderr == ""
    found = [line for line in done.stdout.splitlines() if ": error:" in line]
    for number, told in enumerate(WRONG.values(), 4):
        assert any(f"wrong.py:{number}: " in line and told in line for line in found), (told, done.stdout)
    assert len(found) == len(WRONG), done.stdout
