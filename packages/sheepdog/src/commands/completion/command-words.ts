import { type Command, Help, type Option } from "commander";

/** The kind of a value: one of a few words, a path, or any text. */
export type Value =
  | { readonly type: "choices"; readonly choices: readonly string[] }
  | { readonly type: "path" }
  | { readonly type: "any" };

/** An option as typed. */
export interface OptionWords {
  /** `-v`, `--version`. */
  readonly flags: readonly string[];
  readonly description: string;
  /** Undefined if the option takes no value. */
  readonly value?: Value;
}

/** The words that can follow a command. */
export interface CommandWords {
  readonly name: string;
  /** The command as typed after `sheepdog`, e.g. `config set`; "" for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly CommandWords[];
  readonly options: readonly OptionWords[];
  readonly arguments: readonly Value[];
}

const help = new Help();

/** Reads the words of a command from its definition. */
export function commandWords(command: Command, path: readonly string[] = []): CommandWords {
  const subcommands = new Set(command.commands); // without the implicit help command
  return {
    name: command.name(),
    path: path.join(" "),
    description: shortened(command.description()),
    commands: help.visibleCommands(command).map((subcommand) => {
      const words = commandWords(subcommand, [...path, subcommand.name()]);
      return subcommands.has(subcommand) ? words : helpWords(words, [...subcommands]);
    }),
    options: help.visibleOptions(command).map(optionWords),
    arguments: command.registeredArguments.map((argument) => valueKind(argument.argChoices, argument.name())),
  };
}

/** A command and all its subcommands, recursively. */
export function withSubcommands(command: CommandWords): readonly CommandWords[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** The help command accepts the names of the other commands. */
function helpWords(words: CommandWords, neighbours: readonly Command[]): CommandWords {
  return {
    ...words,
    options: [],
    arguments: [{ type: "choices", choices: neighbours.map((command) => command.name()) }],
  };
}

function optionWords(option: Option): OptionWords {
  const flags = [option.short, option.long].filter((flag) => typeof flag === "string");
  const value = option.required || option.optional ? { value: valueKind(option.argChoices, option.flags) } : {};
  return { flags, description: shortened(option.description), ...value };
}

function valueKind(choices: readonly string[] | undefined, name: string): Value {
  if (choices !== undefined && choices.length > 0) return { type: "choices", choices };
  return /file|path|dir\b|folder/i.test(name) ? { type: "path" } : { type: "any" };
}

/** Shell menus show one line per word. */
function shortened(text: string): string {
  const [sentence = ""] = text.split(/[.;:,(]?\s*\n|[.;:(]\s|\s\(/);
  return sentence.slice(0, 80).trim();
}
