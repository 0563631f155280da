import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import type { RunRef } from "../protocol/run.ts";
import { createRedact, type Redact } from "../secrets/redact.ts";
import { redactToolName } from "../secrets/redact-tool-name.ts";
import type { EventBus } from "./event-bus.ts";
import { isPublishedOnly } from "./severity.ts";

/**
 * The events of one run. Each is published at once and written with the next commit; deltas and requests are only
 * published.
 */
export interface RunEvents {
  emit(body: AgentEventBody): void;
  /** False until the first event is emitted. */
  readonly hasEmitted: boolean;
  /**
   * Writes all events since the last commit together with `bodies`, then publishes `bodies`. If writing fails, `bodies`
   * are discarded. Events emitted in the meantime are published afterwards. A commit waits for the one before it.
   * Returns the published events.
   */
  commit(bodies: readonly AgentEventBody[], write: WriteEvents): Promise<readonly AgentEvent[]>;
}

type WriteEvents = (events: readonly AgentEvent[]) => Promise<void>;

export type RunEventBus = Pick<EventBus, "prepare" | "publish" | "discard">;

export interface RunEventsOptions {
  /** The registered tools of the run; default: none. */
  readonly toolNames?: ReadonlySet<string>;
  readonly redact?: Redact;
}

export function createRunEvents(bus: RunEventBus, run: RunRef, options: RunEventsOptions = {}): RunEvents {
  const { toolNames = new Set(), redact = createRedact() } = options;
  let unwritten: AgentEvent[] = [];
  /** Events emitted during a commit; undefined while there is none. */
  let deferred: AgentEventBody[] | undefined;
  /** The commits so far: they follow one another. */
  let committing: Promise<unknown> = Promise.resolve();
  let hasEmitted = false;

  function emit(body: AgentEventBody): void {
    if (deferred !== undefined) {
      deferred.push(body);
      return;
    }
    hasEmitted = true;
    const events = bus.prepare(run, withSafeToolName(body, { toolNames, redact }));
    unwritten.push(...events.filter((event) => !isPublishedOnly(event)));
    for (const event of events) bus.publish(event);
  }

  async function commit(bodies: readonly AgentEventBody[], write: WriteEvents): Promise<readonly AgentEvent[]> {
    const prepared = bodies.flatMap((body) => bus.prepare(run, withSafeToolName(body, { toolNames, redact })));
    const emittedMeanwhile: AgentEventBody[] = [];
    deferred = emittedMeanwhile;
    try {
      await write([...unwritten, ...prepared.filter((event) => !isPublishedOnly(event))]);
      unwritten = [];
      hasEmitted = hasEmitted || prepared.length > 0;
      for (const event of prepared) bus.publish(event);
      return prepared;
    } catch (error) {
      bus.discard(prepared);
      throw error;
    } finally {
      deferred = undefined;
      for (const body of emittedMeanwhile) emit(body);
    }
  }

  return {
    emit,
    get hasEmitted() {
      return hasEmitted;
    },
    commit(bodies, write) {
      const committed = committing.then(() => commit(bodies, write));
      committing = committed.catch(() => undefined);
      return committed;
    },
  };
}

function withSafeToolName(body: AgentEventBody, { toolNames, redact }: Required<RunEventsOptions>): AgentEventBody {
  switch (body.type) {
    case "ToolUseStart":
    case "ToolStart":
    case "ToolEnd":
    case "ToolBlocked":
    case "GateDecision":
      return { ...body, tool: redactToolName(body.tool, { isRegistered: toolNames.has(body.tool), redact }) };
    default:
      return body;
  }
}
