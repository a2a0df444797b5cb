"""Configuration: where values come from, which wins, and what a mistake sounds like."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from every_row import every_row
from soulmem.errors import ErrorName, SoulmemError, StartupError
from soulmem.ops.settings.config_loader import Config, load_config, mind_settings
from soulmem.ops.settings.default_paths import socket_candidates
from soulmem.ops.settings.setting_keys import KEYS, MIND_KEYS
from soulmem.ops.settings.setting_rules import Secret
from soulmem.ops.settings.setting_sections import DecayClock, LogLevel, Others, Profile


class Home:
    """A user's home with a configuration file, a system file and an environment."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.system = root / "etc.toml"
        self.user = root / ".config" / "soulmem" / "config.toml"
        self.environ = {"HOME": str(root)}

    def write(self, text: str, *, system: bool = False) -> Path:
        path = self.system if system else self.user
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def load(self, flags: dict[str, object] | None = None, config_file: Path | None = None) -> Config:
        return load_config(flags, config_file=config_file, environ=self.environ, system_file=self.system)

    def refusal(self, flags: dict[str, object] | None = None, config_file: Path | None = None) -> str:
        with pytest.raises(StartupError) as caught:
            self.load(flags, config_file)
        assert caught.value.exit_code == 78
        assert "\n" not in str(caught.value)
        return str(caught.value)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_defaults(home: Home) -> None:
    config = home.load()
    assert config.window.capacity == 20
    assert config.idle.after_s == 600
    assert config.forgetting.clock is DecayClock.EXPERIENCED
    assert config.forgetting.blurs
    assert config.forgetting.deletes
    assert not config.recall.digested_messages
    assert config.server.mode_bits == 0o660
    assert config.server.others is Others.NONE
    assert config.state_dir == home.root / ".local/state/soulmem"
    assert config.embedder.models_dir == home.root / ".local/share/soulmem/models"
    assert set(config.origins.values()) == {"default"}


def test_precedence_from_defaults_up_to_flags(home: Home) -> None:
    seen = [home.load().window.capacity]
    system = home.write("[window]\ncapacity = 30\nmin_fresh = 3\n", system=True)
    seen.append(home.load().window.capacity)
    user = home.write("[window]\ncapacity = 40\n")
    seen.append(home.load().window.capacity)
    home.environ["SOULMEM_WINDOW_CAPACITY"] = "50"
    seen.append(home.load().window.capacity)
    config = home.load({"window.capacity": "60", "log.level": None})
    seen.append(config.window.capacity)
    assert seen == [20, 30, 40, 50, 60]
    assert config.window.min_fresh == 3  # files are merged key by key
    del home.environ["SOULMEM_WINDOW_CAPACITY"]
    shown = {key: (value, origin) for key, value, origin in home.load().explain()}
    assert shown["window.capacity"] == ("40", str(user))
    assert shown["window.min_fresh"] == ("3", str(system))
    assert shown["window.topic_marks"] == ("true", "default")
    assert list(shown) == list(KEYS)


def test_a_named_file_replaces_the_search(home: Home) -> None:
    home.write("[window]\ncapacity = 40\n")
    other = home.root / "其他.toml"
    other.write_text("[log]\nlevel = 'debug'\n", "utf-8")
    config = home.load(config_file=other)
    assert (config.window.capacity, config.log.level) == (20, LogLevel.DEBUG)
    home.environ["SOULMEM_CONFIG"] = str(other)
    assert home.load().log.level is LogLevel.DEBUG
    assert home.refusal(config_file=home.root / "none.toml").endswith("no such configuration file")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[window]\ncapasity = 3", "unknown key window.capasity (did you mean window.capacity?)"),
        ("[windw]\ncapacity = 3", "unknown section windw (did you mean window?)"),
        ("topic_marks = false", "unknown key topic_marks (did you mean window.topic_marks?)"),
        ('"记忆" = 1', "unknown key 记忆"),
        ("window = 3", "window must be a section: [window]"),
        ("[window]\ncapacity = 0", "window.capacity must be between 1 and 10000, not 0"),
        ("[window]\ncapacity = true", "window.capacity must be a whole number, not True"),
        ("[window]\ncapacity = 2.5", "window.capacity must be a whole number, not 2.5"),
        ('[window]\ncapacity = "20"', 'window.capacity must be a whole number, not "20"'),
        ("[window]\ntopic_marks = 1", "window.topic_marks must be true or false, not 1"),
        ("[idle]\nafter_s = nan", "idle.after_s must be between 0.1 and 31536000, not nan"),
        ("[idle]\nafter_s = inf", "idle.after_s must be between 0.1 and 31536000, not inf"),
        ("[forgetting]\nclock = 'moon'", 'forgetting.clock must be one of experienced, wall, not "moon"'),
        ("[server]\nmode = '0999'", "server.mode is not valid"),
        ("[log]\nlevel = []", "log.level must be text, not a list"),
        ("[embedder]\nbase_url = 'ftp://x'", "embedder.base_url is not valid"),
        ("socket = ''", "socket must be text"),
        ("[embedder]\napi_key = 'sk-1'", "embedder.api_key must not stand here; use embedder.api_key_file"),
        ("[window", "not valid TOML"),
        ("[forgetting]\nblank_below = 0.5", "forgetting.blank_below: what goes blank has blurred before"),
        ("[forgetting]\nblur_below = 0.15", "forgetting.blank_below: what goes blank has blurred before"),
        ("[forgetting]\nscale = 0", "forgetting.scale must be between 0.001 and 1000, not 0"),
        ("[forgetting]\nscale = inf", "forgetting.scale must be between 0.001 and 1000, not inf"),
        ("[forgetting]\ncurve = 'line'", 'forgetting.curve must be one of exponential, power, not "line"'),
        ("[forgetting]\ndormancy_rate = 1.5", "forgetting.dormancy_rate must be between 0.001 and 1, not 1.5"),
    ],
)
def test_mistakes_in_a_file(home: Home, text: str, said: str) -> None:
    path = home.write(text)
    line = home.refusal()
    assert said in line
    assert str(path) in line
    assert "sk-1" not in line


def test_a_file_that_cannot_be_read(home: Home) -> None:
    home.user.mkdir(parents=True)  # a directory in its place
    assert "is a directory, not a file" in home.refusal()
    home.user.rmdir()
    home.user.write_bytes(b"[log]\nlevel = '\xff'\n")
    assert "not valid TOML" in home.refusal()


def test_environment_is_read_as_people_write_it(home: Home) -> None:
    home.environ |= {
        "SOULMEM_WINDOW_TOPIC_MARKS": "off",
        "SOULMEM_IDLE_AFTER_S": "1.5",
        "SOULMEM_LOG_LEVEL": "debug",
        "SOULMEM_PROFILE": "assistant",
        "SOULMEM_STATE_DIR": "/srv/灵魂",
        "SOULMEM_TORTURE": "1",  # known, and no setting
        "SOULMEM_SERVER_OTHERS": "",  # empty counts as unset
    }
    config = home.load()
    assert not config.window.topic_marks
    assert config.idle.after_s == 1.5
    assert config.state_dir == Path("/srv/灵魂")
    assert config.profile is Profile.ASSISTANT
    assert config.recall.digested_messages
    assert not config.forgetting.deletes


def test_mistakes_in_the_environment_and_flags(home: Home) -> None:
    home.environ["SOULMEM_WINDOW_CAPCITY"] = "3"
    line = home.refusal()
    assert line.endswith("SOULMEM_WINDOW_CAPCITY (did you mean SOULMEM_WINDOW_CAPACITY?)")
    del home.environ["SOULMEM_WINDOW_CAPCITY"]
    home.environ["SOULMEM_WINDOW_CAPACITY"] = "many"
    assert home.refusal() == 'environment: SOULMEM_WINDOW_CAPACITY must be a whole number, not "many"'
    del home.environ["SOULMEM_WINDOW_CAPACITY"]
    assert home.refusal({"log.levl": "info"}) == "command line: unknown key log.levl (did you mean log.level?)"
    assert "must not stand here" in home.refusal({"embedder.api_key": "sk-2"})


def test_places(home: Home) -> None:
    env = home.environ
    state = home.root / ".local/state/soulmem"
    assert home.load().socket == state / "soulmem.sock"
    env["XDG_RUNTIME_DIR"] = "/run/user/7"
    assert home.load().socket == Path("/run/user/7/soulmem/soulmem.sock")
    env |= {"RUNTIME_DIRECTORY": "/run/soulmem:/run/other", "STATE_DIRECTORY": "/var/lib/soulmem"}
    config = home.load()
    assert config.socket == Path("/run/soulmem/soulmem.sock")
    assert config.state_dir == Path("/var/lib/soulmem")
    assert config.embedder.models_dir == Path("/var/lib/soulmem/models")
    env["SOULMEM_SOCKET"] = "/tmp/s.sock"
    assert home.load().socket == Path("/tmp/s.sock")
    assert socket_candidates(env) == (Path("/tmp/s.sock"),)
    env |= {"XDG_STATE_HOME": "relative/is/ignored", "STATE_DIRECTORY": "", "SOULMEM_SOCKET": ""}
    assert home.load().state_dir == state


def test_relative_paths_in_a_file_are_relative_to_it(home: Home) -> None:
    path = home.write("state_dir = 'state'\nsocket = '~/s'\n[embedder]\nmodels_dir = '/models'\n")
    config = home.load()
    assert config.state_dir == path.parent / "state"
    assert config.socket == Path("~/s").expanduser()
    assert config.embedder.models_dir == Path("/models")


def test_secrets_come_from_three_places_and_are_never_shown(home: Home) -> None:
    env = home.environ
    key = home.root / "key"
    key.write_text("from-file\n", "utf-8")
    home.write(f"[embedder]\napi_key_file = '{key}'\n")
    reads = [home.load().embedder.api_key]
    credentials = home.root / "credentials"
    credentials.mkdir()
    (credentials / "embedder_api_key").write_text("from-credential\n", "utf-8")
    env["CREDENTIALS_DIRECTORY"] = str(credentials)
    reads.append(home.load().embedder.api_key)
    env["SOULMEM_EMBEDDER_API_KEY"] = "from-variable"
    config = home.load()
    reads.append(config.embedder.api_key)
    assert [secret.reveal() for secret in reads if secret] == ["from-file", "from-credential", "from-variable"]
    everything = f"{config!r} {config.embedder.api_key} {config.embedder.api_key!r} {list(config.explain())}"
    assert "from-" not in everything
    assert f"{Secret('x'):>6}" == "  ****"
    with pytest.raises(TypeError, match="not written out"):
        pickle.dumps(Secret("x"))
    key.unlink()
    env.pop("SOULMEM_EMBEDDER_API_KEY")
    env.pop("CREDENTIALS_DIRECTORY")
    assert "embedder.api_key_file" in home.refusal()


def test_a_mind_overrides_its_profile_and_the_configuration(home: Home) -> None:
    home.write("[idle]\nafter_s = 5\n[recall]\ncoalesce_above = 3\n[forgetting]\ntombstone_days = 1\n")
    config = home.load()
    mind = config.for_mind("assistant", {"window": {"capacity": 7}, "forgetting.tombstone_days": 2})
    assert mind.profile is Profile.ASSISTANT
    assert (mind.window.capacity, mind.idle.after_s, mind.forgetting.tombstone_days) == (7, 5, 2)
    assert not mind.forgetting.deletes
    assert mind.recall.digested_messages
    assert mind.recall.coalesce_above == 3
    own = config.for_mind("assistant", {"forgetting.deletes": True})
    assert own.forgetting.deletes
    assert not own.forgetting.blurs
    assert config.for_mind(None, {}).profile is Profile.COMPANION
    with pytest.raises(SoulmemError, match="what goes blank has blurred before"):
        config.for_mind(None, {"forgetting.blank_below": 0.6})
    with pytest.raises(SoulmemError, match="profile must be one of companion, assistant"):
        config.for_mind("friend", {})


@every_row(
    [
        ({"window": {"capasity": 3}}, "window.capasity is unknown (did you mean window.capacity?)"),
        ({"topic_marks": False}, "topic_marks is unknown (did you mean window.topic_marks?)"),
        ({"server.depth": 3}, "server.depth is set for the whole daemon"),
        ({"server.depth": None}, "server.depth is set for the whole daemon"),
        ({"window": {"capacity": "20"}}, 'window.capacity must be a whole number, not "20"'),
        ({"window": 3}, "window is unknown"),
        ({"窗口": {"容量": 3}}, "窗口 is unknown"),
        ({"window": {"capacity": {"a": 1}}}, "must be a whole number, not a table"),
    ],
    unpack=True,
)
def test_mistakes_in_a_minds_settings(change: dict[str, object], said: str) -> None:
    with pytest.raises(SoulmemError) as caught:
        mind_settings({}, change)
    assert caught.value.name is ErrorName.INVALID_PARAMS
    assert said in caught.value.message


def test_settings_of_a_mind_merge_and_null_drops_one() -> None:
    stored = mind_settings({}, {"window": {"capacity": 10, "min_fresh": 1}, "idle.after_s": 30})
    assert stored == {"window.capacity": 10, "window.min_fresh": 1, "idle.after_s": 30.0}
    assert mind_settings(stored, {"window": {"capacity": None}}) == {
        "window.min_fresh": 1,
        "idle.after_s": 30.0,
    }
    assert mind_settings(stored, {}) == stored


@settings(max_examples=200, deadline=None)
@given(
    name=st.sampled_from(sorted(MIND_KEYS)),
    value=st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.lists(st.integers(), max_size=2),
        st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    ),
)
def test_any_value_is_accepted_into_its_range_or_refused_by_name(name: str, value: object) -> None:
    refusal, merged = "", {}
    try:
        merged = mind_settings({}, {name: value})
    except SoulmemError as error:
        refusal = error.message
    if refusal:
        assert name in refusal
        return
    if value is None:
        assert merged == {}
        return
    accepted, rule = merged[name], MIND_KEYS[name].rule
    assert accepted == value
    if rule.low is not None:
        assert rule.low <= accepted
    if rule.high is not None:
        assert accepted <= rule.high


def test_a_key_that_never_had_an_effect_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "soulmem.toml"
    file.write_text('[linking]\nestimator = "literal"\nk_hot = 3\n')
    config = load_config(config_file=file, environ={"HOME": str(tmp_path)}, system_file=tmp_path / "none")
    assert config.linking.k_hot == 3
    assert config.for_mind(None, {"linking.estimator": "literal", "linking.k_hot": 4}).linking.k_hot == 4
