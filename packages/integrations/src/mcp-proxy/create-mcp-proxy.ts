import type { GuardOptions } from "../guard/guard-options.ts";
import type { LoopGuard } from "../guard/loop-guard.ts";
import { createGuardedCalls } from "./guarded-calls.ts";
import { type JsonObject, parseMessages } from "./json-rpc.ts";

/** Where a line of the host goes. */
export interface FromHost {
  /** What the server receives: the line as it is, another one, or nothing. */
  readonly toServer: "unchanged" | { readonly line: string } | undefined;
  /** The response to refused calls. */
  readonly toHost: string | undefined;
}

/** The guardian between one MCP host and one server, whatever carries the lines. Each line is a JSON-RPC message. */
export interface McpProxy {
  fromHost(line: string): FromHost;
  /** Returns the line for the host; undefined if it is unchanged. */
  fromServer(line: string): string | undefined;
  readonly guard: LoopGuard;
}

const unchanged: FromHost = { toServer: "unchanged", toHost: undefined };

/** Creates the guardian of one connection. Only `tools/call` and its results are ever changed. */
export function createMcpProxy(options: GuardOptions = {}): McpProxy {
  const calls = createGuardedCalls(options);
  return {
    guard: calls.guard,
    fromHost(line) {
      const parsed = parseMessages(line);
      if (parsed === undefined) return unchanged;
      const passed: JsonObject[] = [];
      const refused: JsonObject[] = [];
      for (const message of parsed.messages) {
        const response = calls.fromHost(message);
        if (response === undefined) passed.push(message);
        else refused.push(response);
      }
      if (refused.length === 0) return unchanged;
      const lineOf = (messages: readonly JsonObject[]) => JSON.stringify(parsed.isBatch ? messages : messages[0]);
      return {
        toServer: passed.length === 0 ? undefined : { line: lineOf(passed) },
        toHost: lineOf(refused),
      };
    },
    fromServer(line) {
      const parsed = parseMessages(line);
      if (parsed === undefined) return undefined;
      const messages = parsed.messages.map((message) => calls.fromServer(message));
      if (messages.every((message, index) => message === parsed.messages[index])) return undefined;
      return JSON.stringify(parsed.isBatch ? messages : messages[0]);
    },
  };
}
