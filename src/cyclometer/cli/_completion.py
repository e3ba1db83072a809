# SPDX-License-Identifier: MIT OR Apache-2.0
"""Completion in the shell, which waits for it, so that no command's module is imported: that takes a second.

The parameters of all commands are kept in the cache until the modules change; typer completes from a copy of the
application that has these parameters and does nothing.
"""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer
from typer.models import ArgumentInfo

from cyclometer import paths
from cyclometer.cli import _values

VARIABLE = "_CYCLOMETER_COMPLETE"
"""The variable by which a shell asks; the script that makes it ask is typer's."""

_TYPES = {"flag": bool, "many": list[str], "pair": tuple[str, str], "one": str}

Described = dict[str, Any]
"""A command: `name`, `help`, and either its `parameters` or, for a group, its `commands`."""


def complete() -> None:
    """Print what can follow the words in the environment, and end the program, if a shell asks for it."""
    if VARIABLE in os.environ:
        application_of(_described_commands())(prog_name="cyclometer")


def describe(application: typer.Typer) -> list[Described]:
    """Return the parameters of all commands of an application."""
    commands: list[Described] = []
    for command in application.registered_commands:
        assert command.callback
        name = command.name or command.callback.__name__.replace("_", "-")
        parameters = inspect.signature(command.callback, eval_str=True).parameters.values()
        commands.append({"name": name, "parameters": [_described(each) for each in parameters]})
    for group in application.registered_groups:
        assert group.typer_instance
        commands.append({"name": group.name, "commands": describe(group.typer_instance)})
    return commands


def application_of(commands: Sequence[Mapping[str, Any]]) -> typer.Typer:
    """Return an application that has these commands, but not what they do."""
    app = typer.Typer()
    app.callback()(lambda: None)
    for command in commands:
        if "commands" in command:
            app.add_typer(application_of(command["commands"]), name=command["name"])
        else:
            app.command(command["name"])(_without_body(command["parameters"]))
    return app


def _described(parameter: inspect.Parameter) -> Described:
    kind, info = get_args(parameter.annotation)[:2]
    types = [kind, *get_args(kind)]  # list[str] | None
    if bool in types:
        type_name = "flag"
    elif any(get_origin(each) is list for each in types):
        type_name = "many"
    else:
        type_name = "pair" if any(get_origin(each) is tuple for each in types) else "one"
    return {
        "name": parameter.name,
        "type": type_name,
        "is_argument": isinstance(info, ArgumentInfo),
        "names": [each for each in (info.default, *(info.param_decls or ())) if isinstance(each, str)],
        "help": info.help or "",
        "values": info.autocompletion.__name__ if info.autocompletion else "",
    }


def _without_body(parameters: Sequence[Mapping[str, Any]]) -> Callable[..., None]:
    """Return a function that does nothing and has these parameters, as typer reads them."""

    def nothing(**_: Any) -> None:
        pass

    nothing.__signature__ = inspect.Signature([_parameter(each) for each in parameters])  # type: ignore[attr-defined]
    return nothing


def _parameter(described: Mapping[str, Any]) -> inspect.Parameter:
    make = typer.Argument if described["is_argument"] else typer.Option
    values = getattr(_values, described["values"]) if described["values"] else None
    info = make(*described["names"], help=described["help"], autocompletion=values)
    kind = _TYPES[described["type"]]
    return inspect.Parameter(
        described["name"],
        inspect.Parameter.KEYWORD_ONLY,
        default=False if kind is bool else None,
        annotation=Annotated[kind, info],
    )


def _described_commands() -> list[Described]:
    """Return the commands from the cache; describe and keep them if a module has changed."""
    kept, modules = paths.cache_folder() / "completion.json", _modules()
    try:
        content = json.loads(kept.read_text(encoding="utf-8"))
        if content["modules"] == modules:
            return list(content["commands"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # not kept yet, or damaged
    from cyclometer.cli import application  # noqa: PLC0415 - takes a second, and is rarely needed

    commands = describe(application())
    _keep(kept, {"modules": modules, "commands": commands})
    return commands


def _modules() -> list[list[Any]]:
    """Return the names, sizes and dates of the modules of the command line."""
    with os.scandir(Path(__file__).parent) as entries:
        return sorted([each.name, each.stat().st_size, each.stat().st_mtime_ns] for each in entries if each.is_file())


def _keep(path: Path, content: Mapping[str, Any]) -> None:
    """Write the file whole; a cache that cannot be written is no error."""
    temporary = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(content), encoding="utf-8")
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
