import { normalize, resolve } from "node:path";
import { classifyCall } from "../gate/classify-call.ts";
import { physicalPath } from "../gate/files/path-location.ts";
import { type CallPart, callsOf, type ResultMessage } from "../protocol/messages.ts";
import type { History } from "../session/history.ts";
import type { ToolRegistry } from "../tools/tool-registry.ts";

/** The files that the agent wrote in this session, as far as they are known. */
export interface WrittenFiles {
  /** The path is absolute and without links. */
  has(path: string): boolean;
}

export interface WrittenFilesOptions {
  readonly history: Pick<History, "messages">;
  readonly tools: Pick<ToolRegistry, "find">;
  readonly workspace: string;
}

/**
 * Finds the written files in the history, so that a resumed session knows them too. A call counts unless it was not
 * executed; a call without a result may be executed before the one that asks.
 */
export function createWrittenFiles({ history, tools, workspace }: WrittenFilesOptions): WrittenFiles {
  const waiting = new Map<string, CallPart>();
  const files = new Set<string>();
  /** Paths of command lines with `cd`: which folder they are in is not known. */
  const endings = new Set<string>();
  let readCount = 0;

  function readNewMessages(): void {
    for (const message of history.messages.slice(readCount)) {
      if (message.role === "assistant") for (const call of callsOf(message)) waiting.set(call.id, call);
      if (message.role !== "tool") continue;
      const call = waiting.get(message.callId);
      waiting.delete(message.callId);
      if (call !== undefined && mayHaveWritten(message)) for (const path of pathsOf(call)) add(call, path);
    }
    readCount = history.messages.length;
  }

  /** The files that a call writes, as they stand in it. */
  function pathsOf(call: CallPart): readonly string[] {
    const tool = tools.find(call.tool);
    if (tool === undefined) return [];
    try {
      const { paths = [] } = classifyCall(call, tool, { workspace, hosts: new Set() });
      return paths.flatMap(({ path, access }) => (access === "write" ? [path] : []));
    } catch {
      return []; // the gate did not allow what cannot be classified
    }
  }

  function add(call: CallPart, path: string): void {
    files.add(absolute(path));
    if (changesFolder(call)) endings.add(normalize(`/${path}`));
  }

  function absolute(path: string): string {
    return physicalPath(workspace, path) ?? resolve(workspace, path);
  }

  return {
    has(path) {
      readNewMessages();
      if (files.has(path) || [...endings].some((ending) => path.endsWith(ending))) return true;
      return [...waiting.values()].some((call) =>
        pathsOf(call).some(
          (written) => absolute(written) === path || (changesFolder(call) && path.endsWith(normalize(`/${written}`))),
        ),
      );
    },
  };
}

function mayHaveWritten({ tool, status }: ResultMessage): boolean {
  if (status === "denied" || status === "unknown-tool" || status === "invalid-arguments") return false;
  return status === "ok" || (tool !== "write" && tool !== "edit"); // a command may fail after it has written
}

function changesFolder({ input }: CallPart): boolean {
  const { command, cwd } = input ?? {};
  return cwd !== undefined || (typeof command === "string" && /\bcd\b/.test(command));
}
