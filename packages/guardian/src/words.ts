import type { LimitName } from "./policy/limit.ts";
import type { Level } from "./policy/rungs.ts";
import type { Advice, Budget, Finding } from "./state/finding.ts";
import type { Facts, Words } from "./state/intervention.ts";

/**
 * The default messages: facts first, then advice that fits the cause. All the guardian's sentences are in this file.
 */
export const plainWords: Words = (finding, level, facts) => {
  const known = level === "hint" ? factOf(finding) : factWithCost(finding, facts);
  return `${known} ${consequence[level](finding, facts)} ${opinion(facts)}`.trim();
};

/** For a program whose work nobody but a person at its screen can end: a run that has to end gets no further call. */
export const refusingWords: Words = (finding, level, facts) =>
  level === "halt"
    ? `${factWithCost(finding, facts)} ${refusedBefore(facts.denials)}From now on all calls are refused.`
    : plainWords(finding, level, facts);

/** The sentence about a second opinion. Its advice is a model's, so it is quoted. */
function opinion({ secondOpinion }: Facts): string {
  return secondOpinion === undefined ? "" : `A second opinion on these calls${quotation(secondOpinion)}`;
}

/** What is said when a second opinion finds the agent stuck after it was told. */
export function confirmation(advice: string): string {
  return `A second opinion on the newest calls agrees that they lead nowhere${quotation(advice)}`;
}

/** What a user is asked about in an attended run: the fact and its cost, without consequence and advice. */
export function factWithCost(finding: Finding, { costNanoUsd = 0 }: Pick<Facts, "costNanoUsd">): string {
  return `${factOf(finding)}${costNanoUsd > 0 ? ` It has cost ${dollars(costNanoUsd)} so far.` : ""}`;
}

/** The answer to a refused call, in place of its result. */
export function refusal(message: string): string {
  return `Refused by the guardian, not run. ${message}`;
}

/** The answer to a call that is nearly the same as a refused one. */
export function similarRefusal(message: string): string {
  return `${refusal(message)} From now on ${similarRefused}.`;
}

/** The answer to every call once the run has ended. */
export function ended(reason: string): string {
  return `The guardian has ended this run (${reason}).`;
}

/** What was noticed. */
export function factOf(finding: Finding): string {
  const tool = quoted(finding.tool);
  const times = finding.times ?? Math.round(finding.count);
  const quote = quotation(finding.excerpt);
  switch (finding.detector) {
    case "side-effect-repeat":
      return `${sameCalls(finding)} succeeded ${times} times${quote}`;
    case "failing-call":
      return `${sameCalls(finding)} failed ${times} times with the same error${quote}`;
    case "cycle": {
      const calls = `The same ${finding.period ?? 2} calls`;
      return `${calls} have been made in turn ${times} times, each with the outcome it had before${quote}`;
    }
    case "doom-loop":
      return `${sameCalls(finding)} been made ${times} times with the same outcome${quote}`;
    case "failing-tool":
      return finding.advice === "unknown-tool"
        ? `${times} calls have been made to tools that do not exist, the last to ${tool}.`
        : `${toolsHave(finding)} failed ${times} times with the same error, whatever the arguments were${quote}`;
    case "no-progress":
      return `${times} calls to ${toolNames(finding)} brought nothing new.${newest("The newest result", finding)}`;
    case "same-call":
      return `${tool} has been called ${times} times in the same way.`;
    case "failing-run": {
      const calls = `${times} calls to ${toolNames(finding)} have failed`;
      return `${calls}, and no call in between brought anything new.${newest(`The newest error, of ${tool}`, finding)}`;
    }
    case "denial":
      return `${toolsHave(finding)} been refused ${times} times${quote}`;
    case "chant":
      return `The reply repeats the same ${plural(finding.period ?? 1, "character")} over and over.`;
    case "refused-answers": {
      if (finding.repetitions === 0) return `The judge refused or could not judge ${times} answers in a row.`;
      const isSameHint = finding.repetitions === times;
      return `The judge has refused ${times} answers in a row${isSameHint ? ", each with much the same hint" : ""}.`;
    }
    case "monologue": {
      const content = finding.advice === "empty" ? "were empty" : "said much the same";
      return `${times} replies in a row ${content}, and nothing was done.`;
    }
    case "stall":
      return stalled(finding);
    case "spawn":
      return `No further subagent may start: ${finding.subject}.`;
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
      return `${tool} keeps failing, or keeps giving the same answer${quote}`;
    default:
      return spent(finding.detector, finding.budget ?? { used: 0, of: 0, isHard: true, isPriced: true });
  }
}

function stalled({ advice, tool, subject, silentSeconds = 0 }: Finding): string {
  const seconds = `${thousands(silentSeconds)} seconds`;
  if (advice === "slow-tool") return `A call to ${quoted(tool)} took ${seconds}.`;
  if (advice === "long-reply") return `The reply has been streaming for ${seconds} without ending or making a call.`;
  if (advice === "stop-thinking") return `The model has been thinking for ${seconds} without acting.`;
  return `Nothing has happened for ${seconds} while waiting for ${subject}.`;
}

/** The subject of a sentence about one call in one or several versions, or about calls to several tools. */
function sameCalls(finding: Finding): string {
  if (hasSeveralTools(finding)) return `Similar calls to ${toolNames(finding)} have`;
  return `${finding.isExact ? "This exact call" : "Nearly the same call"} to ${quoted(finding.tool)} has`;
}

function toolsHave(finding: Finding): string {
  if (!hasSeveralTools(finding)) return `${quoted(finding.tool)} has`;
  return `${finding.tools === undefined ? "Calls to " : ""}${toolNames(finding)} have`;
}

function hasSeveralTools({ tools, toolCount = 1 }: Finding): boolean {
  return tools !== undefined || toolCount > 1;
}

/** `"a"`, `"a" and "b"`, `"a", "b" and "c"`, `"a", "b" and 2 other tools`; `3 tools` when names are not stored. */
function toolNames({ tool, tools, toolCount = 1 }: Finding): string {
  if (tools === undefined) return toolCount > 1 ? `${toolCount} tools` : quoted(tool);
  const names = tools.length > MAX_NAMES ? tools.slice(0, MAX_NAMES - 1) : tools;
  const others = tools.length - names.length;
  const items = [...names.map(quoted), ...(others > 0 ? [`${others} other tools`] : [])];
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

const MAX_NAMES = 3;

/** The end of a sentence: a full stop, or the quoted line of a result. */
function quotation(excerpt: string | undefined): string {
  if (excerpt === undefined) return ".";
  return `: ${JSON.stringify(excerpt)}${/[.!?…]$/.test(excerpt) ? "" : "."}`;
}

/** A sentence of its own with the quoted line, if there is one. */
function newest(subject: string, { excerpt }: Finding): string {
  return excerpt === undefined ? "" : ` ${subject}${quotation(excerpt)}`;
}

const consequence: Record<Level, (finding: Finding, facts: Facts) => string> = {
  hint: (finding) => adviceFor(finding),
  warn: (finding, { isFirst }) =>
    `${isFirst ? "" : "An earlier notice about this brought no change. "}${adviceFor(finding)}`,
  block: (finding) => `From now on ${refused(finding)} ${adviceFor(finding)}`,
  halt: (_, { denials }) => `${refusedBefore(denials)}The run is ended here.`,
};

/** What is refused, and until when. */
function refused({ detector, similarCalls, period = 2 }: Finding): string {
  if (detector === "seed-tool-guardrails") return "this tool is refused until a person sends a message.";
  const until = "refused in every spelling until other calls have made progress";
  if (detector === "cycle") return `${period > 4 ? "the last 4 of these" : "these"} calls are ${until}.`;
  const similar = similarCalls === undefined ? "" : `, and ${similarRefused}`;
  return `this call is ${until}${similar}.`;
}

const similarRefused = "calls with nearly the same arguments are refused until another call has succeeded";

function refusedBefore(denials: number): string {
  if (denials === 0) return "";
  return `It was refused ${denials === 1 ? "once" : `${denials} times`} and made again. `;
}

/** How far a limit was used, with both numbers. */
function spent(limit: LimitName, { used, reserved, needed, of, isHard, isPriced, share }: Budget): string {
  const { subject, owner, amount, unit } = budgets[limit];
  if (!isPriced) return `The limit of ${amount(of)} for ${owner} cannot be held: the price of this model is not known.`;
  if (limit === "context") {
    const tokens = share === undefined ? "" : ` (${thousands(share.tokens)}/${thousands(share.max)} tokens)`;
    return `${subject} is at ${Math.floor(used)} %${tokens}.`;
  }
  if (!isHard) return `${subject} used ${amount(used)}${unit}. A warning was set at ${amount(of)}${unit}.`;
  if (used < of && (reserved ?? needed) !== undefined) {
    const held = reserved === undefined ? "" : ` Other requests have reserved ${amount(reserved)} more.`;
    const next =
      needed === undefined ? "" : ` The next request is estimated at ${amount(needed)}${unit}, so it was not sent.`;
    return `${subject} used ${distinct(used, of, amount)} of ${amount(of)}${unit}.${held}${next}`;
  }
  const percent = of > 0 ? ` (${Math.floor((100 * used) / of)} %)` : "";
  return `${subject} used ${distinct(used, of, amount)} of ${amount(of)}${unit}${percent}.`;
}

/** An amount of money with as many digits as it needs to differ from another one. */
function distinct(nanoUsd: number, other: number, amount: (used: number) => string): string {
  const text = amount(nanoUsd);
  if (nanoUsd === other || amount !== dollars || text !== amount(other)) return text;
  const digits = [3, 4].find((count) => (nanoUsd / 1e9).toFixed(count) !== (other / 1e9).toFixed(count));
  return digits === undefined ? text : `$${(nanoUsd / 1e9).toFixed(digits)}`;
}

interface BudgetWords {
  /** The subject of a sentence, with its verb where it needs one. */
  readonly subject: string;
  /** The subject after "the limit for". */
  readonly owner: string;
  readonly amount: (used: number) => string;
  readonly unit: string;
}

const ofRun = { subject: "This run has", owner: "this run" };

const budgets: Record<LimitName, BudgetWords> = {
  context: { subject: "The context", owner: "the context", amount: thousands, unit: " %" },
  "run-tokens": { ...ofRun, amount: thousands, unit: " tokens" },
  "run-cost": { ...ofRun, amount: dollars, unit: "" },
  "session-cost": { subject: "This session has", owner: "this session", amount: dollars, unit: "" },
  "day-cost": { subject: "The runs of today have", owner: "today", amount: dollars, unit: "" },
  "month-cost": { subject: "The runs of this month have", owner: "this month", amount: dollars, unit: "" },
  time: { ...ofRun, amount: (ms) => thousands(ms / 1_000), unit: " seconds" },
  turns: { ...ofRun, amount: thousands, unit: " turns" },
};

function adviceFor({ closest, advice }: Finding): string {
  return closest === undefined ? advices[advice] : `The closest tool that exists is ${quoted(closest)}.`;
}

const advices: Record<Advice, string> = {
  "change-approach": "Repeating it will not help. Try something else, or say what stops you.",
  "read-error": "The same call will fail again. Read the error and change what causes it, or try something else.",
  "unknown-tool": "Use one of the tools you were given.",
  "invalid-arguments": "Check the arguments the tool takes.",
  "edit-mismatch": "Read the file again before you edit it: its text is not what you expect.",
  authentication: "It needs other credentials. Stop and ask for access.",
  "rate-limit": "Wait before trying again, and make fewer calls.",
  timeout: "Give it less to do at once, or start it in the background.",
  poll: "Wait once for as long as it takes, instead of asking again and again.",
  "already-done": "It is done: continue with the next step, or say that the work is finished.",
  "already-known": "You already have this answer: use it, ask something different, or finish.",
  refused: "Find a way that is allowed, or say what you need.",
  "stop-repeating": "The rest is cut off: continue with what is new, or say that you are done.",
  act: "Make the call you announce, or say what the result is and stop.",
  "say-what-is-missing": "Say what is missing and do something different, or say that it cannot be done and why.",
  empty: "Say what you have found, make the next call, or say that you are done.",
  retry: "The request is cancelled and sent once more.",
  "tool-timeout": "Its own timeout will end it.",
  "slow-tool": "If that is longer than you expected, give it less to do at once, or start it in the background.",
  "long-reply": "If you do not need such a long answer, stop the run.",
  "stop-thinking": "The request is cancelled and sent once more. Take the next step, or ask the user if you are stuck.",
  "next-step": "Take the next step, or ask for what you need.",
  "no-subagent": "Do the work yourself, or finish with the results you have.",
  "other-task": "Another one will get stuck the same way. Give it a smaller task, or do the work yourself.",
  "no-price": "Set a price for the model, or a limit of tokens, turns or time.",
  "compaction-soon":
    "Context compaction will begin soon: older messages will be shortened. Continue, and note what you still need.",
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
