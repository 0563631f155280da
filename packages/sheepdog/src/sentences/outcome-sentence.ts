import { wholeDuration } from "@sheepdog/agent/timeline";
import type { LimitName } from "@sheepdog/guardian";
import type { Sentence } from "@sheepdog/web/contract";
import { clockText } from "../render/clock-text.ts";
import { counted } from "../render/terminal/amounts.ts";
import { nanoUsdText } from "./amount-text.ts";
import { callText, commandOf, pathOf } from "./call-text.ts";
import { firstSentence, firstSentenceText, isFiller } from "./first-sentence.ts";
import { loopPhrase } from "./loop-phrase.ts";
import type { OutcomeFacts } from "./outcome-facts.ts";
import { capitalized, code, say } from "./say.ts";

/** What came of a run, as one sentence without a full stop. All forms of it are in this file. */
export function outcomeSentence(facts: OutcomeFacts): Sentence {
  if (facts.kind === "recording") return recordingSentence(facts);
  switch (facts.state) {
    case "running":
    case "waiting_for_tool":
    case "waiting_for_input":
      return liveSentence(facts);
    case "broken_off":
      return say`Its process ended before it was done: ${facts.loop ? loopPhrase(facts.loop) : taskOf(facts)}`;
    case "completed":
      return completedSentence(facts);
    case "cancelled":
      return say`Stopped by you: ${taskOf(facts)}`;
    case "error":
    case "timed_out":
    case "max_steps":
    case "budget_exceeded":
      return endedSentence(facts);
    default:
      return facts.state satisfies never;
  }
}

/** Characters of the task and of the words in the sentence about a live run. */
const MAX_LIVE_CHARS = 70;

/** What a live run does now: "Running `npm test`". The agent's last words while it thinks; undefined without any. */
export function doingSentence({ doing, lastWords }: Pick<OutcomeFacts, "doing" | "lastWords">): Sentence | undefined {
  if (doing.type === "retry") return say`Waiting for the model, ${firstSentence(doing.problem)}`;
  if (doing.type === "thinking") return isTelling(lastWords) ? firstSentence(lastWords, MAX_LIVE_CHARS) : undefined;
  const more = doing.others === 0 ? "" : ` and ${counted(doing.others, "more call")}`;
  return say`${actionOf(doing.call)}${more}`;
}

/** What the run is about, and what it does now. */
function liveSentence(facts: OutcomeFacts): Sentence {
  const { waiting, loop, limit, prompt } = facts;
  if (waiting?.for === "question") {
    if (limit !== undefined) return say`Waiting for you: it reached ${limitText(limit)}`;
    return loop === undefined ? say`Waiting for you: ${taskOf(facts)}` : say`Waiting for you: ${loopPhrase(loop)}`;
  }
  if (waiting?.for === "approval") return say`Waiting for approval: ${code(callText(waiting.call))}`;
  if (waiting?.for === "reply") return say`Waiting for your reply: ${firstSentence(waiting.question)}`;
  const doing = doingSentence(facts);
  if (doing === undefined) return say`Working on: ${taskOf(facts)}`;
  const task = firstSentence(prompt, MAX_LIVE_CHARS);
  return task.length === 0 ? doing : say`${task}: ${lowerFirst(doing)}`;
}

/** "Running `npm test`", "Reading `a.ts`". */
function actionOf(call: { readonly tool: string; readonly input: unknown }): Sentence {
  const path = pathOf(call.input);
  if (commandOf(call.input) !== undefined) return say`Running ${code(callText(call))}`;
  if (path === undefined) return say`Calling ${code(callText(call))}`;
  if (/edit|patch|replace/i.test(call.tool)) return say`Editing ${code(path)}`;
  if (/write|create/i.test(call.tool)) return say`Writing ${code(path)}`;
  return /read|view|open/i.test(call.tool) ? say`Reading ${code(path)}` : say`Calling ${code(callText(call))}`;
}

function completedSentence(facts: OutcomeFacts): Sentence {
  const { prompt, text, refused } = facts;
  const answer = firstSentence(text);
  const question = firstSentenceText(prompt);
  if (question.endsWith("?")) return say`Answered: ${lowerFirst(firstSentence(prompt))}`;
  if (isFiller(text)) return say`Done: ${firstSentence(prompt)}`;
  if (refused === 0) return answer;
  return say`${answer}; ${refused === 1 ? "one repeated call was" : `${refused} repeated calls were`} refused`;
}

function endedSentence(facts: OutcomeFacts): Sentence {
  const { reason, problem, limit, model, loop, endedAt, isStoppedByAnswer, text } = facts;
  const why = problem ?? text;
  if (limit !== undefined && !isStoppedByAnswer) {
    if (limit.isUnpriced)
      return say`Ended because the price of ${code(model ?? "its model")} is unknown, so its limit cannot be checked`;
    return say`Ended at ${limitText(limit)}: ${progressOf(facts)}`;
  }
  if (isStoppedByAnswer) return say`Stopped by you: ${loop === undefined ? progressOf(facts) : loopPhrase(loop)}`;
  switch (reason) {
    case "goal_escalated":
      return say`Needs your help to reach its goal: ${firstSentence(why)}`;
    case "prompt_too_long":
      return say`Ended because the prompt does not fit into the context of ${code(model ?? "its model")}`;
    case "provider_error":
      return say`Ended because the request to the model failed: ${firstSentence(why)}`;
    case "refused":
      return say`Ended because the model refused: ${firstSentence(why)}`;
    case "broken_off":
      return say`Its process ended before it was done: ${progressOf(facts)}`;
    case "internal_error":
      return say`Ended by an internal error: ${firstSentence(why)}`;
    default: {
      const when = endedAt === undefined ? "" : ` at ${clockText(endedAt)}`;
      if (loop === undefined) return say`The guardian ended the run${when}: ${firstSentence(why)}`;
      return capitalized(say`${loopPhrase(loop)}; the guardian ended the run${when}`);
    }
  }
}

function recordingSentence(facts: OutcomeFacts): Sentence {
  const { loop, lastWords, text } = facts;
  if (loop !== undefined) {
    const end = text === "" || facts.state !== "completed" ? "" : ", then it finished";
    return say`Recording: ${loopPhrase(loop)}${end}`;
  }
  const last = lastWords === undefined ? [] : firstSentence(lastWords);
  return say`Recording: ${last.length === 0 || facts.prompt !== "" ? taskOf(facts) : last}`;
}

/** How far the run came: the last words of the agent, else the prompt. */
function progressOf(facts: OutcomeFacts): Sentence {
  return isTelling(facts.lastWords) ? firstSentence(facts.lastWords, 90) : taskOf(facts);
}

/** Fewer characters without a number say nothing on their own, as in "I try again". */
const MIN_TELLING_CHARS = 16;

function isTelling(words: string | undefined): words is string {
  const sentence = firstSentenceText(words ?? "");
  return sentence.length >= MIN_TELLING_CHARS || /\d/.test(sentence);
}

/** What the run was asked to do. */
function taskOf({ prompt }: OutcomeFacts): Sentence {
  const task = firstSentence(prompt, 90);
  return task.length === 0 ? say`nothing was said` : task;
}

/** "its limit of $2.00", "its limit of 50 turns". */
function limitText({ name, stop }: Pick<NonNullable<OutcomeFacts["limit"]>, "name" | "stop">): string {
  const owners: Readonly<Record<LimitName, string>> = {
    "run-cost": "its limit",
    "run-tokens": "its limit",
    turns: "its limit",
    time: "its time limit",
    context: "its context limit",
    "session-cost": "its session's limit",
    "day-cost": "the day's limit",
    "month-cost": "the month's limit",
  };
  return stop === undefined ? owners[name] : `${owners[name]} of ${limitAmount(name, stop)}`;
}

/** An amount of a limit with its unit. */
export function limitAmount(name: LimitName, amount: number): string {
  if (name === "turns") return counted(amount, "turn");
  if (name === "run-tokens") return counted(amount, "token");
  if (name === "time") return wholeDuration(Math.round(amount / 1_000));
  return name === "context" ? `${Math.round(amount)} %` : nanoUsdText(amount);
}

function lowerFirst(sentence: Sentence): Sentence {
  const [first, ...rest] = sentence;
  if (first === undefined || !("text" in first) || /^(?:I\b|\p{Lu}{2})/u.test(first.text)) return sentence;
  return [{ text: first.text.slice(0, 1).toLowerCase() + first.text.slice(1) }, ...rest];
}
