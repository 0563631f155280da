import { closestName } from "@sheepdog/guardian";

/** The commands that begin with a slash, in the order help lists them. */
export const commands = {
  help: "what can be typed here",
  new: "begin a new session",
  sessions: "find an earlier session and go on with it",
  fork: "go on in a copy of this session",
  retry: "go on after a stop, or make the last prompt again",
  cost: "what this session, today and this month have cost",
  context: "how full the context is",
  budget: "how much this run may cost: /budget 2.50 (0: no limit)",
  mute: "have the guardian leave its newest finding alone: /mute [tool]",
  model: "the model, or another one: /model provider:id",
  export: "write this session to a file: /export notes.md (or .json)",
  clear: "clear the screen; nothing is forgotten",
  quit: "leave",
} as const;

export type CommandName = keyof typeof commands;

const names = Object.keys(commands) as readonly CommandName[]; // the keys are the names

/** What a line that begins with a slash asks for. */
export type ParsedCommand =
  | { readonly type: "command"; readonly name: CommandName; readonly argument: string }
  | { readonly type: "unknown"; readonly sentence: string };

/** The command in a text; undefined where it is none, as a path is none. */
export function parseCommand(text: string): ParsedCommand | undefined {
  const match = /^\/([A-Za-z?]*)(?:[ \t]+(.*))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, word = "", argument = ""] = match;
  const asked = word.toLowerCase();
  const name =
    asked === "exit" || asked === "q" ? "quit" : asked === "?" ? "help" : names.find((each) => each === asked);
  if (name !== undefined) return { type: "command", name, argument: argument.trim() };
  const near = closestName(asked, names);
  return {
    type: "unknown",
    sentence: `There is no /${asked}; ${near === undefined ? "" : `did you mean /${near}? `}/help lists them.`,
  };
}

/** The commands a text could become. */
export function completions(text: string): readonly CommandName[] {
  const match = /^\/([a-z]*)$/.exec(text);
  return match === null ? [] : names.filter((name) => name.startsWith(match[1] ?? ""));
}

/** The text with as much added as is certain; all of it, with a space, where only one command is left. */
export function complete(text: string): string {
  const [first, ...others] = completions(text);
  if (first === undefined) return text;
  if (others.length === 0) return `/${first} `;
  let shared: string = first;
  for (const other of others) while (!other.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.length > text.length - 1 ? `/${shared}` : text;
}
