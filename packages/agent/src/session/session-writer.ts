import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { Clock } from "../protocol/clock.ts";
import { redactDeep } from "../secrets/redact-deep.ts";
import { redactMessage } from "../secrets/redact-message.ts";
import type { Commit, CostRow, Lease, SavedRun, SessionStore } from "../stores/stores.ts";
import type { History } from "./history.ts";

/**
 * Writes to a session. Every commit also writes the messages and cost rows that are not saved yet; after a failed
 * commit they remain unsaved. Secrets are removed here, before anything reaches a store.
 */
export interface SessionWriter {
  /** Adds a cost row to the next commit. */
  addCost(row: CostRow): void;
  /** Commits the cost rows now, if there are any. */
  flushCosts(): Promise<void>;
  commit(parts: CommitParts): Promise<void>;
}

/** What a commit writes besides unsaved messages and costs. */
type CommitParts = Pick<Commit, "unansweredCalls" | "checkpoint" | "run" | "events">;

export interface SessionWriterOptions {
  readonly sessions: Pick<SessionStore, "commit">;
  readonly lease: Lease;
  readonly history: Pick<History, "unsaved" | "markSaved">;
  readonly clock: Pick<Clock, "now">;
}

export function createSessionWriter({ sessions, lease, history, clock }: SessionWriterOptions): SessionWriter {
  let unsavedCosts: readonly CostRow[] = [];

  async function commit({ run, ...parts }: CommitParts): Promise<void> {
    const messages = history.unsaved().map(redactMessage);
    const costs = unsavedCosts;
    await sessions.commit(lease, {
      at: clock.now(),
      messages,
      costs,
      ...parts,
      ...(run === undefined ? {} : { run: redactRun(run) }),
    });
    history.markSaved(messages.length);
    unsavedCosts = unsavedCosts.slice(costs.length);
  }

  return {
    addCost(row) {
      unsavedCosts = [...unsavedCosts, row];
    },
    async flushCosts() {
      if (unsavedCosts.length > 0) await commit({});
    },
    commit,
  };
}

function redactRun(run: SavedRun): SavedRun {
  const { prompt, goal, text } = run;
  return {
    ...run,
    prompt: redactSecrets(prompt),
    ...(goal === undefined ? {} : { goal: redactDeep(goal) as typeof goal }), // redaction keeps the fields
    ...(text === undefined ? {} : { text: redactSecrets(text) }),
  };
}
