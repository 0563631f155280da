import type { Honours, HookAnswer, HookOutput } from "../hook-answer.ts";
import type { HookContract } from "../hook-contract.ts";
import type { HookCall, HookEvent, HookUsage } from "../hook-event.ts";
import { type PluginEvent, pluginEvents } from "../plugin-event.ts";
import { listOf, objectOf, optional, textOf } from "./fields.ts";

/** opencode has plugins and no hook commands. Our plugin reports its callbacks in our own format, `PluginEvent`. */
export const opencodeContract: HookContract = {
  agent: "opencode",
  label: "opencode",
  events: pluginEvents,
  turnEnd: "last-result",
  howToStop: "press Esc twice",
  read: readEvent,
  honours,
  write: (_, answer) => writeAnswer(answer),
};

type Input = Readonly<Partial<Record<keyof PluginEvent, unknown>>>;

function readEvent(value: unknown): HookEvent | string {
  const input: Input = objectOf(value);
  const name = textOf(input.event);
  const session = textOf(input.session);
  if (name === undefined) return "expected an event of the plugin of opencode; it has no event";
  if (input.version !== 1) return `expected version 1 of the plugin of opencode, got ${JSON.stringify(input.version)}`;
  if (session === undefined) return `expected an event of the plugin of opencode; this ${name} has no session`;
  const frame = {
    name,
    session,
    ...optional("cwd", textOf(input.directory)),
    ...optional("model", textOf(input.model)),
    ...optional("usage", usageOf(input.usage)),
  };
  const subagent = textOf(input.subagent);
  if (subagent !== undefined && name === "session.created") return { ...frame, type: "subagent-start", id: subagent };
  if (subagent !== undefined && name === "session.idle") return { ...frame, type: "subagent-end", id: subagent };
  const framed = { ...frame, ...optional("subagent", subagent) };
  switch (name) {
    case "session.created":
      return { ...framed, type: "session-start" };
    case "chat.message":
      return { ...framed, type: "prompt", text: textOf(input.text) ?? "", origin: "person" };
    case "tool.execute.before":
    case "tool.execute.after": {
      const call = callOf(input.call);
      if (call === undefined) return `expected call.id and call.tool in a ${name} of the plugin of opencode`;
      if (name === "tool.execute.before") return { ...framed, type: "before-call", call };
      const status = figureOf(input.exitCode) > 0 ? "error" : "ok";
      return { ...framed, type: "after-call", call, status, content: input.output ?? "" };
    }
    case "experimental.chat.messages.transform":
      return { ...framed, type: "turn-end", results: listOf(input.failed).flatMap(failedCall) };
    case "permission.asked":
      return { ...framed, type: "waiting", for: "approval" };
    case "session.compacted":
      return { ...framed, type: "compacted" };
    case "session.idle":
      return { ...framed, type: "stop", text: textOf(input.text) ?? "", isContinued: false, isWaiting: false };
    default:
      return { ...framed, type: "other" };
  }
}

function callOf(value: unknown): HookCall | undefined {
  const { id, tool, args } = objectOf(value);
  const callId = textOf(id);
  const name = textOf(tool);
  return callId === undefined || name === undefined ? undefined : { id: callId, tool: name, args };
}

function failedCall(value: unknown): readonly { call: HookCall; status: "error"; content: unknown }[] {
  const { call: reported, error } = objectOf(value);
  const call = callOf(reported);
  return call === undefined ? [] : [{ call, status: "error", content: error }];
}

const NANO = 1_000_000_000;

/** opencode states 0 for the cost of a model whose price it does not know, so that 0 is no price. */
function usageOf(value: unknown): HookUsage | undefined {
  const usage = objectOf(value);
  const inputTokens = figureOf(usage["inputTokens"]);
  const outputTokens = figureOf(usage["outputTokens"]);
  if (inputTokens + outputTokens === 0) return undefined;
  const costUsd = figureOf(usage["costUsd"]);
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: figureOf(usage["cacheReadTokens"]),
    cacheWriteTokens: figureOf(usage["cacheWriteTokens"]),
    costNanoUsd: costUsd === 0 ? null : Math.round(costUsd * NANO),
  };
}

function figureOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

const nothing: Honours = { deny: false, ask: false, tell: false, stop: false, notify: true };

function honours({ type }: HookEvent): Honours {
  switch (type) {
    case "before-call":
      return { ...nothing, deny: true, stop: true };
    case "after-call":
    case "turn-end":
      return { ...nothing, tell: true, stop: true };
    case "prompt":
      return { ...nothing, stop: true };
    default:
      return nothing;
  }
}

function writeAnswer({ deny, tell, stop, notify }: HookAnswer): HookOutput {
  const answer = {
    ...optional("deny", deny),
    ...optional("tell", tell),
    ...optional("stop", stop),
    ...optional("notify", notify),
  };
  return { stdout: JSON.stringify(answer), exitCode: 0 };
}
