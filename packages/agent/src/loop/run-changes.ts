import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { isInside } from "../protocol/is-inside.ts";
import { type CallPart, callsOf, type ResultMessage } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import type { AgentRun } from "./agent-run.ts";

type ChangingRun = Pick<AgentRun, "setup" | "history" | "writtenFiles">;

/** Whether a call of the newest reply may have changed something: it succeeded, and does more than read. */
export function hasChanged({ setup: { tools }, history: { messages } }: ChangingRun): boolean {
  const replyIndex = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(replyIndex + 1)
    .some((message) => message.role === "tool" && message.status === "ok" && !isReadOnly(tools.find(message.tool)));
}

/**
 * The files that calls of this run wrote, as far as they are known: by the gate, or because a tool that changes things
 * names them. Relative to the workspace, absolute outside of it.
 */
export function filesWrittenInRun(run: ChangingRun): readonly string[] {
  const { startedAt, workspace } = run.setup;
  const ofRun = run.history.messages.filter(({ at }) => at >= startedAt);
  const results = new Map(ofRun.flatMap((message) => (message.role === "tool" ? [[message.callId, message]] : [])));
  const calls = ofRun.flatMap((message) => (message.role === "assistant" ? callsOf(message) : []));
  const paths = calls.flatMap((call) => {
    const result = results.get(call.id);
    return result === undefined ? [] : filesWrittenBy(run, call, result);
  });
  const root = physicalFolder(workspace);
  const shown = paths.map((path) => (isInside(root, path) ? relative(root, path) : path));
  return [...new Set(shown)];
}

/** A shell command that failed may have written before; a tool that changes one thing has not. */
function filesWrittenBy(
  { setup: { tools }, writtenFiles }: ChangingRun,
  { id, tool: name, input }: CallPart,
  { status }: ResultMessage,
): readonly string[] {
  const tool = tools.find(name);
  const isExecuted = status === "ok" || status === "error" || status === "timeout" || status === "interrupted";
  if (!isExecuted || (status !== "ok" && tool?.kind === "mutate")) return [];
  const paths = [...writtenFiles.byCall(id), ...(status === "ok" ? touchedFiles(tool, input) : [])];
  return paths.filter((path) => isAbsolute(path) && !path.startsWith("/dev/"));
}

function touchedFiles(tool: Tool | undefined, input: CallPart["input"]): readonly string[] {
  if (tool?.kind !== "mutate" || input === undefined) return [];
  try {
    return tool.touches?.(input) ?? [];
  } catch {
    return []; // it was written for validated arguments
  }
}

function isReadOnly(tool: Tool | undefined): boolean {
  const kind = tool?.kind;
  return kind === "read" || kind === "poll" || kind === "think" || kind === "wait";
}

function physicalFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // the workspace is missing: nothing was written into it
  }
}
