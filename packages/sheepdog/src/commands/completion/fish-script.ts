import { type CommandWords, type OptionWords, type Value, withSubcommands } from "./command-words.ts";
import { quotedForFish as quoted } from "./quote.ts";
import { argumentChoices, commandSteps, takesPath } from "./script-parts.ts";

/** The completion script for fish. */
export function fishScript(program: CommandWords): string {
  return `# Completion of sheepdog for fish: sheepdog completion fish > ~/.config/fish/completions/sheepdog.fish
function __sheepdog_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l at ''
    for each in $words
        switch "$at $each"
            case ${commandSteps(program).map(quoted).join(" ")}
                set at (string trim "$at $each")
        end
    end
    test "$at" = "$argv[1]"
end
complete -c sheepdog -e
complete -c sheepdog -f
${withSubcommands(program)
  .flatMap((command) => linesOf(command))
  .map((line) => `complete -c sheepdog ${line}\n`)
  .join("")}`;
}

function linesOf(command: CommandWords): readonly string[] {
  const at = `-n ${quoted(`__sheepdog_at ${quoted(command.path)}`)}`;
  const choices = argumentChoices(command);
  return [
    ...command.commands.map(({ name, description }) => `${at} -a ${quoted(name)} -d ${quoted(description)}`),
    ...command.options.map(
      (option) => `${at} ${flagsOf(option)}${valueFlags(option.value)} -d ${quoted(option.description)}`,
    ),
    ...(choices.length === 0 ? [] : [`${at} -a ${quoted(choices.join(" "))}`]),
    ...(takesPath(command) ? [`${at} -F`] : []),
  ];
}

function flagsOf({ flags }: OptionWords): string {
  return flags
    .map((flag) => (flag.startsWith("--") ? `-l ${quoted(flag.slice(2))}` : `-s ${quoted(flag.slice(1))}`))
    .join(" ");
}

function valueFlags(value: Value | undefined): string {
  if (value === undefined) return "";
  if (value.type === "choices") return ` -x -a ${quoted(value.choices.join(" "))}`;
  return value.type === "path" ? " -r -F" : " -x";
}
