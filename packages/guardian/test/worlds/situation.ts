import { type PlayOptions, type PlayResult, play, type ScriptStep } from "@sheepdog/guardian/testing";
import { expect, test } from "vitest";

/**
 * What the guardian has to do: nothing; hints and warnings at most; hint or warn, but no more; notice it; or notice
 * it and end in a block or a halt.
 */
type Expected = "silent" | "no force" | "hinted" | "noticed" | "stopped";

interface Situation {
  readonly name: string;
  readonly script: readonly ScriptStep[];
  readonly expected: Expected;
  /** The call by which it has to be noticed. */
  readonly byCall?: number;
  readonly options?: PlayOptions;
  /** The guardian gets it wrong today. */
  readonly isKnownMiss?: true;
}

type Script = readonly ScriptStep[];
type Limits = Pick<Situation, "byCall" | "options">;

const expecting =
  (expected: Expected) =>
  (name: string, script: Script, limits: Limits = {}): Situation => ({ name, script, expected, ...limits });

/** Legitimate, and not even a hint is right. */
export const silent = expecting("silent");
/** Legitimate or in doubt: hints and warnings are fine. */
export const withoutForce = expecting("no force");
/** Stuck by evidence that is only similar: a hint or a warning, but no force. */
export const hinted = expecting("hinted");
/** Stuck. */
export const noticed = expecting("noticed");
/** Stuck in an exact repetition: ends in a block or a halt. */
export const stopped = expecting("stopped");

/** Marks a situation that the guardian gets wrong today. */
export const knownMiss = (situation: Situation): Situation => ({ ...situation, isKnownMiss: true });

export function check(situations: readonly Situation[]): void {
  for (const situation of situations) {
    const { name, expected, byCall, isKnownMiss } = situation;
    const title = `${name}: ${expected}${byCall === undefined ? "" : ` by call ${byCall}`}`;
    (isKnownMiss ? test.fails : test)(title, () => checkOne(situation));
  }
}

function checkOne({ script, expected, byCall, options }: Situation): void {
  const result = play(script, options);
  if (expected === "silent") expect(result.summary).toEqual([]);
  if (expected === "no force" || expected === "hinted") expect(forceOf(result)).toEqual([]);
  if (expected === "hinted" || expected === "noticed") expect(result.summary).not.toEqual([]);
  if (expected === "stopped") expect(forceOf(result)).not.toEqual([]);
  if (byCall !== undefined) expect(play(firstCalls(script, byCall), options).summary).not.toEqual([]);
}

/** What the guardian did beyond hints and warnings. */
function forceOf({ summary, refused, stop }: PlayResult): readonly string[] {
  const blocks = summary.filter((each) => / (?:block|halt)$/.test(each));
  return [...blocks, ...(refused > 0 ? [`refused ${refused}`] : []), ...(stop === undefined ? [] : ["stopped"])];
}

/** The script until its call number `count` has ended. */
function firstCalls(script: Script, count: number): Script {
  let calls = 0;
  const end = script.findIndex((step) => {
    if (step.type === "turn") calls += step.calls.length;
    return calls >= count;
  });
  return end === -1 ? script : script.slice(0, end + 1);
}
