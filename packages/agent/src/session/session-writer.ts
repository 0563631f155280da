import type { AuditRow } from "../protocol/audit.ts";
import type { Clock } from "../protocol/clock.ts";
import type { NewLesson } from "../protocol/lesson.ts";
import { createRedact, type Redact } from "../secrets/redact.ts";
import { redactDeep } from "../secrets/redact-deep.ts";
import { redactMessage } from "../secrets/redact-message.ts";
import type { Commit, CostRow, Lease, SavedRun, SessionStore } from "../stores/stores.ts";
import type { History } from "./history.ts";

/**
 * Writes to a session. Every commit also writes the messages, cost rows, audit rows and lessons that are not saved
 * yet; after a failed commit they remain unsaved. Secrets are removed here, before anything reaches a store.
 */
export interface SessionWriter {
  /** Adds a cost row to the next commit. */
  addCost(row: CostRow): void;
  /** Adds a row of the audit trail to the next commit. */
  addAudit(row: AuditRow): void;
  /** Adds a lesson to the next commit. */
  addLesson(lesson: NewLesson): void;
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
  let unsavedAudit: readonly AuditRow[] = [];
  let unsavedLessons: readonly NewLesson[] = [];

  async function commit({ run, ...parts }: CommitParts): Promise<void> {
    const messages = history.unsaved().map((message) => redactMessage(message, redact));
    const costs = unsavedCosts;
    const audit = unsavedAudit;
    const lessons = unsavedLessons;
    await sessions.commit(lease, {
      at: clock.now(),
      messages,
      costs,
      ...(audit.length === 0 ? {} : { audit: audit.map((row) => redactRow(row, redact, auditIdFields)) }),
      ...(lessons.length === 0 ? {} : { lessons: lessons.map((lesson) => redactRow(lesson, redact, lessonIdFields)) }),
      ...parts,
      ...(run === undefined ? {} : { run: redactRun(run, redact) }),
    });
    history.markSaved(messages.length);
    unsavedCosts = unsavedCosts.slice(costs.length);
    unsavedAudit = unsavedAudit.slice(audit.length);
    unsavedLessons = unsavedLessons.slice(lessons.length);
  }

  return {
    addCost(row) {
      unsavedCosts = [...unsavedCosts, row];
    },
    addAudit(row) {
      unsavedAudit = [...unsavedAudit, row];
    },
    addLesson(lesson) {
      unsavedLessons = [...unsavedLessons, lesson];
    },
    async flushCosts() {
      if (unsavedCosts.length > 0) await commit({});
    },
    commit,
  };
}

const auditIdFields: ReadonlySet<string> = new Set(["type", "id", "sessionId", "runId", "callId", "by"]);

const lessonIdFields: ReadonlySet<string> = new Set(["sessionId", "outcome", "source", "principle"]);

/** Redaction keeps the fields. */
function redactRow<Row>(row: Row, redact: Redact, idFields?: ReadonlySet<string>): Row {
  return redactDeep(row, redact, idFields) as Row;
}

function redactRun(run: SavedRun, redact: Redact): SavedRun {
  const { prompt, goal, text, spec } = run;
  return {
    ...run,
    prompt: redact(prompt),
    ...(goal === undefined ? {} : { goal: redactRow(goal, redact) }),
    ...(text === undefined ? {} : { text: redact(text) }),
    ...(spec === undefined ? {} : { spec: redactRow(spec, redact) }),
  };
}
