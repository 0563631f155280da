import { existsSync, readdirSync } from "node:fs";
import type { FlatCall, FlatRun } from "../flat-run.ts";
import { resultText } from "../rules/keys.ts";
import { openclaw } from "../rules/openclaw.ts";
import type { RealRule } from "./real-rule.ts";

const dist = new URL("../../peers/openclaw/node_modules/openclaw/dist/", import.meta.url);

/** What is used of the peer's loop detector; its exports have one-letter names, its functions their own. */
interface Detector {
  readonly detectToolCallLoop: (
    state: object,
    tool: string,
    args: unknown,
    config: { readonly enabled: true },
    scope: Scope,
  ) => { readonly stuck: boolean };
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

/** The loop detector of openclaw itself, switched on; a run of its own for each person's message. */
export async function realOpenclaw(): Promise<RealRule> {
  const about = { name: "openclaw 2026.9.6", reimplementedAs: openclaw.name };
  const file = existsSync(dist)
    ? readdirSync(dist).find((each) => /^tool-loop-detection-[\w-]{8}\.mjs$/.test(each))
    : undefined;
  if (file === undefined) return { ...about, missing: "it is not installed here" };
  process.env["OPENCLAW_LOG_LEVEL"] = "silent"; // it would write what it sees to a file of its own
  try {
    const exported: Readonly<Record<string, unknown>> = await import(new URL(file, dist).href);
    const functions = Object.values(exported).flatMap((each) =>
      typeof each === "function" ? [[each.name, each]] : [],
    );
    const detector = Object.fromEntries(functions) as Detector; // by the names the pinned version gives its functions
    return { ...about, firstReaction: (run) => firstWarning(detector, run) };
  } catch (error) {
    return { ...about, missing: `it is installed but cannot be used: ${error}` };
  }
}

function firstWarning(
  { detectToolCallLoop, recordToolCall, recordToolCallOutcome }: Detector,
  run: FlatRun,
): number | undefined {
  const state = {};
  for (const call of run.calls) {
    const scope = { runId: `run-${call.personTurn}` };
    const id = String(call.index);
    if (detectToolCallLoop(state, call.tool, call.args, { enabled: true }, scope).stuck) return call.index;
    recordToolCall(state, call.tool, call.args, id, undefined, scope);
    recordToolCallOutcome(state, {
      toolName: call.tool,
      toolParams: call.args,
      toolCallId: id,
      ...scope,
      ...ended(call),
    });
  }
  return undefined;
}

function ended(call: FlatCall): Pick<Outcome, "result" | "error"> {
  const text = resultText(call);
  return call.isError === true ? { error: text } : { result: { content: [{ type: "text", text }] } };
}
