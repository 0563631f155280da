import { type Command, Help, type Option } from "commander";

/** What may follow where a value is wanted: one of a few words, a path, or something nobody can guess. */
export type Value =
  | { readonly type: "choices"; readonly choices: readonly string[] }
  | { readonly type: "path" }
  | { readonly type: "any" };

/** An option as it can be typed. */
export interface OptionWords {
  /** `-v`, `--version`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Absent where the option takes no value. */
  readonly value?: Value;
}

/** All that can be typed after a command. */
export interface CommandWords {
  readonly name: string;
  /** The words that lead to it, without the program's own name: `config set`; "" for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly CommandWords[];
  readonly options: readonly OptionWords[];
  readonly arguments: readonly Value[];
}

const help = new Help();

/** What can be typed, read from the program itself. */
export function wordsOf(command: Command, path: readonly string[] = []): CommandWords {
  const own = new Set(command.commands);
  return {
    name: command.name(),
    path: path.join(" "),
    description: inShort(command.description()),
    commands: help.visibleCommands(command).map((each) => {
      const words = wordsOf(each, [...path, each.name()]);
      return own.has(each) ? words : helpWords(words, [...own]);
    }),
    options: help.visibleOptions(command).map(optionWords),
    arguments: command.registeredArguments.map((argument) => wantedValue(argument.argChoices, argument.name())),
  };
}

/** A command and all below it. */
export function withAllBelow(command: CommandWords): readonly CommandWords[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}

/** The help command takes the names of its neighbours. */
function helpWords(words: CommandWords, neighbours: readonly Command[]): CommandWords {
  return { ...words, options: [], arguments: [{ type: "choices", choices: neighbours.map((each) => each.name()) }] };
}

function optionWords(option: Option): OptionWords {
  const flags = [option.short, option.long].filter((flag) => typeof flag === "string");
  const value = option.required || option.optional ? { value: wantedValue(option.argChoices, option.flags) } : {};
  return { flags, description: inShort(option.description), ...value };
}

function wantedValue(choices: readonly string[] | undefined, name: string): Value {
  if (choices !== undefined && choices.length > 0) return { type: "choices", choices };
  return /file|path|dir\b|folder/i.test(name) ? { type: "path" } : { type: "any" };
}

/** The menus of shells have room for a line. */
function inShort(text: string): string {
  const [sentence = ""] = text.split(/[.;:,(]?\s*\n|[.;:(]\s|\s\(/);
  return sentence.slice(0, 80).trim();
}
