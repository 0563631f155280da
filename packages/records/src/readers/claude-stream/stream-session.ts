import type { JsonObject } from "../../trajectory/json-fields.ts";
import type { RecordedPosition, RecordedRun } from "../../trajectory/recorded-run.ts";
import { inputOf, requestTokens } from "../anthropic/request-tokens.ts";
import { requestKey } from "../claude-code/request-key.ts";
import { createThread, type ReplyEntry, type Thread } from "../claude-code/thread.ts";
import { objectField, optional, textField } from "../fields.ts";
import { readTotals, type SessionTotals } from "./session-totals.ts";
import { settle } from "./settle.ts";

const source = "claude-code";

/** One session of a stream: the main thread, and one thread for each call that started a subagent. */
export interface StreamSession {
  readonly id: string;
  init(project: string | undefined): void;
  /** The thread of a subagent, by the call that started it; without a call the main one. */
  thread(call: string | undefined): Thread;
  reply(call: string | undefined, entry: ReplyEntry): void;
  /** A part of a reply. The last part states the final usage. */
  event(call: string | undefined, event: unknown): void;
  /** The last line, with the totals. */
  result(line: JsonObject, position: RecordedPosition): void;
  runs(): readonly RecordedRun[];
}

/** Creates a session without any message. */
export function createStreamSession(id: string): StreamSession {
  const main = createThread();
  const subagents = new Map<string, Thread>();
  const streaming = new Map<Thread, JsonObject>(); // the message that is being streamed
  const totals: SessionTotals[] = [];
  const inputs = new Map<string, number>(); // of each request
  let listedInput = 0;
  /** What the lines before the newest totals list. */
  let settledInput = 0;
  let project: string | undefined;
  let outcome: string | undefined;

  function thread(call: string | undefined): Thread {
    if (call === undefined) return main;
    const known = subagents.get(call) ?? createThread();
    subagents.set(call, known);
    return known;
  }

  function finalUsage(owner: Thread, usage: unknown): void {
    const message = streaming.get(owner);
    const request = message === undefined ? undefined : requestKey(message, undefined);
    if (request !== undefined) owner.addUsage(request, usage);
  }

  function listInput({ message, request }: ReplyEntry): void {
    const tokens = requestTokens(objectField(message)["usage"]);
    if (request === undefined || tokens === undefined) return;
    listedInput += inputOf(tokens) - (inputs.get(request) ?? 0);
    inputs.set(request, inputOf(tokens));
  }

  /** Keeps the totals of a process: those of its later messages include those of the earlier ones. */
  function addTotals(stated: SessionTotals): void {
    const previous = totals.at(-1);
    if (previous !== undefined && includes(stated, previous, listedInput - settledInput)) totals.pop();
    totals.push(stated);
    settledInput = listedInput;
  }

  return {
    id,
    thread,
    init(folder) {
      project ??= folder;
    },
    reply(call, entry) {
      thread(call).reply(entry);
      listInput(entry);
    },
    event(call, value) {
      const { type, message, usage } = objectField(value);
      const owner = thread(call);
      if (type === "message_start") streaming.set(owner, objectField(message));
      if (type === "message_delta") finalUsage(owner, usage);
    },
    result(line, position) {
      const { subtype, is_error: isError, result, usage } = line;
      const kind = textField(subtype);
      outcome = isError === true && kind === "success" ? "error" : kind;
      if (main.isEmpty && typeof result === "string")
        main.reply({ message: { content: result, usage }, request: undefined, at: undefined, position });
      const stated = readTotals(line);
      if (stated !== undefined) addTotals(stated);
    },
    runs() {
      const facts = { source, ...optional("project", project) };
      const childId = (call: string) => `${id}/${call}`;
      for (const [call, { isEmpty }] of subagents) if (!isEmpty) main.connect(call, { child: childId(call) });
      const runs = [
        main.run({ ...facts, id, ...optional("outcome", outcome) }),
        ...[...subagents].map(([call, subagent]) => subagent.run({ ...facts, id: childId(call), parent: id })),
      ];
      return settle(
        runs.filter((run) => run !== undefined),
        totals,
      );
    },
  };
}

/** Whether these totals include the previous ones. `since` is the input of the lines between them. */
function includes(stated: SessionTotals, previous: SessionTotals, since: number): boolean {
  if (stated.costUsd < previous.costUsd) return false;
  return stated.models.length === 0 || statedInput(stated) >= statedInput(previous) + since;
}

function statedInput({ models }: SessionTotals): number {
  return models.reduce((sum, { tokens }) => sum + inputOf(tokens), 0);
}
