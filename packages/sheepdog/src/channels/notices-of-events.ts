import type { AgentEvent, AgentEventType, RunResult } from "@sheepdog/agent";
import { type Intervention, type LimitName, limitNames, stopReasons } from "@sheepdog/guardian";
import type { NoticeKind } from "../config/channel-keys.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { isLimit } from "../render/timeline/is-limit.ts";
import { firstSentenceText } from "../sentences/first-sentence.ts";
import { isShellCall, questionText } from "../sentences/question-text.ts";
import { shortened, wholeCharacters } from "../sentences/shortened.ts";
import { endSentence } from "./end-sentence.ts";
import type { Notice, NoticeRun, Topic } from "./notice.ts";

/** The events that notices are made of. */
export const noticedEvents: readonly AgentEventType[] = [
  "ApprovalRequested",
  "QuestionAsked",
  "ToolStart",
  "GuardianHint",
  "GuardianIntervention",
  "BudgetWarning",
  "BudgetExceeded",
  "RunComplete",
  "RunError",
];

/** What is known about a run besides its events. */
export interface NoticeFacts {
  readonly run: NoticeRun;
  /** What the run was asked to do, as a whole. */
  readonly prompt: string;
  readonly costNanoUsd: number | null | undefined;
  /** The amounts at which limits end the run, each in its own unit. */
  readonly limits: Readonly<Partial<Record<LimitName, { readonly stop?: number | undefined }>>>;
  /** The command that shows the run. */
  readonly showCommand: string;
  /** The command that resumes the run; undefined if it cannot be resumed. */
  resumeCommand(ended: Pick<RunResult, "sessionId" | "reason"> & Partial<RunResult>): string | undefined;
}

const maxSentence = 300;
const maxCode = 500;

/** What people are told about an event; undefined for most events. `id` becomes the id of the notice. */
export function noticeOfEvent(event: AgentEvent, facts: NoticeFacts, id: string): Notice | undefined {
  const notice = (kind: NoticeKind, sentence: string, more: Partial<Notice> = {}): Notice => ({
    id,
    kind,
    at: event.at,
    run: facts.run,
    sentence,
    details: [],
    ...(facts.costNanoUsd === undefined ? {} : { costNanoUsd: facts.costNanoUsd }),
    ...more,
  });
  const isOwn = event.runId === facts.run.runId;
  switch (event.type) {
    case "ApprovalRequested":
      return notice(
        "approval",
        `The agent wants to ${isShellCall(event) ? "run a command" : `use ${plainText(event.tool)}`}.`,
        {
          code: withoutMiddle(questionText(event), maxCode),
          details: [shortText(event.reason)],
          topic: { type: "approval", callId: event.callId },
          ...answerBy(event),
        },
      );
    case "QuestionAsked":
      return notice("question", shortText(event.question.text), {
        topic: { type: "question", questionId: event.question.id },
        costNanoUsd: event.question.costNanoUsd,
        ...answerBy(event),
      });
    case "ToolStart":
      if (event.tool !== "ask_user") return undefined;
      return notice("question", `The agent asks: ${shortText(textOf(event.input, "question"))}`, {
        topic: { type: "reply", callId: event.callId, choices: choicesOf(event.input) },
        ...answerBy(event),
      });
    case "GuardianHint":
      if (isLimit(event.intervention.detector)) return undefined; // the event about the budget says it
      return notice("hint", guardianSentence(event.intervention.message), { topic: { type: "run" } });
    case "GuardianIntervention": {
      const { effect, isApplied, detector, message } = event.intervention;
      if (!isOwn || effect !== "stop" || !isApplied || isLimit(detector)) return undefined;
      return notice("halt", `The guardian ended the run: ${guardianSentence(message)}`, resumable(event, facts));
    }
    case "BudgetWarning":
      return notice("budget", guardianSentence(event.intervention.message), {
        topic: limitTopic(event.intervention.detector, facts),
      });
    case "BudgetExceeded":
      if (!isOwn) return undefined;
      return notice("budget", guardianSentence(event.intervention.message), resumable(event, facts));
    case "RunComplete":
    case "RunError":
      return isOwn ? endNotice(event.result, { event, facts, notice }) : undefined;
    default:
      return undefined;
  }
}

type Build = (kind: NoticeKind, sentence: string, more?: Partial<Notice>) => Notice;

function endNotice(
  result: RunResult,
  { event, facts, notice }: { readonly event: AgentEvent; readonly facts: NoticeFacts; readonly notice: Build },
): Notice {
  const { costNanoUsd, costWithSubagentsNanoUsd = costNanoUsd, state } = result;
  const resume = state === "completed" ? undefined : facts.resumeCommand(result);
  return notice("end", endSentence(result, { prompt: facts.prompt, endedAt: event.at }), {
    costNanoUsd: costWithSubagentsNanoUsd,
    command: resume ?? facts.showCommand,
  });
}

type Stop = Pick<AgentEvent, "sessionId"> & { readonly intervention: Intervention };

/** The run has no result yet: its reason is what the intervention will make of it. */
function resumable({ sessionId, intervention }: Stop, facts: NoticeFacts): Partial<Notice> {
  const limit = limitNames.find((name) => name === intervention.detector);
  const reason = limit === undefined ? "doom_loop" : stopReasons[limit]; // other detectors raise no limit
  const command = facts.resumeCommand({ sessionId, reason, interventions: [intervention] });
  return command === undefined ? {} : { command };
}

/** Limits of one run. Those of a session, a day or a month are shared, and only changed on the machine. */
const raisable: readonly LimitName[] = ["run-cost", "run-tokens", "turns", "time"];

function limitTopic(detector: string, { limits }: NoticeFacts): Topic {
  const name = limitNames.find((limit) => limit === detector && raisable.includes(limit));
  const more = name === undefined ? undefined : limits[name]?.stop;
  return name === undefined || !more ? { type: "run" } : { type: "run", limit: { name, more } };
}

function answerBy({ answerBy: at }: { readonly answerBy?: number }): Partial<Notice> {
  return at === undefined ? {} : { answerBy: at };
}

/** People decide about it: the end is shown too, and how much is not. */
function withoutMiddle(text: string, max: number): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const code = lines.join("\n");
  if (code.length <= max) return code;
  const note = (hidden: number) => `\n… ${hidden} characters are not shown …\n`;
  const half = Math.floor((max - note(code.length).length) / 2);
  const [head, tail] = [wholeCharacters(code.slice(0, half)), wholeCharacters(code.slice(-half))];
  return `${head}${note(code.length - head.length - tail.length)}${tail}`;
}

function guardianSentence(message: string): string {
  return `${firstSentenceText(message, maxSentence)}.`;
}

function shortText(text: string): string {
  return shortened(plainText(text), maxSentence);
}

function textOf(input: unknown, name: string): string {
  if (typeof input !== "object" || input === null) return "";
  const value = (input as Readonly<Record<string, unknown>>)[name]; // its type is checked
  return typeof value === "string" ? value : "";
}

function choicesOf(input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null || !("choices" in input) || !Array.isArray(input.choices)) return [];
  return input.choices.filter((choice) => typeof choice === "string");
}
