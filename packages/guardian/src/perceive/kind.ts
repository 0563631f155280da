import type { ToolKind } from "../signal.ts";
import { nameWords } from "./name-words.ts";
import { codeKind, shellKind } from "./shell.ts";

/** What an MCP server says of its tool; hints, not promises. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** The kind an MCP annotation tells; undefined where it tells none. */
export function annotatedKind(annotations: ToolAnnotations | undefined): ToolKind | undefined {
  if (annotations?.readOnlyHint === true) return "read";
  if (annotations?.readOnlyHint === false || annotations?.destructiveHint === true) return "mutate";
  return undefined;
}

/** The kind of a call: from the first words of the tool's name, then from an action or command among its arguments. */
export function inferKind(tool: string, args: unknown): ToolKind {
  const words = ownWords(tool);
  if (words.some((word) => word === "wait" || word === "sleep")) return "wait";
  if (words.some((word) => inward.has(word)) && words.every((word) => inward.has(word) || neutral.has(word)))
    return "think";
  const [kind] = words.slice(0, 2).flatMap((word) => verbs.get(word) ?? []);
  const isLookedAt = words.some((word) => verbs.get(word) === "read" || asked.has(word));
  if (words.some((word) => polled.has(word)) && (kind === undefined || isLookedAt || nouns.has(words[0] ?? "")))
    return "poll";
  if (kind !== undefined) return isLookedAt && nouns.has(words[0] ?? "") ? "read" : kind; // `issue_read`, `order_history` issue and order nothing
  return kindOfArguments(words, args);
}

function kindOfArguments(words: readonly string[], args: unknown): ToolKind {
  const text = commandOf(args);
  if (text === undefined) return "unknown";
  const verb = /^[a-z_]+$/i.test(text.trim()) ? ownWords(text)[0] : undefined;
  return (
    codeKind(text) ?? verbs.get(verb ?? "") ?? (words.some((word) => shells.has(word)) ? shellKind(text) : "unknown")
  );
}

/** The argument that says what to do, where there is one. */
function commandOf(args: unknown): string | undefined {
  if (typeof args === "string") return args;
  if (typeof args !== "object" || args === null) return undefined;
  const values = Object.entries(args);
  const named = values.find(([name, value]) => typeof value === "string" && commandNames.test(name));
  const only = values.length === 1 ? values[0] : undefined;
  const value = (named ?? only)?.[1];
  return Array.isArray(value) && value.every((part) => typeof part === "string")
    ? value.join(" ")
    : typeof value === "string"
      ? value
      : undefined;
}

/** `getUserInfo`, `get_user_info`, `users.get_info` and `mcp__users__get-info` alike: what stands before the last dot or double underscore is no verb. */
function ownWords(tool: string): string[] {
  const own = tool.replace(/^.*(?:__|[.:/])(?=\w)/, "");
  return nameWords(own.slice(0, 128)).filter((word) => word !== "");
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));
/** Arguments that say what to do. */
export const commandNames: RegExp = /^(?:action|operation|op|method|command|cmd|script|query|sql|code|statement)$/i;
const shells = set("bash sh zsh shell exec execute terminal command cmd run console powershell process");
const polled = set(
  "poll status progress ready state health sensor monitor watch metrics job build deployment pipeline rollout",
);
/** Tools that act on the agent's own mind, by names that say nothing else: their success changes nothing in the world. */
const inward = set("think thinking thought thoughts sequentialthinking todo todos plan reflect scratchpad");
const neutral = set("write update read set get sequential");
/** Words that may be a verb or what the tool is about; what is asked of them decides. */
const nouns = set("issue order message email mail post share book return change schedule transfer");
const asked = set("history policy price info details status");

const verbs: ReadonlyMap<string, ToolKind> = new Map(
  (
    [
      [
        "read",
        "get read list ls search find fetch show view check query lookup describe inspect browse grep glob cat open load calculate verify validate is can has",
      ],
      [
        "mutate",
        "write edit update create delete remove set add insert append modify patch apply put move rename copy replace cancel book reset toggle enable disable start stop connect disconnect close lock unlock grant revoke install uninstall deploy commit push merge save upload import assign schedule reserve change make reboot restart resume suspend return exchange checkout bisect revert restore",
      ],
      [
        "send",
        "send post publish email mail message notify reply forward transfer pay submit invite share order buy issue refund",
      ],
      ["wait", "noop yield pause delay idle"],
    ] as const
  ).flatMap(([kind, words]) => words.split(" ").map((word) => [word, kind] as const)),
);
