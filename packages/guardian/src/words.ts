import type { Advice, Budget, Finding } from "./judge/finding.ts";
import type { Level, LimitName } from "./policy.ts";

/** Makes the message of an intervention; callers can bring their own. It must not throw where `step` is used alone, nor speak to its guardian, which is in the middle of a signal. */
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
  const { costNanoUsd = 0 } = facts;
  const cost = costNanoUsd > 0 && level !== "hint" ? ` It has cost ${dollars(costNanoUsd)} so far.` : "";
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
  const quote =
    finding.excerpt === undefined
      ? "."
      : `: ${JSON.stringify(finding.excerpt)}${/[.!?…]$/.test(finding.excerpt) ? "" : "."}`;
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
    case "chant":
      return `The reply repeats the same ${plural(finding.period ?? 1, "character")} over and over.`;
    case "monologue":
      return `${times} replies in a row ${finding.advice === "empty" ? "were empty" : "said much the same"}, and nothing was done.`;
    case "stall":
      return `Nothing has been heard for ${Math.round(finding.seconds ?? 0)} seconds while waiting for ${finding.subject}.`;
    case "spawn":
      return `That is one subagent too many: ${finding.subject}.`;
    case "stuck-child":
      return `${times} subagents in a row got stuck.`;
    case "compaction":
      return `The history has been compacted ${times} times in a row, and the context is still full.`;
    case "seed-ryvos":
      return `${tool} has been called ${times} times in a row with the same arguments${quote}`;
    case "seed-aar":
      return `The same step has been made ${times} times in a row.`;
    case "seed-llm-rb":
      return `The last ${plural(finding.period ?? 1, "call")} ${finding.period === 1 ? "has" : "have"} been made ${finding.times} times in turn.`;
    case "seed-tool-guardrails":
      return `${tool} fails, or answers the same, again and again${quote}`;
    default:
      return spent(finding.detector, finding.budget ?? { used: 0, of: 0, isHard: true, isPriced: true });
  }
}

const consequence: Record<Level, (finding: Finding, facts: Facts) => string> = {
  hint: (finding) => advice(finding),
  warn: (finding, { isFirst }) =>
    `${isFirst ? "" : "An earlier notice about this brought no change. "}${advice(finding)}`,
  block: (finding) =>
    `From now on ${finding.detector === "seed-tool-guardrails" ? "this tool is refused, until a person has spoken" : "this call is refused, until something else has changed"}. ${advice(finding)}`,
  halt: (_, { denials }) =>
    `${denials > 0 ? `It was refused ${denials === 1 ? "once" : `${denials} times`} and made again. ` : ""}The run is ended here.`,
};

/** How far a limit was used, with both numbers. */
function spent(limit: LimitName, { used, of, isHard, isPriced, share }: Budget): string {
  const [what, amount, unit] = budgets[limit];
  if (!isPriced)
    return `The limit of ${amount(of)} for ${what.toLowerCase()} cannot be held: the price of this model is not known.`;
  if (limit === "context")
    return `${what} is at ${Math.floor(used)} %${share === undefined ? "" : ` (${thousands(share.tokens)}/${thousands(share.max)} tokens)`}.`;
  if (!isHard) return `${what} has used ${amount(used)}${unit}, and was to stay below ${amount(of)}.`;
  return `${what} has used ${amount(used)} of ${amount(of)}${unit}${of > 0 ? ` (${Math.floor((100 * used) / of)} %)` : ""}.`;
}

const budgets: Record<LimitName, readonly [what: string, amount: (used: number) => string, unit: string]> = {
  context: ["The context", thousands, " %"],
  "run-tokens": ["This run", thousands, " tokens"],
  "run-cost": ["This run", dollars, ""],
  "session-cost": ["This session", dollars, ""],
  "day-cost": ["This day", dollars, ""],
  "month-cost": ["This month", dollars, ""],
  time: ["This run", (ms) => thousands(ms / 1_000), " seconds"],
  turns: ["This run", thousands, " turns"],
};

function advice(finding: Finding): string {
  if (finding.closest !== undefined) return `The closest tool that exists is ${quoted(finding.closest)}.`;
  return advices[finding.advice];
}

const advices: Record<Advice, string> = {
  "change-approach": "Doing it again will not help: try another way, or say what is in the way.",
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
  "stop-repeating": "The rest is cut off: go on with what is new, or say that you are done.",
  act: "Make the call you announce, or say what the result is and stop.",
  empty: "Say what you have found, make the next call, or say that you are done.",
  retry: "The request is ended and made once more.",
  "tool-timeout": "Its own timeout will end it.",
  "next-step": "Take the next step, or ask for what you need.",
  "no-subagent": "Do the work here, or finish with what the others brought.",
  "other-task": "Another one will get stuck the same way: give it a smaller task, or do it here.",
  "no-price": "Give it a price, or set a limit of tokens, turns or time.",
  finish: "Finish with what you have, and say what is missing.",
};

function quoted(name: string): string {
  return `"${name}"`;
}

function plural(count: number, noun: string): string {
  return `${thousands(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function thousands(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

function dollars(nanoUsd: number): string {
  const usd = nanoUsd / 1e9;
  return usd >= 0.01 || usd === 0 ? `$${usd.toFixed(2)}` : usd >= 0.0001 ? `$${usd.toFixed(4)}` : "less than $0.0001";
}
