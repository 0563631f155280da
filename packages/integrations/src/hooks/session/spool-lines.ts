import { type GuardianEvent, isFailed } from "@sheepdog/guardian";
import type { HookAnswer } from "../hook-answer.ts";
import type { HookAgent } from "../hook-contract.ts";
import type { HookCall, HookEvent, HookResult } from "../hook-event.ts";
import type { SpoolLine } from "../spool-line.ts";
import type { CallState, SessionState } from "./session-state.ts";
import type { SessionUsage } from "./session-usage.ts";
import { contentText, cutText, maskedArgs } from "./spool-text.ts";

type Line = SpoolLine;
type Redact = (text: string) => string;

/** The calls of an agent before an event. */
interface OpenTurn {
  readonly calls: ReadonlyMap<string, CallState>;
  readonly isTurnOpen: boolean;
}

/** What the spool says about an event itself. */
export function eventLines(
  event: HookEvent,
  { calls, isTurnOpen }: OpenTurn,
  { at, redact }: { readonly at: number; readonly redact: Redact },
): readonly Line[] {
  const frame = { at, ...(event.subagent === undefined ? {} : { subagent: event.subagent }) };
  const callLine = ({ id, tool, args }: HookCall): Line => ({
    ...frame,
    type: "call",
    id,
    tool,
    args: maskedArgs(args, redact),
  });
  const resultLine = ({ call, status = "ok", content }: HookResult): Line => {
    const text = contentText(content);
    // Some agents report every command that ran as a success. The guardian goes by the text, and so does the spool.
    const seen = status === "ok" && isFailed(status, text) ? "error" : status;
    return { ...frame, type: "result", id: call.id, status: seen, content: cutText(redact(text)) };
  };
  const finished = (result: HookResult): readonly Line[] => {
    const known = calls.get(result.call.id);
    if (known === "done" || known === "refused") return [];
    return [...(known === undefined ? [callLine(result.call)] : []), resultLine(result)];
  };
  switch (event.type) {
    case "prompt":
      return [{ ...frame, type: "prompt", text: cutText(redact(event.text)), origin: event.origin }];
    case "before-call":
      return [callLine(event.call)];
    case "after-call":
      return finished(event);
    case "turn-end":
      if (event.results.length === 0 && !isTurnOpen) return []; // it has ended with its last result
      return [...event.results.flatMap(finished), { ...frame, type: "turn-end" }];
    case "stop":
      return event.isWaiting ? [] : [{ ...frame, type: "reply", text: cutText(redact(event.text)) }];
    case "session-end":
      return [{ ...frame, type: "end" }];
    default:
      return [];
  }
}

/** The end of a turn that no event reports. */
export function turnEndLines({ subagent }: HookEvent, at: number): readonly Line[] {
  return [{ at, ...(subagent === undefined ? {} : { subagent }), type: "turn-end" }];
}

/** What the guardian decided. Where the agent is only observed, nothing of it is applied. */
export function guardianLine(
  event: GuardianEvent,
  {
    at,
    subagent,
    isObserving,
  }: { readonly at: number; readonly subagent?: string | undefined; readonly isObserving: boolean },
): readonly Line[] {
  const frame = { at, ...(subagent === undefined ? {} : { subagent }) };
  switch (event.type) {
    case "intervention": {
      const { intervention } = event;
      const isApplied = intervention.isApplied && !isObserving;
      return [{ ...frame, type: "intervention", intervention: { ...intervention, isApplied } }];
    }
    case "recovered":
      return [{ ...frame, type: "recovered", episode: event.episode }];
    case "detector-off":
      return [{ ...frame, type: "problem", sentence: `the detector ${event.detector} failed and is off` }];
    case "restored":
      return [{ ...frame, type: "problem", sentence: event.note }];
    default:
      return [];
  }
}

/** The line about an answer; none for an empty one. */
export function answerLine(event: HookEvent, answer: HookAnswer, at: number): readonly Line[] {
  const parts = (["deny", "ask", "tell", "stop"] as const).filter((part) => answer[part] !== undefined);
  if (parts.length === 0) return [];
  const { name, subagent } = event;
  return [{ at, ...(subagent === undefined ? {} : { subagent }), type: "answer", event: name, parts }];
}

/** The line about a call that the agent made although it was refused. */
export function ignoredLines(tool: string | undefined, { subagent }: HookEvent, at: number): readonly Line[] {
  if (tool === undefined) return [];
  const sentence = `a call to ${tool} was made although it was refused: the agent did not honour the answer`;
  return [{ at, ...(subagent === undefined ? {} : { subagent }), type: "problem", sentence }];
}

interface Description {
  readonly event: HookEvent;
  readonly at: number;
  readonly agent: HookAgent;
  readonly mode: "guide" | "advise" | "observe";
  readonly usage: SessionUsage | undefined;
}

/** The lines about the session and its usage, each only if it says something new; and what they have said now. */
export function changedLines(
  { described, usageSaid }: SessionState,
  description: Description,
): {
  readonly session: readonly Line[];
  readonly usage: readonly Line[];
  readonly said: Pick<SessionState, "described" | "usageSaid">;
} {
  const { at, usage } = description;
  const session = sessionLine(description);
  const newDescribed = JSON.stringify({ ...session, at: 0 });
  const used = usage === undefined ? undefined : usageLine(usage, at);
  const newUsageSaid = used === undefined ? usageSaid : JSON.stringify({ ...used, at: 0 });
  return {
    session: newDescribed === described ? [] : [session],
    usage: used === undefined || newUsageSaid === usageSaid ? [] : [used],
    said: { described: newDescribed, ...(newUsageSaid === undefined ? {} : { usageSaid: newUsageSaid }) },
  };
}

function sessionLine({ event, at, agent, mode, usage }: Description): Line {
  const { session, cwd, recording, model = usage?.model } = event;
  return {
    at,
    type: "session",
    version: 1,
    agent,
    session,
    ...(cwd === undefined ? {} : { cwd }),
    ...(recording === undefined ? {} : { recording }),
    ...(model === undefined ? {} : { model }),
    mode,
  };
}

function usageLine(usage: SessionUsage, at: number): Line {
  const { model, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, costNanoUsd, isPriced } = usage;
  return {
    at,
    type: "usage",
    ...(model === undefined ? {} : { model }),
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens,
    costNanoUsd: isPriced ? costNanoUsd : null,
  };
}
