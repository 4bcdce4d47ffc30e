"""Completion scripts: eval "$(fmbs completion bash)"."""

from __future__ import annotations

from fmbs.models import MODELS, parameters

COMMANDS = ("list", "show", "run", "plot", "view", "converge", "sweep", "ensemble", "fmu", "reproduce", "demo", "completion")
PAPERS = ("flores2006", "chen2020", "tian2010", "muvengei2012", "muvengi2011")
OPTIONS = ("--t-end", "--step", "--tolerance", "--output-step", "--linear-solver", "--out", "--resume", "--json", "--quiet")
SHELLS = ("bash", "zsh")

TEMPLATE = """_fmbs() {
    local word="${COMP_WORDS[COMP_CWORD]}" command="${COMP_WORDS[1]}" model="${COMP_WORDS[2]}" names=""
    if [ "$COMP_CWORD" -eq 1 ]; then names="@COMMANDS@"
    elif [ "$COMP_CWORD" -eq 2 ]; then case "$command" in
        show|run|converge|sweep|ensemble) names="@MODELS@" ;;
        reproduce) names="@PAPERS@" ;;
        completion) names="@SHELLS@" ;;
        plot|view) COMPREPLY=($(compgen -d -- "$word")); return ;;
    esac
    elif [[ "$command" =~ ^(run|converge|sweep|ensemble)$ ]]; then case "$model" in
@PARAMETERS@
    esac
    names="$names @OPTIONS@"
    fi
    COMPREPLY=($(compgen -W "$names" -- "$word"))
    [[ "${COMPREPLY[0]}" == *= ]] && compopt -o nospace
}
complete -F _fmbs fmbs"""


def completion(shell: str) -> str:
    """The script for a shell; zsh reads bash's."""
    rows = [f'        {name}) names="{" ".join(f"{p.name}=" for p in parameters(model))}" ;;' for name, model in MODELS.items()]
    pieces = {
        "COMMANDS": " ".join(COMMANDS), "MODELS": " ".join(MODELS), "PAPERS": " ".join(PAPERS), "SHELLS": " ".join(SHELLS),
        "OPTIONS": " ".join(OPTIONS), "PARAMETERS": "\n".join(rows),
    }  # fmt: skip
    script = TEMPLATE
    for key, text in pieces.items():
        script = script.replace(f"@{key}@", text)
    return f"autoload -U +X bashcompinit && bashcompinit\n{script}" if shell == "zsh" else script
