import { nameWords } from "./name-words.ts";
import { codeKind, isSearchCommand, shellKind } from "./shell-kind.ts";
import type { ToolKind } from "./tool-kind.ts";

/** The annotations of an MCP server about its tool; hints, not promises. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** The kind that MCP annotations tell; undefined when they tell none. */
export function annotatedKind(annotations: ToolAnnotations | undefined): ToolKind | undefined {
  if (annotations?.readOnlyHint === true) return "read";
  if (annotations?.readOnlyHint === false || annotations?.destructiveHint === true) return "mutate";
  return undefined;
}

/**
 * Infers the kind of a call from the first words of the tool's name, then from an action or command in its arguments.
 */
export function inferKind(tool: string, args: unknown): ToolKind {
  const action = actionIn(args);
  return action === undefined ? kindOfName(ownWords(tool), args) : kindOfAction(ownWords(tool), action, args);
}

/** What a tool is asked to do decides, not its name: `message {action: "read"}` reads. */
function kindOfAction(words: readonly string[], action: string, args: unknown): ToolKind {
  const actionWords = ownWords(action);
  const kind = kindOfName(actionWords, undefined);
  const kindByName = kindOfName(words, args);
  if (kind === "poll" && kindByName === "send") return "send"; // the members of a chat are polled
  if (kind !== "unknown") return kind;
  // A noun says what the tool is about, not what it does: `schedule {action: "next_free"}`.
  return nouns.has(words[0] ?? "") ? "unknown" : kindByName;
}

function kindOfName(words: readonly string[], args: unknown): ToolKind {
  const firstWord = words[0] ?? "";
  if (words.some((word) => word === "wait" || word === "sleep")) return "wait";
  if (words.length === 1 && waits.has(firstWord)) return "wait";
  if (moves.test(words.join(" "))) return "move";
  if (words.some((word) => noteWords.has(word)) && words.every((word) => noteWords.has(word) || neutral.has(word)))
    return "think";
  const [kind] = words.slice(0, 2).flatMap((word) => verbs.get(word) ?? []);
  const isQuestion = words.some((word) => verbs.get(word) === "read" || questionNouns.has(word));
  if (words.at(-1) === "output" && shells.has(firstWord)) return "poll"; // `BashOutput`
  if (words.includes("stdin") && isEmptyInput(args)) return "poll"; // `write_stdin` without text reads what came since
  if (words.some((word) => pollWords.has(word)) && (kind === undefined || isQuestion || nouns.has(firstWord)))
    return "poll";
  if (kind === undefined) return isMessage(words, args) ? "send" : kindOfArguments(words, args);
  return isQuestion && nouns.has(firstWord) ? "read" : kind; // `issue_read` and `order_history` are reads
}

/** Whether a call writes nothing to a process. */
function isEmptyInput(args: unknown): boolean {
  if (typeof args !== "object" || args === null) return false;
  return Object.entries(args).some(([name, value]) => /^(?:chars|input|text|data)$/.test(name) && value === "");
}

/** Whether the call is a command whose exit code 1 means that nothing was found. */
export function isSearch(tool: string, args: unknown): boolean {
  const command = commandIn(args);
  return command !== undefined && ownWords(tool).some((word) => shells.has(word)) && isSearchCommand(command);
}

function kindOfArguments(words: readonly string[], args: unknown): ToolKind {
  const command = commandIn(args);
  if (command === undefined) return "unknown";
  const kind = codeKind(command);
  if (kind !== undefined) return kind;
  return words.some((word) => shells.has(word)) ? shellKind(command) : "unknown";
}

/** Whether the arguments are an address and a text, as those of `telegram {to, text}`. */
function isMessage(words: readonly string[], args: unknown): boolean {
  if (typeof args !== "object" || args === null || words.some((word) => conversions.has(word))) return false;
  const names = Object.keys(args);
  return names.some((name) => addressNames.test(name)) && names.some((name) => textNames.test(name));
}

const addressNames = /^(?:to|recipients?|chat_?id|phone(?:_?number)?)$/i;
const textNames = /^(?:text|message|body)$/i;

/** The argument that names an action, if there is one: a single word, not a command line. */
function actionIn(args: unknown): string | undefined {
  if (typeof args !== "object" || args === null) return undefined;
  const named = Object.entries(args).find(([name]) => actionNames.test(name))?.[1];
  return typeof named === "string" && /^[a-z][a-z_-]*$/i.test(named.trim()) ? named.trim() : undefined;
}

/** The argument that says what to do, if there is one. */
function commandIn(args: unknown): string | undefined {
  if (typeof args === "string") return args;
  if (typeof args !== "object" || args === null) return undefined;
  const fields = Object.entries(args);
  const named = fields.find(([name, value]) => typeof value === "string" && commandNames.test(name));
  const only = fields.length === 1 ? fields[0] : undefined;
  const value: unknown = (named ?? only)?.[1];
  if (typeof value === "string") return value;
  return Array.isArray(value) && value.every((part) => typeof part === "string") ? value.join(" ") : undefined;
}

/**
 * The words of a tool's name without its namespace:
 * `getUserInfo`, `get_user_info`, `users.get_info` and `mcp__users__get-info` alike.
 */
function ownWords(tool: string): string[] {
  const own = tool.replace(/^.*(?:__|[.:/])(?=\w)/, "");
  return nameWords(own.slice(0, 128)).filter((word) => word !== "");
}

/** Names of arguments that say what to do. */
export const commandNames: RegExp = /^(?:action|operation|op|method|command|cmd|script|query|sql|code|statement)$/i;

/** Names of arguments that name one of a tool's actions. */
const actionNames = /^(?:action|operation|op|method|command)$/i;

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const shells = set("bash sh zsh shell exec execute terminal command cmd run console powershell process task");
const pollWords = set(
  "poll status progress ready state health sensor monitor watch metrics job build deployment pipeline rollout",
);
/** Names of tools that write the agent's own notes. */
const noteWords = set("think thinking thought thoughts sequentialthinking todo todos plan reflect scratchpad");
const neutral = set("write update read set get sequential");
/** Names of tools that only let time pass; with an object (`pause_job`) they do something. */
const waits = set("noop yield pause delay idle");
/** Names of tools and actions that move a view, a cursor or a program; with further words they are something else. */
const moves = new RegExp(
  [
    /^(?:\w+ )?(?:scroll|swipe|click|tap|drag|zoom)(?: (?:up|down|left|right|in|out|to|at|on|page|element|and|drop))*$/,
    /^(?:\w+ )?(?:step (?:over|into|out)|press keys?|go (?:back|forward)|page (?:up|down))$/,
    /^(?:step|press|send keys?)$/,
    /^(?:next|previous)(?: (?:page|slide|screen|track|chunk))?$/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
/** Tools whose argument `to` names a language or a format. */
const conversions = set("translate convert transform format render summarize rewrite speak say");
/** Words that are either a verb or the subject of the tool; the other words decide. */
const nouns = set("issue order message email mail post share book return change schedule transfer");
const questionNouns = set("history policy price info details status");

const verbsByKind = {
  read:
    "get read list ls search find fetch show view check query lookup describe inspect browse grep glob cat open load " +
    "calculate verify validate is can has",
  mutate:
    "write edit update create delete remove set add insert append modify patch apply put move rename copy replace " +
    "cancel book reset toggle enable disable start stop connect disconnect close lock unlock grant revoke install " +
    "uninstall deploy commit push merge save upload import assign schedule reserve change make reboot restart resume " +
    "suspend pause unpause return exchange checkout bisect revert restore",
  send:
    "send post publish email mail message notify reply forward transfer pay submit invite share order buy issue " +
    "refund",
} as const;

const verbs: ReadonlyMap<string, ToolKind> = new Map(
  (["read", "mutate", "send"] as const).flatMap((kind) =>
    verbsByKind[kind].split(" ").map((verb) => [verb, kind] as const),
  ),
);
