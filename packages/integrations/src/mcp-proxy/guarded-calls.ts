import { createLoopGuard } from "../guard/create-loop-guard.ts";
import type { GuardOptions } from "../guard/guard-options.ts";
import type { LoopGuard } from "../guard/loop-guard.ts";
import { idKey, isObject, type JsonObject, type RequestId, requestId } from "./json-rpc.ts";
import { resultOutcome } from "./result-outcome.ts";
import { createToolKinds } from "./tool-kinds.ts";

/** The guardian as it sees the messages of an MCP host and its server. */
export interface GuardedCalls {
  readonly guard: LoopGuard;
  /** Reads a message of the host. Returns the response to a call that is refused, and that the server must not see. */
  fromHost(message: JsonObject): JsonObject | undefined;
  /** Reads a message of the server. Returns it with the guardian's notices if there are any, else unchanged. */
  fromServer(message: JsonObject): JsonObject;
}

/** Requests that a server never answers are forgotten beyond this number. */
const MAX_PENDING = 10_000;

/** After this time without a call, a person has probably written something. */
const QUIET_MS = 5 * 60_000;

/** Creates the guard of one connection. Each call is a turn of its own: a proxy does not see the model's turns. */
export function createGuardedCalls(options: GuardOptions): GuardedCalls {
  // A proxy sees no money and no silence, and a connection may stay open for days.
  const policy = { ...options.policy, limits: {}, stallMs: 0 };
  const { now = Date.now } = options;
  const guard = createLoopGuard({ ...options, policy });
  const kinds = createToolKinds();
  /** The guardian's id of each call without a result, by the id of its request. */
  const pending = new Map<string, string>();
  const lists = new Set<string>();
  let calls = 0;
  let isStopTold = false;
  let quietSince: number | undefined;

  function beforeCall(id: RequestId, tool: string, args: unknown): JsonObject | undefined {
    const callId = `call_${++calls}`;
    // Persons write to the host, which a proxy does not see; an agent in a loop does not rest for minutes.
    if (quietSince !== undefined && now() - quietSince >= QUIET_MS && pending.size === 0) guard.userMessage();
    const decision = guard.beforeCall({ id: callId, tool, args, kind: kinds.kindOf(tool, args) });
    if (decision.allow) {
      remember(pending, idKey(id), callId);
      return undefined;
    }
    quietSince = now(); // an agent that repeats refused calls is not quiet
    const notices = guard.beforeRequest(); // the refused call is the whole turn
    guard.confirm(notices);
    const texts = [stopText() ?? decision.message, ...notices.map(({ text }) => text)];
    return { jsonrpc: "2.0", id, result: { isError: true, content: texts.map(textPart) } };
  }

  function afterCall(message: JsonObject, callId: string): JsonObject {
    guard.afterCall(callId, resultOutcome(message));
    quietSince = now();
    const notices = guard.beforeRequest();
    const { result } = message;
    const content: unknown = isObject(result) ? result["content"] : undefined;
    if (!isObject(result) || !Array.isArray(content)) return message; // the notices wait for a result that has room
    const stop = isStopTold ? undefined : stopText();
    isStopTold = guard.stop !== undefined;
    const texts = [...notices.map(({ text }) => text), ...(stop === undefined ? [] : [stop])];
    if (texts.length === 0) return message;
    guard.confirm(notices);
    return { ...message, result: { ...result, content: [...content, ...texts.map(textPart)] } };
  }

  function stopText(): string | undefined {
    if (guard.stop === undefined) return undefined;
    return `${guard.stop.message} Every further call to this server is refused. Stop, and tell the user what happened.`;
  }

  /** The server need not answer a call that was cancelled. */
  function cancel({ params }: JsonObject): void {
    const id = isObject(params) ? params["requestId"] : undefined;
    if (typeof id !== "string" && typeof id !== "number") return;
    const callId = take(pending, idKey(id));
    if (callId !== undefined) guard.afterCall(callId, { status: "interrupted", content: "cancelled" });
  }

  return {
    guard,
    fromHost(message) {
      const { method, params } = message;
      const id = requestId(message);
      if (method === "notifications/cancelled") cancel(message);
      if (id === undefined) return undefined;
      if (method === "tools/list") lists.add(idKey(id));
      if (method !== "tools/call" || !isObject(params) || typeof params["name"] !== "string") return undefined;
      return beforeCall(id, params["name"], params["arguments"] ?? {});
    },
    fromServer(message) {
      const id = requestId(message);
      if (id === undefined || "method" in message) return message; // a notification, or a request to the host
      if (lists.delete(idKey(id))) kinds.add(message);
      const callId = take(pending, idKey(id));
      return callId === undefined ? message : afterCall(message, callId);
    },
  };
}

function textPart(text: string): JsonObject {
  return { type: "text", text };
}

function remember(pending: Map<string, string>, key: string, callId: string): void {
  pending.set(key, callId);
  const [oldest] = pending.keys();
  if (pending.size > MAX_PENDING && oldest !== undefined) pending.delete(oldest);
}

function take(pending: Map<string, string>, key: string): string | undefined {
  const callId = pending.get(key);
  pending.delete(key);
  return callId;
}
