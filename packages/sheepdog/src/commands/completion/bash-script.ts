import { type CommandWords, type Value, withSubcommands } from "./command-words.ts";
import { quoted } from "./quote.ts";
import { argumentChoices, commandSteps, takesPath, valueOptions } from "./script-parts.ts";

/** The completion script for bash 3.2 and later. It needs no other package. */
export function bashScript(program: CommandWords): string {
  const commands = withSubcommands(program);
  return `# Completion of sheepdog for bash. In ~/.bashrc: source <(sheepdog completion bash)
_sheepdog_words() {
  COMPREPLY+=($(compgen -W "$1" -- "$word"))
}
_sheepdog_paths() {
  local each
  compopt -o filenames 2>/dev/null
  while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -f -- "$word")
}
_sheepdog() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" at="" i
  COMPREPLY=()
  if [ "$word" = "=" ]; then
    word=""
  elif [ "$before" = "=" ] && [ "$COMP_CWORD" -gt 1 ]; then
    before="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${commandSteps(program).map(quoted).join(" | ")}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at|$before" in
${valueOptions(program)
  .map(
    ({ command, option, value }) =>
      `    ${option.flags.map((flag) => quoted(`${command.path}|${flag}`)).join(" | ")}) ${offer(value)}return ;;\n`,
  )
  .join("")}  esac
  case "$word" in
    -*)
      case "$at" in
${commands.map(offerFlags).join("")}      esac
      ;;
    *)
      case "$at" in
${commands.map((command) => `        ${quoted(command.path)}) ${offerArguments(command)}: ;;\n`).join("")}      esac
      ;;
  esac
}
complete -F _sheepdog sheepdog
`;
}

function offer(value: Value): string {
  if (value.type === "choices") return `_sheepdog_words ${quoted(value.choices.join(" "))}; `;
  return value.type === "path" ? "_sheepdog_paths; " : "";
}

function offerFlags({ path, options }: CommandWords): string {
  const flags = options.flatMap((option) => option.flags).join(" ");
  return `        ${quoted(path)}) _sheepdog_words ${quoted(flags)} ;;\n`;
}

function offerArguments(command: CommandWords): string {
  const words = [...command.commands.map(({ name }) => name), ...argumentChoices(command)];
  const offerWords = words.length === 0 ? "" : `_sheepdog_words ${quoted(words.join(" "))}; `;
  return `${offerWords}${takesPath(command) ? "_sheepdog_paths; " : ""}`;
}
