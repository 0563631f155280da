import { type Intervention, type LimitName, stopReasonOf, stopReasons } from "@sheepdog/guardian";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { AttachedGuardian, GuardianAct, RecordedRun } from "../../trajectory/recorded-run.ts";
import { listField, optional, statusField, textField, timeField } from "../fields.ts";
import { mainModel } from "../main-model.ts";
import { createPersonMessages } from "../person-messages.ts";
import type { LineResult } from "../reader.ts";
import { type CallResult, createStepList, type OpenCall } from "../step-list.ts";
import { interventionField } from "./intervention-field.ts";
import { createUsageDifferences } from "./usage-differences.ts";

/** Collects the lines about the main agent, or about one subagent. */
export interface HookedRun {
  setModel(model: string): void;
  add(line: JsonObject, number: number): LineResult;
  /** `parentEnd`: why the guardian ended the main agent, which ends its subagents. */
  recorded(parentEnd?: string): Pick<RecordedRun, "model" | "task" | "outcome" | "steps"> & {
    readonly guardian: Pick<AttachedGuardian, "acts" | "activity">;
  };
}

interface HookedCall {
  /** Its place in the sequence of calls. */
  readonly index: number;
  readonly step: OpenCall;
  /** The tool with the arguments: the same for equal calls. */
  readonly content: string;
  /** It has a result, or was refused. */
  isFinished: boolean;
}

/** Creates an empty run. */
export function createHookedRun(): HookedRun {
  const steps = createStepList();
  const prompts = createPersonMessages();
  const usage = createUsageDifferences();
  const acts: GuardianAct[] = [];
  /** The newest call of each id: some agents, and some servers of models, use an id again. */
  const calls = new Map<string, HookedCall>();
  const hookedCalls = new Map<OpenCall, HookedCall>();
  /** The newest result of equal calls. */
  const results = new Map<string, CallResult>();
  let callCount = 0;
  let lastCall: HookedCall | undefined;
  let model: string | undefined;
  let task: string | undefined;
  let isAnswered = false;
  /** Why the guardian has ended the work since the last prompt. Whatever the agent still does, that is its end. */
  let end: string | undefined;
  let lastEnd: string | undefined;
  let isStopped = false;
  let activity: AttachedGuardian["activity"] = "working";
  let lastQuestion: string | undefined;
  let isTurnOpen = false;
  let isAssigned = false;

  function beginStep(at: number | undefined, line: number, text?: string): void {
    if (!steps.isEmpty) usage.beginStep();
    steps.reply({
      ...optional("at", at),
      ...optional("model", model),
      ...optional("text", text),
      ...prompts.take(),
      ...(isAssigned ? { assigned: true as const } : {}),
      position: { line },
    });
    isAssigned = false;
    activity = "working";
    isAnswered = false;
  }

  function addPrompt({ text, origin }: JsonObject): LineResult {
    const words = textField(text);
    isTurnOpen = false; // what the agent does next is another reply
    activity = "working";
    isAnswered = false;
    if (origin === "person") {
      end = undefined;
      isStopped = false;
      prompts.add(words);
      task ??= words;
    }
    if (origin === "scheduled") isAssigned = true;
    return "read";
  }

  function addCall({ id, tool, args, at }: JsonObject, line: number): LineResult {
    const [callId, name] = [textField(id), textField(tool)];
    if (callId === undefined || name === undefined) return { malformed: "a call needs an id and the name of a tool" };
    const earlier = calls.get(callId);
    const content = `${name} ${JSON.stringify(args)}`;
    if (earlier?.content === content && !earlier.isFinished && isTurnOpen) return "read"; // the same call
    if (!isTurnOpen) beginStep(timeField(at), line);
    isTurnOpen = true;
    const step = steps.call({ id: callId, name, args, ...optional("at", timeField(at)), position: { line } });
    lastCall = { index: callCount++, step, content, isFinished: false };
    calls.set(callId, lastCall);
    hookedCalls.set(step, lastCall);
    return "read";
  }

  function addResult({ id, status, content, at }: JsonObject): LineResult {
    const callId = textField(id);
    const open = callId === undefined ? undefined : steps.openCall(callId);
    const call = open === undefined ? calls.get(callId ?? "") : hookedCalls.get(open);
    if (call === undefined) return { malformed: "a result needs the id of a call before it" };
    const refusal = acts.findIndex((act) => act.type === "refused" && act.beforeCall === call.index);
    if (refusal >= 0 && status === "denied") return "read"; // the agent reports what the guardian refused
    if (refusal >= 0) acts.splice(refusal, 1); // the agent made the call all the same
    const result: CallResult = {
      result: content,
      isError: status !== "ok",
      ...optional("status", statusField(status)),
    };
    call.isFinished = true;
    results.set(call.content, result);
    call.step.end({ ...result, ...optional("endedAt", timeField(at)) });
    return "read";
  }

  function addIntervention(line: JsonObject): LineResult {
    const intervention = interventionField(line["intervention"]);
    if (intervention === undefined)
      return { malformed: "an intervention needs an id, a detector, a level and a message" };
    const denied = intervention.denies === undefined ? undefined : calls.get(intervention.denies.callId)?.index;
    const { question: _, ...withoutQuestion } = intervention; // until the answer says that a person was asked
    acts.push({ type: "intervention", ...place(line, denied), intervention: withoutQuestion });
    lastQuestion = intervention.question ?? lastQuestion;
    if (intervention.isApplied && intervention.effect === "stop") {
      end = reasonOf(intervention);
      lastEnd = end;
    }
    return "read";
  }

  /** Its result is that of the equal call before it: the guardian counts a refused attempt as a repetition. */
  function refuseLastCall(line: JsonObject): void {
    if (lastCall === undefined) return;
    const message = lastMessage(acts) ?? "";
    const { index } = lastCall;
    const later = acts.findIndex(({ beforeCall }) => beforeCall > index); // such as the end that came with the refusal
    acts.splice(later < 0 ? acts.length : later, 0, { type: "refused", ...place(line, index), message });
    const denied: CallResult = { result: message, isError: true, status: "denied" };
    lastCall.isFinished = true;
    lastCall.step.end(results.get(lastCall.content) ?? denied);
  }

  function addAnswer(line: JsonObject): LineResult {
    const parts = listField(line["parts"]);
    if (parts.includes("deny")) refuseLastCall(line);
    if (parts.includes("ask")) markAsked();
    if (parts.includes("stop")) {
      activity = "idle";
      isStopped = true;
      end ??= lastEnd; // a limit that is still reached at the next prompt is not reported again
    }
    return "read";
  }

  /** The newest refusal was a question to a person. */
  function markAsked(): void {
    const index = acts.findLastIndex((act) => act.type === "intervention" && act.intervention.effect === "deny");
    const act = acts[index];
    if (act?.type !== "intervention") return;
    acts[index] = { ...act, intervention: { ...act.intervention, question: lastQuestion ?? act.intervention.message } };
  }

  function addReply({ text, at }: JsonObject, line: number): LineResult {
    beginStep(timeField(at), line, textField(text) ?? "");
    isTurnOpen = false;
    activity = "idle";
    isAnswered = true;
    return "read";
  }

  /** Before the first step it is left: the next totals contain it. */
  function addUsage(line: JsonObject): LineResult {
    model = textField(line["model"]) ?? model;
    if (!steps.isEmpty) steps.amend({ ...optional("model", model), usage: usage.add(line) });
    return "read";
  }

  /** Where an act belongs; by default after the calls that there are. */
  function place({ at }: JsonObject, call = callCount): Pick<GuardianAct, "at" | "beforeCall"> {
    return { ...optional("at", timeField(at)), beforeCall: call };
  }

  const handlers: Readonly<Record<string, (line: JsonObject, number: number) => LineResult>> = {
    prompt: addPrompt,
    call: addCall,
    result: addResult,
    "turn-end": () => {
      isTurnOpen = false;
      return "read";
    },
    reply: addReply,
    intervention: addIntervention,
    recovered: (line) => {
      const episode = textField(line["episode"]);
      if (episode !== undefined) acts.push({ type: "recovered", ...place(line), episode });
      return "read";
    },
    answer: addAnswer,
    usage: addUsage,
    end: () => {
      activity = "ended";
      return "read";
    },
    hook: () => "read",
    problem: () => "read",
  };

  return {
    setModel(name) {
      model = name;
    },
    add: (line, number) => handlers[String(line["type"])]?.(line, number) ?? { unknown: String(line["type"]) },
    recorded(parentEnd) {
      const recordedSteps = steps.steps();
      const outcome = end ?? (isStopped ? parentEnd : undefined) ?? (isAnswered ? "answered" : undefined);
      return {
        ...optional("model", mainModel(recordedSteps) ?? model),
        ...optional("task", task),
        ...optional("outcome", outcome),
        steps: recordedSteps,
        guardian: { acts, activity },
      };
    },
  };
}

/** Why the guardian ended what the agent was doing. */
function reasonOf({ detector }: Intervention): string {
  if (Object.hasOwn(stopReasons, detector)) return stopReasons[detector as LimitName]; // checked here
  return stopReasonOf(detector as Exclude<typeof detector, LimitName>); // the others are detectors
}

function lastMessage(acts: readonly GuardianAct[]): string | undefined {
  const last = acts.findLast((act) => act.type === "intervention" && act.intervention.effect === "deny");
  return last?.type === "intervention" ? last.intervention.message : undefined;
}
