import type { Clock } from "../protocol/clock.ts";
import { createRedact, type Redact } from "../secrets/redact.ts";
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
  /** Removes secrets from every text; default: those with a known form. */
  readonly redact?: Redact;
}

export function createSessionWriter(options: SessionWriterOptions): SessionWriter {
  const { sessions, lease, history, clock, redact = createRedact() } = options;
  let unsavedCosts: readonly CostRow[] = [];

  async function commit({ run, ...parts }: CommitParts): Promise<void> {
    const messages = history.unsaved().map((message) => redactMessage(message, redact));
    const costs = unsavedCosts;
    await sessions.commit(lease, {
      at: clock.now(),
      messages,
      costs,
      ...parts,
      ...(run === undefined ? {} : { run: redactRun(run, redact) }),
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

function redactRun(run: SavedRun, redact: Redact): SavedRun {
  const { prompt, goal, text } = run;
  return {
    ...run,
    prompt: redact(prompt),
    ...(goal === undefined ? {} : { goal: redactDeep(goal, redact) as typeof goal }), // redaction keeps the fields
    ...(text === undefined ? {} : { text: redact(text) }),
  };
}
