import { type CommandWords, type OptionWords, type Value, withSubcommands } from "./command-words.ts";

/** Every pair of a command path and the name of a subcommand, separated by a space. */
export function commandSteps(program: CommandWords): readonly string[] {
  return withSubcommands(program).flatMap((command) => command.commands.map(({ name }) => `${command.path} ${name}`));
}

/** An option that takes a value. */
export interface ValueOption {
  readonly command: CommandWords;
  readonly option: OptionWords;
  readonly value: Value;
}

/** Every option that takes a value, command by command. */
export function valueOptions(program: CommandWords): readonly ValueOption[] {
  return withSubcommands(program).flatMap((command) =>
    command.options.flatMap((option) => (option.value === undefined ? [] : [{ command, option, value: option.value }])),
  );
}

/** The words that a command accepts as an argument. */
export function argumentChoices({ arguments: values }: CommandWords): readonly string[] {
  return values.flatMap((value) => (value.type === "choices" ? value.choices : []));
}

/** Whether a command accepts a path as an argument. */
export function takesPath({ arguments: values }: CommandWords): boolean {
  return values.some(({ type }) => type === "path");
}
