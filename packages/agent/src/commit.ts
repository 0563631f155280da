import type { Admitted } from "./admit.ts";
import { isRead } from "./execute.ts";
import type { RunContext } from "./run-context.ts";

/** Commit A: before the first call that changes something, the reply that asks for it is safe. A turn of reads needs none. */
export async function commitIntents(run: RunContext, admitted: readonly Admitted[]): Promise<void> {
  if (admitted.every(({ tool }) => isRead(tool))) return;
  await run.stores.history.append(run.sessionId, run.history.takeUnsaved());
}

/** Commit B: everything of the turn. */
export async function commit(run: RunContext): Promise<void> {
  const { stores, sessionId, runId, history, progress, guard } = run;
  const unsaved = history.takeUnsaved();
  if (unsaved.length > 0) await stores.history.append(sessionId, unsaved);
  const { turn, total, costNanoUsd } = progress;
  await stores.checkpoints.save(sessionId, { runId, turn, guardian: guard.guardian.snapshot(), total, costNanoUsd });
  run.emit({ type: "Checkpointed", turn });
}
