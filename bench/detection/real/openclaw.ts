import { existsSync, readdirSync } from "node:fs";
import type { FlatCall, FlatRun } from "../flat-run.ts";
import type { Reaction } from "../reaction.ts";
import { resultText } from "../rules/keys.ts";
import { openclaw } from "../rules/openclaw.ts";
import { at } from "../rules/rule.ts";
import type { RealRule } from "./real-rule.ts";

const dist = new URL("../../peers/openclaw/node_modules/openclaw/dist/", import.meta.url);

/** The part of the peer's loop detector that is used, by the names of its functions: its exports have short names. */
interface Detector {
  readonly detectToolCallLoop: (
    state: object,
    tool: string,
    args: unknown,
    config: { readonly enabled: true },
    scope: Scope,
  ) => { readonly stuck: false } | { readonly stuck: true; readonly level: "warning" | "critical" };
  readonly recordToolCall: (
    state: object,
    tool: string,
    args: unknown,
    id: string,
    config: undefined,
    scope: Scope,
  ) => void;
  readonly recordToolCallOutcome: (state: object, outcome: Outcome) => void;
}
interface Scope {
  readonly runId: string;
}
interface Outcome extends Scope {
  readonly toolName: string;
  readonly toolParams: unknown;
  readonly toolCallId: string;
  readonly result?: unknown;
  readonly error?: string;
}

/** The loop detector of openclaw, turned on; a run for each user message. */
export async function realOpenclaw(): Promise<RealRule> {
  const names = { name: "openclaw 2026.9.6", reimplementedAs: openclaw.name };
  const file = existsSync(dist)
    ? readdirSync(dist).find((each) => /^tool-loop-detection-[\w-]{8}\.mjs$/.test(each))
    : undefined;
  if (file === undefined) return { ...names, missing: "it is not installed" };
  process.env["OPENCLAW_LOG_LEVEL"] = "silent"; // otherwise it writes a log file
  try {
    const exported: Readonly<Record<string, unknown>> = await import(new URL(file, dist).href);
    const functions = Object.values(exported).flatMap((each) =>
      typeof each === "function" ? [[each.name, each]] : [],
    );
    const detector = Object.fromEntries(functions) as Detector; // the function names of the pinned version
    return { ...names, reactions: (run) => reactionsOf(detector, run) };
  } catch (error) {
    return { ...names, missing: `it is installed but cannot be used: ${error}` };
  }
}

function* reactionsOf(
  { detectToolCallLoop, recordToolCall, recordToolCallOutcome }: Detector,
  run: FlatRun,
): Generator<Reaction> {
  const state = {};
  for (const call of run.calls) {
    const scope = { runId: `run-${call.userTurn}` };
    const id = String(call.index);
    const detected = detectToolCallLoop(state, call.tool, call.args, { enabled: true }, scope);
    if (detected.stuck) yield at(call, detected.level === "critical" ? "block" : "hint");
    recordToolCall(state, call.tool, call.args, id, undefined, scope);
    recordToolCallOutcome(state, {
      toolName: call.tool,
      toolParams: call.args,
      toolCallId: id,
      ...scope,
      ...outcomeOf(call),
    });
  }
}

function outcomeOf(call: FlatCall): Pick<Outcome, "result" | "error"> {
  const text = resultText(call);
  return call.isError === true ? { error: text } : { result: { content: [{ type: "text", text }] } };
}
