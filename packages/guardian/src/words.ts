import type { LimitName } from "./policy/limit.ts";
import type { Level } from "./policy/rungs.ts";
import type { Advice, Budget, Finding } from "./state/finding.ts";
import type { Facts, Words } from "./state/intervention.ts";

/**
 * The default messages: facts first, then advice that fits the cause. All the guardian's sentences are in this file.
 */
export const plainWords: Words = (finding, level, facts) => {
  const known = level === "hint" ? fact(finding) : factWithCost(finding, facts);
  return `${known} ${consequence[level](finding, facts)}`.trim();
};

/** What a user is asked about in an attended run: the fact and its cost, without consequence and advice. */
export function factWithCost(finding: Finding, { costNanoUsd = 0 }: Pick<Facts, "costNanoUsd">): string {
  return `${fact(finding)}${costNanoUsd > 0 ? ` It has cost ${dollars(costNanoUsd)} so far.` : ""}`;
}

/** The answer to a refused call, in place of its result. */
export function refusal(message: string): string {
  return `Refused by the guardian, not run. ${message}`;
}

/** The answer to every call once the run has ended. */
export function ended(reason: string): string {
  return `The guardian has ended this run (${reason}).`;
}

function fact(finding: Finding): string {
  const tool = quoted(finding.tool);
  const times = Math.round(finding.count);
  const sameCall = finding.isExact ? "This exact call" : "Nearly the same call";
  const quote = quotation(finding.excerpt);
  switch (finding.detector) {
    case "side-effect-repeat":
      return `${sameCall} to ${tool} has succeeded ${times} times${quote}`;
    case "failing-call":
      return `${sameCall} to ${tool} has failed ${times} times with the same error${quote}`;
    case "cycle": {
      const calls = `The same ${finding.period ?? 2} calls`;
      return `${calls} have been made in turn ${times} times, each with the outcome it had before${quote}`;
    }
    case "doom-loop":
      return `${sameCall} to ${tool} has been made ${times} times with the same outcome${quote}`;
    case "failing-tool":
      return finding.advice === "unknown-tool"
        ? `${times} calls have been made to tools that do not exist, the last to ${tool}.`
        : `${tool} has failed ${times} times with the same error, whatever its arguments were${quote}`;
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
    case "monologue": {
      const content = finding.advice === "empty" ? "were empty" : "said much the same";
      return `${times} replies in a row ${content}, and nothing was done.`;
    }
    case "stall": {
      const seconds = Math.round(finding.silentSeconds ?? 0);
      return `Nothing has happened for ${seconds} seconds while waiting for ${finding.subject}.`;
    }
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
    case "seed-llm-rb": {
      const calls = `The last ${plural(finding.period ?? 1, "call")} ${finding.period === 1 ? "has" : "have"}`;
      return `${calls} been made ${finding.repetitions} times in turn.`;
    }
    case "seed-tool-guardrails":
      return `${tool} fails, or answers the same, again and again${quote}`;
    default:
      return spent(finding.detector, finding.budget ?? { used: 0, of: 0, isHard: true, isPriced: true });
  }
}

/** The end of a sentence: a full stop, or the quoted line of a result. */
function quotation(excerpt: string | undefined): string {
  if (excerpt === undefined) return ".";
  return `: ${JSON.stringify(excerpt)}${/[.!?…]$/.test(excerpt) ? "" : "."}`;
}

const consequence: Record<Level, (finding: Finding, facts: Facts) => string> = {
  hint: (finding) => adviceFor(finding),
  warn: (finding, { isFirst }) =>
    `${isFirst ? "" : "An earlier notice about this brought no change. "}${adviceFor(finding)}`,
  block: (finding) => `From now on ${refused(finding)}. ${adviceFor(finding)}`,
  halt: (_, { denials }) => `${refusedBefore(denials)}The run is ended here.`,
};

function refused({ detector }: Finding): string {
  return detector === "seed-tool-guardrails"
    ? "this tool is refused, until a person sends a message"
    : "this call is refused, until something else has changed";
}

function refusedBefore(denials: number): string {
  if (denials === 0) return "";
  return `It was refused ${denials === 1 ? "once" : `${denials} times`} and made again. `;
}

/** How far a limit was used, with both numbers. */
function spent(limit: LimitName, { used, of, isHard, isPriced, share }: Budget): string {
  const { subject, amount, unit } = budgets[limit];
  if (!isPriced) {
    const owner = subject.toLowerCase();
    return `The limit of ${amount(of)} for ${owner} cannot be held: the price of this model is not known.`;
  }
  if (limit === "context") {
    const tokens = share === undefined ? "" : ` (${thousands(share.tokens)}/${thousands(share.max)} tokens)`;
    return `${subject} is at ${Math.floor(used)} %${tokens}.`;
  }
  if (!isHard) return `${subject} has used ${amount(used)}${unit}, and was to stay below ${amount(of)}.`;
  const percent = of > 0 ? ` (${Math.floor((100 * used) / of)} %)` : "";
  return `${subject} has used ${amount(used)} of ${amount(of)}${unit}${percent}.`;
}

interface BudgetWords {
  readonly subject: string;
  readonly amount: (used: number) => string;
  readonly unit: string;
}

const budgets: Record<LimitName, BudgetWords> = {
  context: { subject: "The context", amount: thousands, unit: " %" },
  "run-tokens": { subject: "This run", amount: thousands, unit: " tokens" },
  "run-cost": { subject: "This run", amount: dollars, unit: "" },
  "session-cost": { subject: "This session", amount: dollars, unit: "" },
  "day-cost": { subject: "This day", amount: dollars, unit: "" },
  "month-cost": { subject: "This month", amount: dollars, unit: "" },
  time: { subject: "This run", amount: (ms) => thousands(ms / 1_000), unit: " seconds" },
  turns: { subject: "This run", amount: thousands, unit: " turns" },
};

function adviceFor({ closest, advice }: Finding): string {
  return closest === undefined ? advices[advice] : `The closest tool that exists is ${quoted(closest)}.`;
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
  "already-done": "It is done: continue with the next step, or say that the work is finished.",
  "already-known": "You already have this answer: use it, ask something different, or finish.",
  refused: "Find a way that is allowed, or say what you need.",
  "stop-repeating": "The rest is cut off: continue with what is new, or say that you are done.",
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
  if (usd >= 0.01 || usd === 0) return `$${usd.toFixed(2)}`;
  return usd >= 0.0001 ? `$${usd.toFixed(4)}` : "less than $0.0001";
}
