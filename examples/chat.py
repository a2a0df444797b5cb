"""A companion's loop: what you say goes in, what comes to mind goes into the prompt, the answer goes in too.

Run `soulmem daemon`, then `python examples/chat.py`. Put your own model into `answer`; without one, the
companion only says what it would have been told.
"""

from soulmem.client import Client, DaemonUnavailable

MIND, YOU, COMPANION = "pell", "Mara", "Pell"


def answer(prompt: str, said: str) -> str:
    """Ask your model here: `prompt` is what the memory knows, `said` is the message to answer."""
    return f"(a model would now read {len(prompt)} characters of memory and answer {said!r})\n{prompt}"


def main() -> None:
    with Client() as memory:
        while said := input(f"{YOU}: ").strip():
            heard = memory.add_message(MIND, said, speaker=YOU, recall=True)
            reply = answer(heard["context"]["text"], said)
            print(f"{COMPANION}: {reply}")
            memory.add_message(MIND, reply, role="assistant", speaker=COMPANION)


if __name__ == "__main__":
    try:
        main()
    except (EOFError, KeyboardInterrupt):
        print()
    except DaemonUnavailable as error:
        raise SystemExit(str(error)) from None
