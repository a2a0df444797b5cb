"""One command installs it from a wheel, without a clone; then everything works that needs no extra."""

from __future__ import annotations

from pathlib import Path

import pytest

from fresh_install import INSTALLERS, build_wheel, install

pytestmark = [pytest.mark.torture, pytest.mark.timeout(1800)]
MOST_MB = 400  # installed, with the models that `soulmem model install` fetches


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("built"))


def megabytes(folder: Path) -> float:
    """What lies in a folder, without what Python compiles when it runs, and without pip, which venv puts there."""
    kept = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    spared = {"__pycache__", "pip", "setuptools"}
    return sum(path.stat().st_size for path in kept if not spared & set(path.relative_to(folder).parts)) / 1e6


@pytest.mark.parametrize("installer", INSTALLERS)
def test_it_talks_and_recalls(tmp_path: Path, wheel: Path, installer: str, capsys: pytest.CaptureFixture[str]) -> None:
    fresh = install(tmp_path, wheel, installer)
    assert fresh.soulmem("--version").startswith("soulmem ")
    command = {"pip": "pip install", "pipx": "pipx install --force", "uv": "uv tool install"}[installer]
    assert f"{command} 'soulmem[mcp]'" in fresh.soulmem("mcp", code=78)
    fresh.soulmem("model", "install")
    with fresh.daemon():
        fresh.soulmem("say", "I am allergic to hazelnuts, almonds are fine.", "--speaker", "Mara")
        fresh.soulmem("say", "小苇对青霉素过敏。")
        fresh.soulmem("sleep")
        assert "hazelnuts" in fresh.soulmem("recall", "what is Mara allergic to?")
        assert "青霉素" in fresh.soulmem("recall", "小苇对什么过敏？")
        report = fresh.json("doctor")
        assert report["healthy"] is True
        assert not [each for each in report["findings"] if each["verdict"] in ("notice", "wrong")]
    environment = Path(fresh.run(str(fresh.python), "-c", "import sys; print(sys.prefix)").strip())
    sizes = {folder: megabytes(folder) for folder in (environment, fresh.home / ".local/share/soulmem")}
    with capsys.disabled():
        print(f"\n{installer}: {' + '.join(f'{size:.0f}' for size in sizes.values())} MB")
    assert sum(sizes.values()) < MOST_MB, sizes
    if installer == "uv":
        assert "soulmem recall" in fresh.soulmem("demo", "--language", "zh")
