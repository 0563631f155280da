import type { Advice, Finding } from "./judge/finding.ts";
import type { Level } from "./policy.ts";

/** Makes the message of an intervention; callers can bring their own. */
export type Words = (finding: Finding, level: Level, facts: Facts) => string;

/** What a message may mention besides the finding. */
export interface Facts {
  /** What the loop has cost so far, where that is known. */
  readonly costNanoUsd?: number;
  /** How often calls of this episode were refused. */
  readonly denials: number;
  /** Nothing was said about it before. */
  readonly isFirst: boolean;
}

/** Facts first, then advice that fits the cause. All the guardian's sentences are in this file. */
export const plainWords: Words = (finding, level, facts) => {
  const cost = facts.costNanoUsd !== undefined && facts.costNanoUsd > 0 && level !== "hint" ? ` It has cost ${dollars(facts.costNanoUsd)} so far.` : "";
  return `${fact(finding)}${cost} ${consequence[level](finding, facts)}`.trim();
};

/** Told in place of the result when a call is refused. */
export function refusal(message: string): string {
  return `Refused by the guardian, not run. ${message}`;
}

/** Told in place of the result once the run has been ended. */
export function ended(reason: string): string {
  return `The guardian has ended this run (${reason}).`;
}

function fact(finding: Finding): string {
  const tool = quoted(finding.tool);
  const times = Math.round(finding.count);
  const exactly = finding.isExact ? "This exact call" : "Nearly the same call";
  const quote = finding.excerpt === undefined ? "." : `: ${JSON.stringify(finding.excerpt)}${/[.!?…]$/.test(finding.excerpt) ? "" : "."}`;
  switch (finding.detector) {
    case "side-effect-repeat":
      return `${exactly} to ${tool} has succeeded ${times} times${quote}`;
    case "failing-call":
      return `${exactly} to ${tool} has failed ${times} times with the same error${quote}`;
    case "cycle":
      return `The same ${finding.period ?? 2} calls have been made in turn ${times} times, each with the outcome it had before${quote}`;
    case "doom-loop":
      return `${exactly} to ${tool} has been made ${times} times with the same outcome${quote}`;
    case "failing-tool":
      return finding.advice === "unknown-tool"
        ? `${times} calls have been made to tools that do not exist, the last to ${tool}.`
        : `${tool} has failed ${times} times with the same error, whatever it was asked${quote}`;
    case "no-progress":
      return `${finding.evidence.length} calls brought nothing new, the last of them to ${tool}${quote}`;
    case "same-call":
      return `${tool} has been called ${times} times in the same way.`;
    case "failing-run":
      return `${times} calls have failed and none in between brought anything new; the newest, ${tool}${quote}`;
    case "denial":
      return `${tool} has been refused ${times} times${quote}`;
    default:
      return `${finding.detector} was seen ${times} times.`;
  }
}

const consequence: Record<Level, (finding: Finding, facts: Facts) => string> = {
  hint: (finding) => advice(finding),
  warn: (finding, { isFirst }) => `${isFirst ? "" : "An earlier notice about this brought no change. "}${advice(finding)}`,
  block: (finding) => `From now on this call is refused, until something else has changed. ${advice(finding)}`,
  halt: (_, facts) => `${facts.denials > 0 ? `It was refused ${facts.denials} times and made again. ` : ""}The run is ended here.`,
};

function advice(finding: Finding): string {
  if (finding.closest !== undefined) return `The closest tool that exists is ${quoted(finding.closest)}.`;
  return advices[finding.advice];
}

const advices: Record<Advice, string> = {
  "change-approach": "Doing it again will not help: try another way, or say what stands in the way.",
  "read-error": "Unchanged it will fail again: read the error, change what causes it, or take another way.",
  "unknown-tool": "Use one of the tools you were given.",
  "invalid-arguments": "Check the arguments the tool takes.",
  "edit-mismatch": "Read the file again before editing it: its text is not what you expect.",
  authentication: "This will not pass without other credentials: stop and ask for access.",
  "rate-limit": "Wait before trying again, and make fewer calls.",
  timeout: "Give it less to do at once, or start it in the background.",
  poll: "Wait once for as long as it takes instead of asking again and again.",
  "already-done": "It is done: go on with the next step, or say that the work is finished.",
  "already-known": "You already have this answer: use it, ask something different, or finish.",
  refused: "Find a way that is allowed, or say what you need.",
};

function quoted(name: string): string {
  return `"${name}"`;
}

function dollars(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return usd >= 0.01 ? `$${usd.toFixed(2)}` : "less than $0.01";
}
