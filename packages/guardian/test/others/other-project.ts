import type { Policy } from "@sheepdog/guardian";
import type { ScriptStep } from "@sheepdog/guardian/testing";

/**
 * What a loop detection does about a situation. `noticed`: a message, or a reply that is cut off, and the run
 * continues. `stopped`: a call is refused, or the run ends.
 */
export type Answer = "silent" | "noticed" | "stopped";

/** Why Sheepdog answers otherwise, and what it answers. */
type Difference = { readonly answer: Answer } & ({ readonly byDesign: string } | { readonly wrong: string });

/** A test of another project as a situation for the guardian. */
export interface TranslatedTest {
  /** The situation, in our words. */
  readonly name: string;
  /** The test in the other project. The file is named if it is not the first one of the project. */
  readonly source: string;
  /** Steps that come first. What the guardian does about them is not looked at. */
  readonly before?: readonly ScriptStep[];
  readonly script: readonly ScriptStep[];
  /** Added to the default policy, for a test about a limit. */
  readonly policy?: Partial<Policy>;
  readonly theirs: Answer;
  /** `agree` also if they only notice what the guardian stops. */
  readonly ours: "agree" | Difference;
}

/** The loop detection of another project, and its tests. */
export interface OtherProject {
  readonly name: string;
  readonly repository: string;
  /** The short hash of the commit that was read, and its date if known. */
  readonly version: string;
  readonly files: readonly string[];
  readonly tests: readonly TranslatedTest[];
  /** Tests that are not about a sequence of calls or a stream. */
  readonly notTranslated: { readonly count: number; readonly about: string };
}

export interface Verdict {
  readonly verdict: "agree" | "by design" | "wrong";
  /** What the guardian does; for `agree` the same as they do. */
  readonly answer: Answer;
  readonly why: string;
}

/** What is said about a translated test. */
export function verdictOf({ ours, theirs }: TranslatedTest): Verdict {
  if (ours === "agree") return { verdict: "agree", answer: theirs, why: "" };
  if ("wrong" in ours) return { verdict: "wrong", answer: ours.answer, why: ours.wrong };
  return { verdict: "by design", answer: ours.answer, why: ours.byDesign };
}
