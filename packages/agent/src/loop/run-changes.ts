import { createPathView, isFile, namedFiles } from "../goals/call-files.ts";
import { type CallPart, callsOf, type Message, type ResultMessage } from "../protocol/messages.ts";
import type { Tool } from "../tools/tool.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";
import type { WrittenFiles } from "./written-files.ts";

/** The part of a run that tells what its calls did. */
interface ChangingRun {
  readonly setup: { readonly startedAt: number; readonly workspace: string; readonly tools: ToolRegistry };
  readonly history: { readonly messages: readonly Message[] };
  readonly writtenFiles: Pick<WrittenFiles, "byCall">;
}

/** Whether a call of the newest reply may have changed something: it succeeded, and does more than read. */
export function hasChanged({ setup: { tools }, history: { messages } }: ChangingRun): boolean {
  const replyIndex = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(replyIndex + 1)
    .some((message) => message.role === "tool" && message.status === "ok" && !isReadOnly(tools.find(message.tool)));
}

/** What the calls of a run have done, also before a crash. Both lists only grow. */
export interface RunChanges {
  /** The tools that were used, each once. A refused call has used none. */
  usedTools(): readonly string[];
  /**
   * The files that were written, each once, as far as they are known: by the gate, or because a tool that changes
   * things names them. Relative to the workspace, absolute outside of it.
   */
  writtenFiles(): readonly string[];
}

/** Reads each message once, so that the cost of a turn does not grow with the number of turns. */
export function createRunChanges(run: ChangingRun): RunChanges {
  const { startedAt, workspace } = run.setup;
  const tools = growingList();
  const files = growingList();
  const openCalls = new Map<string, CallPart>();
  let readMessages = 0;
  const shownPath = createPathView(workspace);

  function read(message: Message): void {
    if (message.role === "assistant") for (const call of callsOf(message)) openCalls.set(call.id, call);
    if (message.role !== "tool") return;
    if (isStarted(message)) tools.add(message.tool);
    const call = openCalls.get(message.callId);
    openCalls.delete(message.callId);
    if (call === undefined) return;
    for (const path of filesWrittenBy(run, call, message)) files.add(shownPath(path));
  }

  function readNew(): void {
    const { messages } = run.history;
    for (const message of messages.slice(readMessages)) if (message.at >= startedAt) read(message);
    readMessages = messages.length;
  }

  return {
    usedTools() {
      readNew();
      return tools.entries;
    },
    writtenFiles() {
      readNew();
      return files.entries;
    },
  };
}

/** A list without duplicates. */
function growingList() {
  const known = new Set<string>();
  const entries: string[] = [];
  return {
    entries,
    add(entry: string): void {
      if (known.has(entry)) return;
      known.add(entry);
      entries.push(entry);
    },
  };
}

function isStarted({ status }: ResultMessage): boolean {
  return status !== "denied" && status !== "unknown-tool" && status !== "invalid-arguments";
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
  return [...writtenFiles.byCall(id), ...(status === "ok" ? namedFiles(tool, input) : [])].filter(isFile);
}

function isReadOnly(tool: Tool | undefined): boolean {
  const kind = tool?.kind;
  return kind === "read" || kind === "poll" || kind === "think" || kind === "wait";
}
