import type { InterventionView } from "../../../contract/index.ts";
import { counted, usd } from "../../../format/amounts.ts";
import type { IconName } from "../../../parts/icon.tsx";
import type { Step } from "./story-steps.ts";

/** A step of the guardian or the user in words. */
export interface StepText {
  readonly icon: IconName;
  /** The class that colours it; undefined for steps of the user. */
  readonly level: string | undefined;
  readonly title: string;
  readonly detail: string;
}

const did = { hint: "Hinted", warn: "Warned", block: "Refused the call", halt: "Ended the run" } as const;
const would = {
  hint: "Would have hinted",
  warn: "Would have warned",
  block: "Would have refused the call",
  halt: "Would have ended the run",
} as const;

/** What the guardian did, in words: "Warned", "Would have ended the run". */
export function levelWords(level: keyof typeof did, isApplied: boolean, isAsked = false): string {
  if (isAsked) return "Asked you";
  return isApplied ? did[level] : would[level];
}

/** Whether the user was asked instead: the question is open, or the user answered it. */
export function isAskedIn({ question, answer }: Pick<InterventionView, "question" | "answer">): boolean {
  return answer === null ? question !== null : answer.answer !== "none";
}

/** The words of a step. `view`: what the API knows about an intervention. */
export function stepText(step: Step, view: InterventionView | undefined): StepText {
  switch (step.type) {
    case "guardian": {
      const { level, isApplied, count, times = Math.round(count), detector } = step.intervention;
      if (view?.isLimit === true) return { icon: "limit", level: undefined, ...limitWords(view) };
      const isAsked = view !== undefined && isAskedIn(view);
      if (step.intervention.id.endsWith("/opinion"))
        return {
          icon: level,
          level,
          title: "Sent the second opinion.",
          detail: view === undefined ? "" : outcomeWords(view),
        };
      const at = times > 1 ? ` at the ${ordinal(times)}` : "";
      return {
        icon: level,
        level,
        title: `${levelWords(level, isApplied, isAsked)}${at}.`,
        detail: view === undefined ? detector : outcomeWords(view),
      };
    }
    case "recovered":
      return { icon: "recovered", level: "recovered", title: "Recovered.", detail: "" };
    case "answer":
      return { icon: "person", level: undefined, title: answerWords(step.answer), detail: step.text ?? "" };
    case "muted":
      return { icon: "mute", level: undefined, title: step.text, detail: "" };
    case "opinion": {
      const { verdict, model, costNanoUsd, skipped, problem } = step.opinion;
      const price = costNanoUsd === undefined || costNanoUsd === null ? [] : [usd(costNanoUsd / 1e9)];
      const about = [...(model === undefined ? [] : [model]), ...price].join(", ");
      return {
        icon: "eye",
        level: undefined,
        title: `Second opinion: ${verdict}.`,
        detail: skipped ?? problem ?? about,
      };
    }
    default:
      return step satisfies never;
  }
}

/** What came of an intervention, in a few words. */
function outcomeWords({ answer, isApplied, followed, isRecovered }: InterventionView): string {
  if (answer !== null && answer.answer !== "none")
    return { stop: "You stopped it.", continue: "You let it continue.", tell: "You told it something." }[answer.answer];
  if (!isApplied) return "The guardian only watched.";
  if (followed === true) return isRecovered ? "Followed; it recovered." : "Followed.";
  return followed === false ? "Not followed." : "";
}

function limitWords({ message }: InterventionView): Pick<StepText, "title" | "detail"> {
  const [first = message, ...rest] = message.split(/(?<=\.)\s/);
  return { title: `Limit: ${first}`, detail: rest.join(" ") };
}

function answerWords(answer: "stop" | "continue" | "tell" | "none"): string {
  return {
    stop: "You stopped it.",
    continue: "You let it continue.",
    tell: "You told it something.",
    none: "There was no answer.",
  }[answer];
}

/** "1st", "2nd", "3rd", "4th", "11th", "212th". */
export function ordinal(count: number): string {
  const tens = count % 100;
  const suffix = tens >= 11 && tens <= 13 ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[count % 10] ?? "th");
  return `${count.toLocaleString("en-US")}${suffix}`;
}

/** The turns of some calls: "turn 4", "turns 38–461". */
export function turnRange(first: number, last: number): string {
  return first === last ? `turn ${first}` : `turns ${first}–${last}`;
}

/** What a group of looks did: "8 files read, 1 command". */
export function lookWords(kinds: readonly string[]): string {
  const reads = kinds.filter((kind) => kind === "read").length;
  const commands = kinds.length - reads;
  return [
    ...(reads > 0 ? [`${counted(reads, "file")} read`] : []),
    ...(commands > 0 ? [counted(commands, "command")] : []),
  ].join(", ");
}
