import type { PluginAnswer, PluginEvent } from "../hooks/plugin-event.ts";
import { askHook } from "./ask-hook.ts";
import { createFailures } from "./failures.ts";
import type { Hooks, MessageInfo, MessagePart, PluginInput } from "./plugin-input.ts";
import { createSessions } from "./sessions.ts";

type EventPart = Omit<PluginEvent, "version" | "session" | "subagent" | "directory" | "usage">;

/** Callbacks that refuse by an error. */
const throwing: ReadonlySet<PluginEvent["event"]> = new Set(["chat.message", "tool.execute.before"]);

/**
 * The plugin of opencode, which calls this function when it starts: reports what happens to `sheepdog hook opencode`,
 * and does what it answers. No failure of it disturbs opencode. The module must not export anything else.
 */
export async function SheepdogPlugin({ client, directory }: PluginInput): Promise<Hooks> {
  const sessions = createSessions();
  const failures = createFailures();
  const models = new Map<string, string>();
  /** The newest text of the agent in each session, and the messages that are its own. */
  const replies = new Map<string, string>();
  const ownMessages = new Set<string>();
  /** Calls that are refused because the work ends, which it does once the user can read why. */
  const stopping = new Set<string>();
  /** Events are reported one at a time, in the order in which they happened. */
  let last: Promise<unknown> = Promise.resolve();

  function report(sessionID: string, part: EventPart): Promise<PluginAnswer> {
    const answer = last.then(() => ask(sessionID, part)).catch(() => ({}));
    last = answer;
    return answer;
  }

  async function ask(sessionID: string, part: EventPart): Promise<PluginAnswer> {
    if (!sessions.isKnown(sessionID)) await resume(sessionID);
    const session = sessions.rootOf(sessionID);
    const model = models.get(sessionID);
    const usage = sessions.usage(session);
    const answer = await askHook({
      version: 1,
      ...part,
      session,
      ...(session === sessionID ? {} : { subagent: sessionID }),
      directory,
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    });
    if (answer.stop !== undefined && !throwing.has(part.event)) abort(session);
    const message = answer.stop ?? answer.notify;
    if (message !== undefined) void client.tui.showToast({ body: { message, variant: "warning" } }).catch(() => {});
    return answer;
  }

  function abort(session: string): void {
    void client.session.abort({ path: { id: session } }).catch(() => {});
  }

  /** A session of an earlier start: what it has used is in its messages. */
  async function resume(sessionID: string): Promise<void> {
    sessions.created(sessionID, undefined);
    const { data = [] } = await client.session.messages({ path: { id: sessionID } });
    for (const { info } of data) sessions.count(info);
  }

  return {
    async event({ event: { type, properties } }) {
      const { info, part, sessionID } = properties as EventProperties; // as the type of the event says
      if (type === "session.created" && info !== undefined) {
        const { parentID } = info;
        sessions.created(info.id, parentID);
        if (parentID !== undefined) await report(info.id, { event: type });
      } else if (type === "message.updated" && info !== undefined) {
        sessions.count(info);
        if (info.role === "assistant") ownMessages.add(info.id);
        if (info.modelID !== undefined) models.set(info.sessionID, info.modelID);
      } else if (type === "message.part.updated" && part !== undefined) {
        failures.see(part);
        const isShown = part.state?.status === "error" && stopping.delete(part.callID ?? "");
        if (isShown) abort(sessions.rootOf(part.sessionID));
        const isReply = part.type === "text" && ownMessages.has(part.messageID);
        if (isReply && part.text !== undefined) replies.set(part.sessionID, part.text);
      } else if (type === "session.idle" && sessionID !== undefined) {
        await report(sessionID, { event: type, text: replies.get(sessionID) ?? "" });
      } else if ((type === "session.compacted" || type === "permission.asked") && sessionID !== undefined)
        await report(sessionID, { event: type });
    },

    async "chat.message"({ sessionID, model }, { message, parts }) {
      const modelID = (model ?? message.model)?.modelID;
      if (modelID !== undefined) models.set(sessionID, modelID);
      replies.delete(sessionID);
      const texts = parts.flatMap(({ text, synthetic }) => (text === undefined || synthetic === true ? [] : [text]));
      const isSubagent = sessions.rootOf(sessionID) !== sessionID; // its prompt is written by its parent
      if (isSubagent) return;
      const { stop } = await report(sessionID, { event: "chat.message", text: texts.join("\n") });
      if (stop !== undefined) throw new Error(stop);
    },

    async "tool.execute.before"({ tool, sessionID, callID }, { args }) {
      const call = { id: callID, tool, args };
      failures.begin(call);
      const { deny, stop } = await report(sessionID, { event: "tool.execute.before", call });
      const refusal = stop ?? deny;
      if (refusal === undefined) return;
      failures.end(callID);
      if (stop !== undefined) stopping.add(callID);
      throw new Error(refusal);
    },

    async "tool.execute.after"({ tool, sessionID, callID, args }, result) {
      failures.end(callID);
      const call = { id: callID, tool, args };
      const exit = result.metadata?.exit;
      const { tell } = await report(sessionID, {
        ...{ event: "tool.execute.after", call, output: result.output },
        ...(typeof exit === "number" ? { exitCode: exit } : {}),
      });
      if (tell !== undefined) result.output = `${result.output}\n\n${tell}`;
    },

    async "experimental.chat.messages.transform"(_, { messages }) {
      const sessionID = messages.at(-1)?.info.sessionID;
      const failed = sessionID === undefined ? [] : failures.take(sessionID);
      if (sessionID !== undefined && failed.length > 0) {
        const { tell } = await report(sessionID, { event: "experimental.chat.messages.transform", failed });
        if (tell !== undefined) failures.note(failed.at(-1)?.call.id ?? "", tell);
      }
      for (const { parts } of messages) failures.addNotes(parts);
    },

    async dispose() {
      await last;
    },
  };
}

interface EventProperties {
  readonly info?: MessageInfo & { readonly parentID?: string };
  readonly part?: MessagePart;
  readonly sessionID?: string;
}
