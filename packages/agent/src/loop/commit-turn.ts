import { callOut } from "../async/call-out.ts";
import { keepShape } from "../async/keep-shape.ts";
import type { Writer } from "../events/outbox.ts";
import type { AgentEvent, AgentEventBody } from "../protocol/events.ts";
import type { Message } from "../protocol/messages.ts";
import { redactMessage } from "../secrets/redact-message.ts";
import type { Commit, UnansweredCall } from "../stores/stores.ts";
import type { Admitted } from "./admit-calls.ts";
import type { RunContext } from "./run-context.ts";

/** Commit A: before the first call that changes something, the reply that asks for it is safe, and which of its calls may have been run. A turn of reads needs none. */
export function commitIntents(run: RunContext, admitted: readonly Admitted[]): Promise<void> {
  return commitOpen(
    run,
    admitted.map(({ call }) => ({ callId: call.id, tool: call.tool, state: "started" })),
  );
}

/** Writes down calls before something is done about them. */
export function commitOpen(run: RunContext, unansweredCalls: readonly UnansweredCall[]): Promise<void> {
  return commitNow(new Writing(run, { unansweredCalls }));
}

/** Commit B: everything of the turn. Events that say so are told once it is true. */
export function commitTurn(
  run: RunContext,
  last: readonly AgentEventBody[] = [],
  more: Pick<Commit, "run"> = {},
): Promise<void> {
  const { progress, guard, runId } = run;
  const { turn, total, costNanoUsd, recoveries } = progress;
  const checkpoint = { runId, turn, guardian: guard.guardian.snapshot(), total, costNanoUsd, recoveries };
  return run.outbox.writeFirst(last, new Writing(run, { checkpoint, run: more.run }));
}

/** Writes the costs that are not in the books yet. */
export async function commitCosts(run: RunContext): Promise<void> {
  if (run.progress.unsettled.length > 0) await commitNow(new Writing(run, {}));
}

async function commitNow(writing: Writing): Promise<void> {
  await writing.write();
  writing.written();
}

interface More extends Pick<Commit, "unansweredCalls" | "checkpoint"> {
  readonly run?: Commit["run"] | undefined;
}

/** With every commit go the messages and the costs that are not written yet. Where it fails, they still are not. */
class Writing implements Writer {
  private readonly run: RunContext;
  private readonly more: More;
  private messages = 0;
  private costs = 0;

  constructor(run: RunContext, more: More) {
    this.run = run;
    this.more = more;
  }

  write(events?: readonly AgentEvent[]): Promise<void> {
    const { stores, lease, progress, history } = this.run;
    const messages = history.unsaved().map(redactMessage);
    this.messages = messages.length;
    this.costs = progress.unsettled.length;
    return callOut(stores.sessions, "commit", lease, this.whole(messages, events));
  }

  written(): void {
    const { progress, history } = this.run;
    history.markSaved(this.messages);
    progress.unsettled = progress.unsettled.length === this.costs ? none : progress.unsettled.slice(this.costs);
  }

  /** Each kind of commit is written out, so that a store gets few shapes. */
  private whole(messages: readonly Message[], events: readonly AgentEvent[] | undefined): Commit {
    const { unansweredCalls, checkpoint, run } = this.more;
    const at = this.run.clock.now();
    const costs = this.run.progress.unsettled;
    if (unansweredCalls !== undefined) return { at, messages, costs, unansweredCalls };
    if (checkpoint === undefined || events === undefined) return { at, messages, costs };
    return run === undefined
      ? { at, messages, costs, checkpoint, events }
      : { at, messages, costs, checkpoint, events, run };
  }
}

const none: readonly never[] = [];

keepShape(new Writing({} as RunContext, {})); // of no run
