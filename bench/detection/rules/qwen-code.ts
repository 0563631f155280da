import type { FlatCall, FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { stableKey } from "./keys.ts";
import { at, type Rule } from "./rule.ts";

/**
 * qwen-code (0.24, the checks that are always on): five equal calls in a row; eight git overviews in a row; after 100
 * calls of a turn, one call six times. Keys are sorted. A user message resets it. The turn ends at once.
 */
export const qwenCode: Rule = {
  name: "qwen-code (always on)",
  reactions: (run) => halts(run, (turn) => isAlwaysHalted(turn)),
};

/**
 * The same with the heuristics that are off by default: a call six times in a turn; ABABAB; eight reading calls in the
 * last fifteen, after another tool was used; one tool eight times in a row. Its checks of thoughts and text are left
 * out: recordings have no stream.
 */
export const qwenCodeAll: Rule = {
  name: "qwen-code (all heuristics)",
  reactions: (run) => halts(run, (turn) => isAlwaysHalted(turn) || isHeuristic(turn)),
};

interface KeyedCall {
  readonly call: FlatCall;
  readonly key: string;
}

/** Passes the calls since the last user message, newest last, to `isHalted` after each call. */
function* halts(run: FlatRun, isHalted: (turn: readonly KeyedCall[]) => boolean): Generator<Reaction> {
  let turn: KeyedCall[] = [];
  for (const call of run.calls) {
    if (turn[0]?.call.userTurn !== call.userTurn) turn = [];
    turn.push({ call, key: stableKey(call) });
    if (isHalted(turn)) yield at(call, "stop");
  }
}

function isAlwaysHalted(turn: readonly KeyedCall[]): boolean {
  if (tail(turn, 5)?.every(({ key }) => key === turn.at(-1)?.key)) return true;
  if (tail(turn, 8)?.every(({ call }) => isGitOverview(call))) return true;
  return turn.length > 1_000 || (turn.length > 100 && maxCount(turn) >= 6);
}

function isHeuristic(turn: readonly KeyedCall[]): boolean {
  if (turn.filter(({ key }) => key === turn.at(-1)?.key).length >= 6) return true;
  const six = tail(turn, 6);
  if (six?.every(({ key }, index) => key === six[index % 2]?.key) && six[0]?.key !== six[1]?.key) return true;
  if (turn.some(({ call }) => !isReadLike(call)) && turn.slice(-15).filter(({ call }) => isReadLike(call)).length >= 8)
    return true;
  return tail(turn, 8)?.every(({ call }) => call.tool === turn.at(-1)?.call.tool) ?? false;
}

function tail(turn: readonly KeyedCall[], length: number): readonly KeyedCall[] | undefined {
  return turn.length < length ? undefined : turn.slice(-length);
}

function maxCount(turn: readonly KeyedCall[]): number {
  const counts = new Map<string, number>();
  for (const { key } of turn) counts.set(key, (counts.get(key) ?? 0) + 1);
  return Math.max(...counts.values());
}

/** By qwen-code's own names and prefixes. */
function isReadLike({ tool }: FlatCall): boolean {
  return /^(?:read_|list_)/.test(tool) || ["glob", "grep", "search_file_content", "ls"].includes(tool);
}

/** Every part of the command is git status, diff or ls-files without a path. */
function isGitOverview({ args }: FlatCall): boolean {
  if (typeof args !== "object" || args === null || !("command" in args) || typeof args.command !== "string")
    return false;
  return args.command
    .split(/&&|\|\||;|\n/)
    .every((part) => /^\s*git\s+(?:status|diff|ls-files)(?:\s+-\S+)*\s*$/.test(part));
}
