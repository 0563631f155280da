import { type CommandWords, type Value, withSubcommands } from "./command-words.ts";
import { quoted } from "./quote.ts";
import { argumentChoices, commandSteps, takesPath, valueOptions } from "./script-parts.ts";

/** The completion script for zsh: for `source`, or as `_sheepdog` in a folder of `fpath`. */
export function zshScript(program: CommandWords): string {
  const commands = withSubcommands(program);
  return `#compdef sheepdog
# Completion of sheepdog for zsh. In ~/.zshrc: source <(sheepdog completion zsh)
_sheepdog() {
  local word="\${words[CURRENT]}" before="\${words[CURRENT-1]}" at="" each
  local -a found
  for each in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $each" in
      (${commandSteps(program).map(quoted).join("|")}) at="\${at:+$at }$each" ;;
    esac
  done
  if [[ "$word" == --*=* ]]; then
    before="\${word%%=*}"
    compset -P '*='
  fi
  case "$at|$before" in
${valueOptions(program)
  .map(
    ({ command, option, value }) =>
      `    (${option.flags.map((flag) => quoted(`${command.path}|${flag}`)).join("|")}) ${offer(value)}return ;;\n`,
  )
  .join("")}  esac
  if [[ "$word" == -* ]]; then
    case "$at" in
${commands.map((command) => `      (${quoted(command.path)}) found=(${optionsOf(command)}) ;;\n`).join("")}    esac
    _describe -o option found
    return
  fi
  case "$at" in
${commands.map((command) => `    (${quoted(command.path)}) ${offerArguments(command)}: ;;\n`).join("")}  esac
}
if [[ "$funcstack[1]" = _sheepdog ]]; then
  _sheepdog "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
  compdef _sheepdog sheepdog
fi
`;
}

function offer(value: Value): string {
  if (value.type === "choices") return `compadd -- ${value.choices.map(quoted).join(" ")}; `;
  return value.type === "path" ? "_files; " : "";
}

function optionsOf({ options }: CommandWords): string {
  return options.flatMap(({ flags, description }) => flags.map((flag) => described(flag, description))).join(" ");
}

function offerArguments(command: CommandWords): string {
  const commands = command.commands.map(({ name, description }) => described(name, description));
  const choices = argumentChoices(command);
  return [
    commands.length === 0 ? "" : `found=(${commands.join(" ")}); _describe command found; `,
    choices.length === 0 ? "" : `compadd -- ${choices.map(quoted).join(" ")}; `,
    takesPath(command) ? "_files; " : "",
  ].join("");
}

function described(word: string, description: string): string {
  return quoted(`${word.replaceAll(":", "\\:")}:${description}`);
}
