"""A companion's loop: what you say goes in, what comes to mind goes into the prompt, the answer goes in too.

Run `soulmem daemon`, then `python examples/chat.py --name Mara`: the memory then knows who speaks. Put your own model
into `answer`; without one, the companion only says what it would have been told.
"""

import argparse

from soulmem.client import Client, DaemonUnavailable


def answer(prompt: str, said: str) -> str:
    """Ask your model here: `prompt` is what the memory knows, `said` is the message to answer."""
    return f"(a model would now read {len(prompt)} characters of memory and answer {said!r})\n{prompt}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--name", help="your name, as it is to be remembered")
    parser.add_argument("--companion", default="Pell", help="the companion's name (Pell)")
    parser.add_argument("--mind", default="pell", help="the mind that remembers (pell)")
    chosen = parser.parse_args()
    with Client() as memory:
        while said := input(f"{chosen.name or 'you'}: ").strip():
            heard = memory.add_message(chosen.mind, said, speaker=chosen.name, recall=True)
            reply = answer(heard["context"]["text"], said)
            print(f"{chosen.companion}: {reply}")
            memory.add_message(chosen.mind, reply, role="assistant", speaker=chosen.companion)


if __name__ == "__main__":
    try:
        main()
    except (EOFError, KeyboardInterrupt):
        print()
    except DaemonUnavailable as error:
        raise SystemExit(str(error)) from None
