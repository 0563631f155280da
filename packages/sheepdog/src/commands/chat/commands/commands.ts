import { closestName } from "@sheepdog/guardian";

/** The slash commands, in the order of the help. */
export const commands = {
  help: "list the commands and keys",
  new: "start a new session",
  sessions: "find an earlier session and continue it",
  fork: "continue in a copy of this session",
  retry: "continue after a stop, or run the last prompt again",
  cost: "what this session, today and this month have cost",
  diff: "the changes that edit and write made to files in this session",
  context: "how full the context is",
  budget: "the cost limit of a run: /budget 2.50 (0: no limit)",
  mute: "mute the newest finding of the guardian: /mute [tool]",
  model: "show or change the model: /model provider:id",
  mcp: "MCP servers: /mcp, /mcp approve files, /mcp read files file:///a, /mcp prompt files review",
  export: "write this session to a file: /export notes.md (or .json)",
  clear: "clear the screen; the session stays",
  quit: "leave",
} as const;

export type CommandName = keyof typeof commands;

const names = Object.keys(commands) as readonly CommandName[]; // the keys are the names

/** A parsed line that starts with a slash. */
export type ParsedCommand =
  | { readonly type: "command"; readonly name: CommandName; readonly argument: string }
  | { readonly type: "unknown"; readonly sentence: string };

/** The command in a text; undefined if the text is not a command, for example a path with two slashes. */
export function parseCommand(text: string): ParsedCommand | undefined {
  const match = /^\/([\w?:-]*)(?:[ \t]+(.*))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, word = "", argument = ""] = match;
  const typedName = word.toLowerCase();
  const name = commandNamed(typedName);
  if (name !== undefined) return { type: "command", name, argument: argument.trim() };
  const similar = closestName(typedName, names);
  const suggestion = similar === undefined ? "" : `Did you mean /${similar}? `;
  return { type: "unknown", sentence: `There is no command /${typedName}. ${suggestion}/help lists all commands.` };
}

function commandNamed(name: string): CommandName | undefined {
  if (name === "exit" || name === "q") return "quit";
  return name === "?" ? "help" : names.find((each) => each === name);
}

/** The commands that a text could become. */
export function completions(text: string): readonly CommandName[] {
  const match = /^\/([a-z]*)$/.exec(text);
  return match === null ? [] : names.filter((name) => name.startsWith(match[1] ?? ""));
}

/** The text extended as far as it is unambiguous; a single match is completed with a space. */
export function complete(text: string): string {
  const [first, ...others] = completions(text);
  if (first === undefined) return text;
  if (others.length === 0) return `/${first} `;
  let shared: string = first;
  for (const other of others) while (!other.startsWith(shared)) shared = shared.slice(0, -1);
  return shared.length > text.length - 1 ? `/${shared}` : text;
}
