import { type Verdict, verdicts } from "@sheepdog/guardian";
import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedOpinion, RecordedRun } from "../../trajectory/recorded-run.ts";
import { listField, objectField, optional, statusField, textField, timeField } from "../fields.ts";
import { createPersonMessages } from "../person-messages.ts";
import type { LineResult } from "../reader.ts";
import { createStepList, type OpenCall } from "../step-list.ts";
import { createTurnUsage } from "./turn-usage.ts";

/** Collects the events of one run. */
export interface LoggedRun {
  add(event: JsonObject, line: number): LineResult;
  /** The sessions of its subagents. */
  children(): readonly string[];
  /** undefined without a turn. `parents` has the run that started each session. */
  recorded(parents: ReadonlyMap<string, string>): RecordedRun | undefined;
}

/** The provider of the demo, for which nothing is paid. */
const demoProvider = "sheepdog";

/** The same text for equal calls. */
function contentOf({ tool, input }: JsonObject): string {
  return `${String(tool)} ${JSON.stringify(input)}`;
}

/** Creates an empty run. */
export function createLoggedRun(runId: string): LoggedRun {
  const steps = createStepList();
  const usage = createTurnUsage(runId);
  const children: string[] = [];
  /** What each call does. */
  const contents = new Map<OpenCall, string>();
  /** The calls of each id that no end of a turn has listed. */
  const unlisted = new Map<string, number>();
  const opinions: RecordedOpinion[] = [];
  /** The results of equal calls, for calls that the guardian refused. */
  const results = new Map<string, { readonly result: unknown; readonly isError: boolean }>();
  let start: JsonObject = {};
  let end: JsonObject = {};
  let sessionId: string | undefined;
  const prompts = createPersonMessages();
  let hasText = false;

  function beginTurn({ turn, at }: JsonObject, line: number): void {
    usage.begin(turn);
    hasText = false;
    steps.reply({
      ...optional("at", timeField(at)),
      ...prompts.take(),
      ...(opinions.length === 0 ? {} : { opinions: opinions.splice(0) }),
      position: { line },
    });
  }

  function addCall({ callId, tool, input, at }: JsonObject, line: number): OpenCall | undefined {
    const [id, name] = [textField(callId), textField(tool)];
    if (id === undefined || name === undefined) return undefined;
    const call = steps.call({ id, name, args: input, ...optional("at", timeField(at)), position: { line } });
    contents.set(call, contentOf({ tool, input }));
    unlisted.set(id, (unlisted.get(id) ?? 0) + 1);
    return call;
  }

  function endCall(event: JsonObject, line: number): void {
    const { callId, tool, content, status } = event;
    const call = steps.openCall(textField(callId), textField(tool)) ?? addCall(event, line);
    if (call === undefined) return;
    const answer = { result: content, isError: status !== "ok" };
    results.set(contents.get(call) ?? "", answer);
    call.end({ ...answer, ...optional("status", statusField(status)), ...optional("endedAt", timeField(event["at"])) });
  }

  /** The guardian counts a refused attempt as a repetition: its result is that of the equal call before it. */
  function refuseCall(event: JsonObject, line: number): void {
    const { by, message, callId, tool } = event;
    const started = steps.openCall(textField(callId), textField(tool));
    const isStarted = started !== undefined && contents.get(started) === contentOf(event);
    const call = isStarted ? started : addCall(event, line);
    const equal = by === "guardian" && call !== undefined ? results.get(contents.get(call) ?? "") : undefined;
    call?.end(equal ?? { result: message, isError: true, status: "denied" });
  }

  /** What a log without the events of calls says of them. */
  function endTurn({ reply }: JsonObject, line: number): void {
    const { text, calls: logged } = objectField(reply);
    if (!hasText && typeof text === "string") steps.amend({ text });
    hasText = true;
    for (const each of listField(logged).map(objectField)) {
      const id = String(each["callId"]);
      const count = unlisted.get(id) ?? 0;
      if (count === 0) addListedCall(each, line);
      unlisted.set(id, Math.max(0, count - 1));
    }
  }

  function addListedCall(listed: JsonObject, line: number): void {
    const call = addCall(listed, line);
    const { status } = listed;
    if (typeof status === "string")
      call?.end({ result: null, isError: status !== "ok", ...optional("status", statusField(status)) });
  }

  function addOpinion({ request, verdict, advice }: JsonObject): void {
    const id = textField(request);
    const known: Verdict | undefined = verdicts.find((name) => name === verdict);
    if (id !== undefined && known !== undefined)
      opinions.push({ request: id, verdict: known, ...optional("advice", textField(advice)) });
  }

  /** A log of the lowest level has no turns: the result of the run is its only step. */
  function endRun(event: JsonObject, line: number): void {
    end = objectField(event["result"]);
    if (!steps.isEmpty) return;
    beginTurn(event, line);
    steps.amend({ text: textField(end["text"]) ?? "" });
    usage.add(end["usage"]);
    if (start["provider"] !== demoProvider) usage.addCost(end["costNanoUsd"]);
    steps.amend({ usage: usage.value() });
  }

  const handlers: Readonly<Record<string, (event: JsonObject, line: number) => void>> = {
    RunStarted(event) {
      start = event;
      if (event["isResumed"] !== true) prompts.add(textField(event["prompt"]));
    },
    UserMessage({ text }) {
      prompts.add(textField(text));
    },
    ContextCompacted() {
      steps.compact();
    },
    TurnStarted: beginTurn,
    StreamEnd({ text }) {
      if (typeof text !== "string") return;
      hasText = true;
      steps.amend({ text });
    },
    UsageUpdate({ usage: used }) {
      usage.add(used);
      if (!steps.isEmpty) steps.amend({ usage: usage.value() });
    },
    CostEvent({ costNanoUsd }) {
      if (start["provider"] === demoProvider) return;
      usage.addCost(costNanoUsd);
      if (!steps.isEmpty) steps.amend({ usage: usage.value() });
    },
    ToolStart: (event, line) => void addCall(event, line),
    ToolEnd: endCall,
    ToolBlocked: refuseCall,
    OpinionGiven: addOpinion,
    ChildStarted({ childId, callId }) {
      if (typeof childId !== "string") return;
      children.push(childId);
      if (typeof callId === "string") steps.connect(callId, { child: childId });
    },
    TurnComplete: endTurn,
    RunComplete: endRun,
    RunError: endRun,
  };

  return {
    add(event, line) {
      sessionId ??= textField(event["sessionId"]);
      handlers[String(event["type"])]?.(event, line); // other events say nothing about steps
      return "read";
    },
    children: () => children,
    recorded(parents) {
      if (steps.isEmpty) return undefined;
      return {
        id: runId,
        source: "sheepdog",
        ...optional("model", textField(start["model"])),
        ...optional("provider", textField(start["provider"])),
        ...optional("task", textField(start["prompt"])),
        ...optional("outcome", textField(end["reason"])),
        ...optional("parent", parents.get(sessionId ?? "")),
        steps: steps.steps(),
      };
    },
  };
}
