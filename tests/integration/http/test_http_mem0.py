"""Mem0's REST paths: what code for its server and for its platform posts, and what it gets."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from http_bench import TOKEN, HttpBench

HOTEL = "I'm Alex and I prefer boutique hotels."
TEA = "我是林溪，我喜欢喝大麦茶。"


def add(server: HttpBench, text: str, path: str = "/memories", **more: Any) -> list[dict[str, Any]]:
    body = {"messages": [{"role": "user", "content": text}], **more}
    answer = server.ask("POST", path, body)
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()["results"]
    return found


def texts(found: Any) -> list[str]:
    return [item["memory"] for item in found.json()["results"]]


def test_the_examples_of_the_server_work_word_for_word(server: HttpBench) -> None:
    key = ["-H", f"X-API-Key: {TOKEN}", "-H", "Content-Type: application/json"]
    said = {"messages": [{"role": "user", "content": "I love fresh vegetable pizza."}], "user_id": "alice"}
    status, text = server.curl("/memories", "-X", "POST", *key, "-d", json.dumps(said))
    assert status == 200
    made = json.loads(text)["results"]
    assert [each["event"] for each in made] == ["ADD"]
    for more in ({}, {"explain": True}):
        asked = json.dumps({"query": "vegetable", "user_id": "alice"} | more)
        found = json.loads(server.curl("/search", "-X", "POST", *key, "-d", asked)[1])["results"]
        assert found[0]["id"] == made[0]["id"]
        assert ("score_details" in found[0]) is bool(more)


@pytest.mark.parametrize(
    ("who", "text", "query"),
    [
        ("alex", HOTEL, "Any hotel preferences?"),
        ("林溪", TEA, "喜欢喝什么？"),
        ("mix", "Ines 喜欢 barley tea 大麦茶。", "Ines tea 茶"),
    ],
)
def test_a_memory_from_its_beginning_to_its_end(server: HttpBench, who: str, text: str, query: str) -> None:
    made = add(server, text, user_id=who, run_id="trip", metadata={"topic": "taste 口味"}, infer=False)[0]
    one = server.ask("GET", f"/memories/{made['id']}").json()
    assert (one["memory"], one["user_id"], one["metadata"]) == (text, who, {"topic": "taste 口味"})
    listed = server.ask("GET", "/memories", params={"user_id": who, "run_id": "trip", "top_k": 5})
    assert texts(listed) == [text]
    found = server.ask(
        "POST", "/search", {"query": query, "filters": {"user_id": who, "topic": "taste 口味"}, "top_k": 3}
    )
    assert texts(found) == [text]
    assert 0 < found.json()["results"][0]["score"] <= 1
    changed = server.ask("PUT", f"/memories/{made['id']}", {"text": f"{text} 是的, yes.", "metadata": {"sure": True}})
    assert changed.json() == {"message": "Memory updated successfully!"}
    rows = server.ask("GET", f"/memories/{made['id']}/history").json()
    assert [(row["event"], row["old_memory"], row["new_memory"]) for row in rows] == [
        ("ADD", None, text), ("UPDATE", text, f"{text} 是的, yes."),
    ]  # fmt: skip
    assert server.ask("DELETE", f"/memories/{made['id']}").json() == {"message": "Memory deleted successfully!"}
    assert server.error("GET", f"/memories/{made['id']}") == (404, "not_found")
    assert server.error("DELETE", f"/memories/{made['id']}") == (404, "not_found")
    assert server.ask("GET", f"/memories/{made['id']}/history").json()[-1]["is_deleted"] is True


def test_the_paths_of_the_platform_lead_to_the_same(server: HttpBench) -> None:
    """As `MemoryClient` of mem0ai 2.2 sends them, down to its slashes."""
    token = {"Authorization": f"Token {TOKEN}", "Mem0-User-ID": "x"}
    assert server.ask("GET", "/v1/ping/", headers=token).json()["org_id"] == "soulmem"
    made = add(server, HOTEL, "/v3/memories/add/", user_id="platform", infer=False, source="SDK", output_format="v1.1")
    for number in range(4):
        add(server, f"{number} hotels, {number} 家旅馆。", "/v1/memories/", user_id="platform", infer=False)
    for version in ("v1", "v2", "v3"):
        body = {"query": "boutique hotels", "filters": {"AND": [{"user_id": "platform"}]}, "top_k": 1, "rerank": True}
        assert texts(server.ask("POST", f"/{version}/memories/search/", body)) == [HOTEL]
    page = server.ask("POST", "/v3/memories/?page=2&page_size=2", {"filters": {"user_id": "platform"}}).json()
    assert (page["count"], len(page["results"]), page["results"][1]["memory"][0]) == (5, 2, "2")
    assert page["next"].endswith("page=3&page_size=2")
    assert server.ask("POST", "/v2/memories/", {"filters": {"user_id": "platform"}}).json()["next"] is None
    memory = f"/v1/memories/{made[0]['id']}/"
    assert server.ask("PUT", memory, {"text": "No hotels."}, params={"org_id": "x"}).status_code == 200
    assert len(server.ask("GET", f"{memory}history/").json()) == 2
    assert server.ask("GET", memory).json()["memory"] == "No hotels."
    assert server.ask("DELETE", memory).status_code == 200
    deleted = server.ask("DELETE", "/v1/memories/", params={"user_id": "platform"}).json()
    assert len(deleted["ids"]) == 4


def test_one_scope_is_deleted_and_no_other(server: HttpBench) -> None:
    for who in ("bo", "cy", "di"):
        add(server, f"{who} likes the sea, 喜欢大海。", user_id=who, infer=False)
    assert len(server.ask("DELETE", "/memories", params={"user_id": "bo", "dry_run": "true"}).json()["ids"]) == 1
    assert texts(server.ask("GET", "/memories?user_id=bo"))
    assert server.ask("DELETE", "/memories?user_id=bo").status_code == 200
    assert server.ask("DELETE", "/v2/entities/user/cy/").status_code == 200
    assert [len(texts(server.ask("GET", f"/memories?user_id={who}"))) for who in ("bo", "cy", "di")] == [0, 0, 1]


def test_whose_memories_there_are(server: HttpBench) -> None:
    for who in ({"user_id": "eva"}, {"user_id": "eva", "run_id": "旅行"}, {"agent_id": "a" * 100}):
        add(server, "The well is deep. 井很深。", infer=False, **who)
    for path in ("/entities", "/v1/entities/"):
        found = server.ask("GET", path).json()
        told = {(each["type"], each["name"]): each["total_memories"] for each in found["results"]}
        assert (told["user", "eva"], told["run", "旅行"], told["agent", "a" * 100]) == (2, 1, 1)
        assert found["count"] == len(told)


def test_an_app_is_kept_beside_the_ids(server: HttpBench) -> None:
    add(server, "The app of the sea. 大海的应用。", user_id="app", app_id="sea", infer=False)
    add(server, "The app of the hill. 山的应用。", user_id="app", app_id="hill", infer=False)
    both = {"AND": [{"user_id": "app"}, {"app_id": "sea"}]}
    for body in ({"filters": both}, {"user_id": "app", "app_id": "sea"},
                 {"filters": {"user_id": "app", "metadata": {"app_id": "sea"}}}):  # fmt: skip
        assert texts(server.ask("POST", "/search", {"query": "app", **body})) == ["The app of the sea. 大海的应用。"]
    assert server.error("DELETE", "/memories?app_id=sea&user_id=app") == (400, "invalid_params")
    assert len(texts(server.ask("GET", "/memories?user_id=app"))) == 2


@pytest.mark.parametrize(
    ("verb", "path", "body", "status"),
    [
        ("POST", "/memories", {"user_id": "x"}, 400),
        ("POST", "/memories", {"messages": "Hello."}, 400),
        ("POST", "/memories", {"messages": [], "user_id": "x"}, 400),
        ("POST", "/memories", {"messages": [{"role": "user"}], "user_id": "x"}, 400),
        ("POST", "/memories", {"messages": "Hi \ud800.", "user_id": "x"}, 400),
        ("POST", "/memories", {"messages": "Hi.", "user_id": "two words"}, 400),
        ("POST", "/memories", {"messages": "Hi.", "user_id": "x", "infer": "perhaps"}, 400),
        ("POST", "/memories", {"messages": "Hi.", "user_id": "x", "metadata": "no object"}, 400),
        ("POST", "/memories", {"messages": "Hi.", "user_id": "x", "metadata": "no object", "app_id": "y"}, 400),
        ("POST", "/memories", {"messages": "Hi.", "agent_id": "x", "memory_type": "nosuch", "llm": "x"}, 400),
        ("POST", "/memories", b"[1]", 400),
        ("POST", "/memories", b"{", 400),
        ("POST", "/memories", b"", 400),
        ("POST", "/search", {"user_id": "x"}, 400),
        ("POST", "/search", {"query": "茶"}, 400),
        ("POST", "/search", {"query": "茶", "filters": {"OR": [{"user_id": "x"}, {"topic": "y"}]}}, 400),
        ("POST", "/search", {"query": "茶", "user_id": "x", "threshold": 7}, 400),
        ("POST", "/search", {"query": "茶", "user_id": "x", "top_k": "many"}, 400),
        ("GET", "/memories", None, 400),
        ("GET", "/memories?user_id=x&top_k=-1", None, 400),
        ("GET", "/memories?user_id=x&show_expired=maybe", None, 400),
        ("POST", "/v3/memories/?page=0", {"filters": {"user_id": "x"}}, 400),
        ("GET", "/memories/n99999", None, 404),
        ("GET", "/memories/%E8%8C%B6", None, 404),
        ("PUT", "/memories/n99999", {"text": "New."}, 404),
        ("PUT", "/memories/n99999", {}, 400),
        ("DELETE", "/memories", None, 400),
        ("DELETE", "/memories?user_id=*", None, 400),
        ("DELETE", "/memories?user_id=x&purge=sure", None, 400),
        ("DELETE", "/memories/n1?delete_linked=true", None, 400),
        ("DELETE", "/entities/planet/mars", None, 404),
        ("POST", "/configure", {"nosuch": 1}, 400),
        ("POST", "/configure", {"soulmem": {"mind": "other"}}, 400),
        ("PUT", "/v1/batch/", {}, 400),
        ("PUT", "/v1/batch/", {"memories": {"memory_id": "n1"}}, 400),
        ("PUT", "/v1/batch/", {"memories": []}, 400),
        ("PUT", "/v1/batch/", {"memories": [{"memory_id": "n1"}]}, 400),
        ("PUT", "/v1/batch/", {"memories": [{"text": "茶"}]}, 400),
        ("PUT", "/v1/batch/", {"memories": [{"memory_id": "n99999", "text": "茶"}]}, 404),
        ("DELETE", "/v1/batch/", {"memories": ["n1"]}, 400),
        ("DELETE", "/v1/batch/", {"memories": [{"memory_id": f"n{number}"} for number in range(1001)]}, 400),
        ("DELETE", "/v1/batch/", {"memories": [{"memory_id": "n99999"}]}, 404),
        ("DELETE", "/v1/batch/", b"", 400),
        ("DELETE", "/v2/entities/app/sea", None, 400),
    ],
)
def test_what_is_wrong_is_one_line(server: HttpBench, verb: str, path: str, body: Any, status: int) -> None:
    raw = json.dumps(body).encode() if isinstance(body, dict) else body
    answer = server.ask(verb, path, raw)
    assert answer.status_code == status, answer.text
    detail = answer.json()["detail"]
    assert detail
    assert "\n" not in detail
    assert "Traceback" not in detail
    assert "object at 0x" not in detail


def test_many_are_changed_and_deleted_at_once_or_none(server: HttpBench) -> None:
    """As `MemoryClient.batch_update` and `batch_delete` send them."""
    told = ("The barn is red.", "谷仓是红色的。", "Mei 的 barn is old.")
    ids = [add(server, text, user_id="batch", metadata={"by": "林溪"}, infer=False)[0]["id"] for text in told]
    wrong = {"memories": [{"memory_id": ids[0], "text": "Gone."}, {"memory_id": "n99999", "text": "Nowhere."}]}
    assert server.error("PUT", "/v1/batch/", wrong) == (404, "not_found")
    wrong["memories"][1] = {"memory_id": ids[1], "text": " "}
    assert ids[1] in server.ask("PUT", "/v1/batch/", wrong).json()["detail"]
    assert texts(server.ask("GET", "/memories?user_id=batch")) == list(told)

    changes = [
        {"memory_id": ids[0], "text": "The barn is blue."},
        {"memory_id": ids[1], "text": "谷仓是蓝色的。", "metadata": {"sure": True}},
        {"memory_id": ids[2], "metadata": {"sure": False}},
    ]
    done = server.ask("PUT", "/v1/batch/", {"memories": changes})
    assert done.json() == {"message": "Successfully updated 3 memories"}
    found = {each["id"]: each for each in server.ask("GET", "/memories?user_id=batch").json()["results"]}
    assert [found[each]["memory"] for each in ids] == ["The barn is blue.", "谷仓是蓝色的。", told[2]]
    assert found[ids[1]]["metadata"] == {"by": "林溪", "sure": True}
    assert found[ids[2]]["metadata"] == {"by": "林溪", "sure": False}

    away = [{"memory_id": ids[0]}, {"memory_id": ids[1]}]
    assert server.error("DELETE", "/v1/batch/", {"memories": [*away, {"memory_id": "n99999"}]}) == (404, "not_found")
    assert len(texts(server.ask("GET", "/memories?user_id=batch"))) == 3
    done = server.ask("DELETE", "/v1/batch/", {"memories": [*away, away[0]]})
    assert done.json() == {"message": "Successfully deleted 2 memories"}
    assert texts(server.ask("GET", "/memories?user_id=batch")) == [told[2]]


@pytest.mark.parametrize(
    ("verb", "path", "instead"),
    [
        ("POST", "/v1/exports/", "/v3/memories"),
        ("POST", "/v1/exports/get/", "soulmem export"),
        ("POST", "/v1/summary/", "context.get"),
        ("POST", "/v1/feedback/", "/rpc/feedback"),
        ("GET", "/v2/entities/user/林溪/profile/", "/rpc/profile.get"),
        ("POST", "/v2/profiles/jobs/", "profile.list"),
        ("GET", "/v2/profiles/settings/", "/rpc/profile.get"),
        ("GET", "/api/v1/webhooks/projects/p1/", "GET /events"),
        ("DELETE", "/api/v1/webhooks/7/", "GET /events"),
        ("PATCH", "/api/v1/orgs/organizations/o/projects/p/", "mind.update"),
    ],
)
def test_what_only_the_platform_has_is_refused_and_says_what_to_use(
    server: HttpBench, verb: str, path: str, instead: str
) -> None:
    answer = server.ask(verb, path, {"schema": "茶"} if verb in ("POST", "PATCH") else None)
    assert (answer.status_code, answer.json()["error"]["data"]["name"]) == (501, "not_offered")
    assert instead in answer.json()["detail"]
    named = {word.rstrip(",") for word in answer.json()["detail"].split() if word.startswith("/")}
    offered = server.ask("GET", "/openapi.json").json()["paths"]
    assert named <= offered.keys()


def test_a_configuration_is_taken_and_changes_nothing(server: HttpBench) -> None:
    given = {
        "version": "v1.1",
        "llm": {"provider": "openai"},
        "vector_store": {"config": {"collection_name": "theirs"}},
    }
    said = server.ask("POST", "/configure", given).json()
    assert said == {"message": "Configuration set successfully", "without_effect": ["llm", "vector_store", "version"]}
    assert server.ask("GET", "/configure").json() == {"version": "v1.1", "soulmem": {"mind": "mem0"}}


def test_what_many_add_at_once_is_all_there(server: HttpBench) -> None:
    def tell(number: int) -> None:
        add(
            server,
            f"Visitor {number} brought {number} pears. 第{number}位客人带来了梨。",
            user_id=f"v{number % 3}",
            infer=False,
        )

    telling = [threading.Thread(target=tell, args=(number,)) for number in range(12)]
    for each in telling:
        each.start()
    for each in telling:
        each.join(60)
    assert [len(texts(server.ask("GET", f"/memories?user_id=v{number}"))) for number in range(3)] == [4, 4, 4]


def test_a_reset_leaves_nothing(server: HttpBench) -> None:
    add(server, HOTEL, user_id="last", infer=False)
    assert server.ask("POST", "/reset").json() == {"message": "All memories reset"}
    assert texts(server.ask("GET", "/memories?user_id=last")) == []
