import type { Admitted } from "./admit.ts";
import { callOut } from "./call-out.ts";
import type { AgentEvent, AgentEventBody } from "./events.ts";
import { maskMessage } from "./mask-message.ts";
import type { Message } from "./messages.ts";
import type { RunContext } from "./run-context.ts";
import type { Checkpoint, Commit, OpenCall } from "./stores/stores.ts";

/** Commit A: before the first call that changes something, the reply that asks for it is safe, and which of its calls may have been run. A turn of reads needs none. */
export function commitIntents(run: RunContext, admitted: readonly Admitted[]): Promise<void> {
  return commitOpen(
    run,
    admitted.map(({ call }) => ({ callId: call.id, tool: call.tool, state: "started" })),
  );
}

/** Writes down calls before something is done about them. */
export function commitOpen(run: RunContext, openCalls: readonly OpenCall[]): Promise<void> {
  return write(run, { openCalls });
}

/** Commit B: everything of the turn. Events that say so are told once it is true. */
export function commit(run: RunContext, last: readonly AgentEventBody[] = [], more: Pick<Commit, "run"> = {}): Promise<void> {
  const { progress, guard, runId } = run;
  const { turn, total, costNanoUsd, recovered } = progress;
  const checkpoint = { runId, turn, guardian: guard.guardian.snapshot(), total, costNanoUsd, recovered };
  return run.outbox.writeFirst(last, writeTurn, { run, checkpoint, more });
}

interface Turn {
  readonly run: RunContext;
  readonly checkpoint: Checkpoint;
  readonly more: Pick<Commit, "run">;
}

function writeTurn(events: readonly AgentEvent[], { run, checkpoint, more }: Turn): Promise<void> {
  return write(run, more.run === undefined ? { checkpoint, events } : { checkpoint, events, run: more.run });
}

/** Writes the costs that are not in the books yet. */
export async function commitCosts(run: RunContext): Promise<void> {
  if (run.progress.unsettled.length > 0) await write(run, {});
}

/** With every commit go the messages and the costs that are not written yet. Where it fails, they still are not. */
async function write(run: RunContext, more: More): Promise<void> {
  const { stores, lease, progress, history } = run;
  const messages = history.unsaved();
  const costs = progress.unsettled;
  await callOut(stores.sessions, "commit", lease, whole(run, messages.map(maskMessage), more));
  history.markSaved(messages.length);
  progress.unsettled = progress.unsettled.slice(costs.length);
}

type More = Omit<Commit, "at" | "costs" | "messages">;

/** Each kind of commit is written out, so that a store gets few shapes. */
function whole({ clock, progress }: RunContext, messages: readonly Message[], { openCalls, checkpoint, events, run }: More): Commit {
  const at = clock.now();
  const costs = progress.unsettled;
  if (openCalls !== undefined) return { at, messages, costs, openCalls };
  if (checkpoint === undefined || events === undefined) return { at, messages, costs };
  return run === undefined ? { at, messages, costs, checkpoint, events } : { at, messages, costs, checkpoint, events, run };
}
