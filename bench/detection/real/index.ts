import type { FlatRun } from "../flat-run.ts";
import { isForce, type Reaction, untilStop } from "../reaction.ts";
import { rules } from "../rules/index.ts";
import type { Reactions } from "../rules/rule.ts";
import { realGeminiCli } from "./gemini-cli.ts";
import { realOpenclaw } from "./openclaw.ts";

/** Whether a re-implementation reacts first, and blocks or stops first, where the real code does. */
export interface Agreement {
  readonly code: string;
  readonly rule: string;
  /** null when the code could not be run; `note` says why. */
  readonly runs: number | null;
  /** How many runs the two react to differently. */
  readonly disagreements: number | null;
  readonly note?: string;
}

/** Runs real code beside the rules that re-implement it, and lists every run in which they differ on stderr. */
export async function agreements(runs: readonly FlatRun[]): Promise<readonly Agreement[]> {
  const reals = [await realGeminiCli(), await realOpenclaw()];
  return reals.map((real) => {
    const names = { code: real.name, rule: real.reimplementedAs };
    if ("missing" in real) return { ...names, runs: null, disagreements: null, note: real.missing };
    const rule = rules.find(({ name }) => name === real.reimplementedAs);
    if (rule === undefined) throw new Error(`Expected a rule named ${real.reimplementedAs}.`);
    const differing = runs.filter((run) => {
      const [code, own] = [firstsOf(real.reactions, run), firstsOf(rule.reactions, run)];
      if (code !== own) console.error(`bench: run ${run.id}: ${real.name}: ${code}; its re-implementation: ${own}`);
      return code !== own;
    });
    return { ...names, runs: runs.length, disagreements: differing.length };
  });
}

/** The first reaction and the first block or stop, as text. */
function firstsOf(reactions: Reactions, run: FlatRun): string {
  const taken = untilStop(reactions(run));
  const textOf = (reaction: Reaction | undefined) =>
    reaction === undefined ? "none" : `${reaction.action} at call ${reaction.call}`;
  return `first reaction ${textOf(taken[0])}, first force ${textOf(taken.find(isForce))}`;
}
