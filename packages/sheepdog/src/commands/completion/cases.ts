import { type CommandWords, type OptionWords, type Value, withAllBelow } from "./words.ts";

/** The ways to every command below the program, each as the way so far and the next word. */
export function steps(program: CommandWords): readonly string[] {
  return withAllBelow(program).flatMap((command) => command.commands.map(({ name }) => `${command.path} ${name}`));
}

/** A value that is wanted after an option of a command. */
export interface WantedValue {
  readonly command: CommandWords;
  readonly option: OptionWords;
  readonly value: Value;
}

/** Every option that takes a value, command by command. */
export function wantedValues(program: CommandWords): readonly WantedValue[] {
  return withAllBelow(program).flatMap((command) =>
    command.options.flatMap((option) => (option.value === undefined ? [] : [{ command, option, value: option.value }])),
  );
}

/** The words that may stand where an argument is wanted. */
export function argumentChoices({ arguments: values }: CommandWords): readonly string[] {
  return values.flatMap((value) => (value.type === "choices" ? value.choices : []));
}

/** Whether a path may stand where an argument is wanted. */
export function takesPath({ arguments: values }: CommandWords): boolean {
  return values.some(({ type }) => type === "path");
}
