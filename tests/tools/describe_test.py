# SPDX-License-Identifier: GPL-3.0-or-later
"""The manual pages and what shells complete know what --help tells: its words are read here and asked for there."""
import os
import re
import shutil

from common import RECORD, equal, run, scratch

OPTION = re.compile(r"^  (-[-\w,]+)( [A-Z][^ ]*)?")
COMMAND = re.compile(r"^  ([a-z]+) {2,}\S")


def told_by_help(program, *command):
    """The names of options, those of commands, and what stands in braces behind an option."""
    names, commands, choices, part = [], [], {}, ""
    for line in run(program, *command, "--help").stdout.splitlines():
        if line and not line.startswith(" "):
            part = line
        elif part.startswith("Subcommands") and COMMAND.match(line):
            commands.append(COMMAND.match(line).group(1))
        elif part.startswith("Options") and OPTION.match(line):
            own = OPTION.match(line).group(1).split(",")
            names += own
            words = re.search(r":\{([^}]*)\}", line)
            if words:
                choices.update({name: words.group(1).split(",") for name in own})
    return names, commands, choices


def completed(script, function, words):
    """What bash offers for the last of these words."""
    text = (f'source "{script}"\nCOMP_WORDS=({" ".join(words[:-1])} "{words[-1]}")\nCOMP_CWORD={len(words) - 1}\n'
            f'{function}\necho "${{COMPREPLY[@]}}"')
    return run("bash", "-c", text).stdout.split()


def check_bash(program, folder, known):
    name = os.path.basename(program)
    script = os.path.join(folder, name)
    with open(script, "w", encoding="utf-8") as file:
        file.write(run(program, "--describe", "bash").stdout)
    function = "_" + name.replace("-", "_")
    equal(sorted(completed(script, function, [name, ""])), sorted(c for c in known if c), f"commands of {name}")
    for command, (names, _, choices) in known.items():
        before = [name] + ([command] if command else [])
        equal(sorted(completed(script, function, before + ["-"])), sorted(names), f"options of {before}")
        for option, words in choices.items():
            equal(completed(script, function, before + [option, ""]), words, f"values of {before} {option}")
    equal(completed(script, function, [name, next(c for c in known if c), "--", "-"]), [], "behind --")


def check_texts(program, folder, known):
    name = os.path.basename(program)
    texts = {kind: run(program, "--describe", kind).stdout for kind in ("man", "zsh", "fish")}
    page = re.sub(r"\\f[BIR]|\\&", "", texts["man"]).replace("\\-", "-").replace("\\e", "\\")
    sections = re.split(r"^\.S[SH] (.*)$", page, flags=re.M)
    parts = dict(zip(sections[1::2], sections[2::2]))
    for command, (names, _, _) in known.items():
        part = parts[f"{name} {command}" if command else "OPTIONS"]
        lines = [line for above, line in zip(part.splitlines(), part.splitlines()[1:]) if above == ".TP"]
        equal(sorted(word for line in lines for word in re.findall(r"(?:^|, )(-[-\w]+)", line)), sorted(names),
              f"manual of {name} {command}")
        when = f"__fish_seen_subcommand_from {command}'" if command else "not __fish"
        lines = [line for line in texts["fish"].splitlines() if f"-n '{when}" in line and " -a " not in line.split(" -d ")[0]
                 or f"-n '{when}" in line and " -x -a " in line]
        equal(sorted(n for line in lines for n in
                     ["--" + w for w in re.findall(r" -l (\S+)", line.split(" -d ")[0])] +
                     ["-" + w for w in re.findall(r" -s (\S+)", line.split(" -d ")[0])]), sorted(names),
              f"fish's {name} {command}")
        for option in names:
            assert option in texts["zsh"], option
    for shell, ending in (("zsh", "zsh"), ("fish", "fish")):
        if shutil.which(shell):
            path = os.path.join(folder, "text." + ending)
            with open(path, "w", encoding="utf-8") as file:
                file.write(texts[shell])
            run(shell, "-n", path)
    if shutil.which("groff"):
        path = os.path.join(folder, "page.1")
        with open(path, "w", encoding="utf-8") as file:
            file.write(texts["man"])
        said = run("groff", "-man", "-ww", "-Tutf8", path).stderr.splitlines()
        equal([line for line in said if "cannot adjust line" not in line], [], "what groff says of the page")


def main():
    programs = [RECORD]
    window = os.path.join(os.path.dirname(RECORD), "warpglass")
    if os.access(window, os.X_OK):
        programs.append(window)
    for program in programs:
        commands = told_by_help(program)[1]
        assert len(commands) >= 5, commands
        known = {command: told_by_help(program, *([command] if command else [])) for command in [""] + commands}
        with scratch() as folder:
            check_bash(program, folder, known)
            check_texts(program, folder, known)


main()
