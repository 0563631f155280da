import type { WireEvent } from "../../../contract/index.ts";

/** What a call does, for its colour on the axis. */
export type CallKind = "read" | "edit" | "run" | "poll";

/** A call of the run and its outcome, as far as it is known. */
export interface Call {
  readonly callId: string;
  /** Of the event that started or refused it. */
  readonly seq: number;
  /** Of the event with its result; null while it runs. */
  readonly endSeq: number | null;
  /** Its number in the run, from 1. */
  readonly number: number;
  readonly turn: number;
  readonly tool: string;
  readonly input: unknown;
  readonly kind: CallKind;
  /** The call in a few words. */
  readonly text: string;
  /** Equal for calls with the same tool and the same input. */
  readonly key: string;
  readonly at: number;
  /** Null while it runs. */
  readonly ms: number | null;
  /** Null while it runs. */
  readonly status: string | null;
  readonly content: string;
  readonly isFailed: boolean;
  readonly refusedBy: "guardian" | "guard" | "gate" | "user" | null;
  readonly diff: NonNullable<WireEvent["diff"]> | null;
  /** Whether input or content are longer than what is known here. */
  readonly isCut: boolean;
}

const readTools = /^(?:read|view|cat|ls|list|glob|grep|search|find|fetch|web|memory_search|open|get|lookup|todo)/i;
const editTools =
  /^(?:edit|write|multi_?edit|str_replace|apply|create|patch|notebook|replace|insert|memory_write|delete)/i;
const pollTools = /^(?:wait|poll|sleep|status|check_status|bash_?output)/i;
const waitCommand = /^\s*(?:sleep|wait|watch)\b/;
const lookPrograms = "ls|cat|head|tail|wc|pwd|tree|find|rg|grep|stat|file|du|which";
const lookGit = "git\\s+(?:log|status|diff|show|blame|branch|ls-files)";
const lookCommand = new RegExp(`^\\s*(?:cd\\s+\\S+\\s*&&\\s*)?(?:${lookPrograms}|${lookGit})\\b`);
const changesSomething = /[^0-9&]>|\btee\b|-delete\b|-exec\b|\bxargs\b/;

/**
 * The kind of a call: what the run says about it, else by the name of its tool. A command stays a command whatever it
 * does; a shell that only waits counts as polling.
 */
export function kindOf(tool: string, input: unknown, declared?: string): CallKind {
  const name = tool.replace(/^mcp__\w+?__/, "");
  if (pollTools.test(name) || waitCommand.test(commandOf(input) ?? "")) return "poll";
  if (commandOf(input) !== undefined) return "run";
  if (declared === "poll" || declared === "wait") return "poll";
  if (declared === "read" || declared === "think") return "read";
  if (editTools.test(name)) return "edit";
  return readTools.test(name) ? "read" : "run";
}

/** Whether a call only looks at something: a reading tool, or a command such as `ls` or `git log`. */
export function isLook({ kind, input, status }: Pick<Call, "kind" | "input" | "status">): boolean {
  if (status !== "ok") return false;
  if (kind === "read") return true;
  const command = commandOf(input);
  return command !== undefined && lookCommand.test(command) && !changesSomething.test(command);
}

const MAX_CHARS = 120;

/** A call in a few words: the command of a shell, the tool and the file, or the tool and its arguments. */
export function callText(tool: string, input: unknown): string {
  const command = commandOf(input);
  if (command !== undefined) return short(firstLine(command));
  const path = pathOf(input);
  if (path !== undefined) return short(`${tool} ${path}`);
  return short(`${tool} ${argumentText(input)}`.trim());
}

/** The command of a call that runs one. */
export function commandOf(input: unknown): string | undefined {
  const command = textField(input, ["command", "cmd", "script"]);
  return command?.trim() === "" ? undefined : command;
}

/** The file that a call is about. */
export function pathOf(input: unknown): string | undefined {
  return textField(input, ["path", "file_path", "filePath", "notebook_path"]);
}

function textField(input: unknown, names: readonly string[]): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>; // each field is checked
  const value = names.map((name) => fields[name]).find((field) => typeof field === "string" || Array.isArray(field));
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value.join(" ") : undefined;
}

/** A single argument stands alone; several arguments get their names. */
function argumentText(input: unknown): string {
  if (input === null || input === undefined) return "";
  if (typeof input !== "object" || Array.isArray(input)) return valueText(input);
  const entries = Object.entries(input);
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return valueText(only[1]);
  return entries.map(([name, value]) => `${name}=${valueText(value)}`).join(" ");
}

function valueText(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, MAX_CHARS).replace(/\s+/g, " ");
}

function firstLine(command: string): string {
  const lines = command
    .slice(0, 2_000)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first = ""] = lines;
  return lines.length > 1 ? `${first} …` : first;
}

function short(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 1)}…`;
}

/** JSON with sorted keys, so that equal inputs have equal texts. */
export function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === "object" && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? ""
  );
}
