import { basename } from "node:path";
import { knownArgs, programOf } from "../command/simple-command.ts";
import { printable } from "../risk/risk.ts";
import { findings, type JudgePrinciple, type PrincipleInput, textsIn } from "./principle-input.ts";

const { fine, caution } = findings("intent");

const MAX_NAMES = 3;

/** Does the call belong to what the user asked for? */
export const intent: JudgePrinciple = (input) => {
  const { risk, context } = input;
  if (risk.tier < 3) return fine("Stays in the workspace, so it is not compared with the task.");
  if (context.task === undefined) return fine("The task is not known here.");
  const task = context.task.toLowerCase();
  const names = [...new Set(namesIn(input))];
  if (names.some((name) => mentions(task, name.toLowerCase()))) return fine("The task mentions it.");
  return caution(`The task does not mention ${alternatives(names.slice(0, MAX_NAMES).map(printable))}.`);
};

/** "a", "a or b", "a, b or c" */
function alternatives(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** The programs with their subcommands, the hosts and the files outside the workspace. */
function namesIn({ call, tool, risk, commands }: PrincipleInput): readonly string[] {
  const risky = commands.filter((command) => command.risk.tier >= 3);
  const programs = risky.flatMap((command) => [programOf(command), ...subcommandOf(knownArgs(command))]);
  const hosts = textsIn(call.input).flatMap((text) => [...text.matchAll(urls)].map(([, host = ""]) => host));
  const files = (risk.paths ?? []).flatMap(({ path, location }) => (location === "outside" ? [basename(path)] : []));
  const names = [...programs, ...hosts, ...files].filter((name) => name !== "");
  return names.length === 0 ? [tool.name] : names;
}

const urls = /\bhttps?:\/\/(?:[^\s/@]*@)?([\w.-]+)/gi;

function subcommandOf([first]: readonly string[]): readonly string[] {
  return first !== undefined && /^[a-z][a-z-]{2,}$/.test(first) ? [first] : [];
}

/** Whether a text contains a name as a word of its own. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!/\w/.test(text[at - 1] ?? "") && !/\w/.test(text[at + name.length] ?? "")) return true;
  return false;
}
