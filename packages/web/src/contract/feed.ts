import { z } from "zod";
import { levelSchema, sentenceSchema, timeSchema, usdSchema } from "./sentence.ts";
import { diffSchema } from "./wire-event.ts";

/** An item of the activity of all runs. */
export const feedItemSchema = z.object({
  /** `<session>:<seq>`. */
  key: z.string(),
  position: z.number(),
  seq: z.number(),
  at: timeSchema,
  runId: z.string(),
  sessionId: z.string(),
  project: z.string().nullable(),
  kind: z.enum([
    "guardian",
    "limit",
    "recovered",
    "approval",
    "question",
    "person",
    "call",
    "edit",
    "compaction",
    "retry",
    "goal",
    "plan",
    "subagent",
    "started",
    "ended",
  ]),
  level: levelSchema.nullable(),
  isApplied: z.boolean(),
  sentence: sentenceSchema,
  /** A second line; empty if there is none. */
  detail: sentenceSchema,
  /** `ok` and `failed` for calls and ends. */
  status: z.enum(["ok", "failed"]).nullable(),
  statusText: z.string().nullable(),
  costUsd: usdSchema,
  /** Which group of the filter it belongs to. */
  group: z.enum(["guardian", "money", "ended", "other"]),
});
export type FeedItem = z.infer<typeof feedItemSchema>;

export const feedQuerySchema = z.object({
  group: z.enum(["guardian", "money", "ended"]).optional(),
  /** Items saved after this position, oldest first, or before it, newest first; default: the newest. */
  after: z.coerce.number().int().min(0).optional(),
  before: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export const feedPageSchema = z.object({
  /** Newest first. */
  items: z.array(feedItemSchema),
  /** The newest saved position at the time of the answer. */
  position: z.number(),
  /** Pass as `before` for older items; null if there are none. */
  nextBefore: z.number().nullable(),
});
export type FeedPage = z.infer<typeof feedPageSchema>;

/** Something that waits for the user. */
export const waitingSchema = z.object({
  /** `question`: how the run continues; `approval`: whether a call may run; `reply`: a question of the agent. */
  kind: z.enum(["question", "approval", "reply"]),
  /** The id of the question, or of the call. */
  id: z.string(),
  runId: z.string(),
  sessionId: z.string(),
  project: z.string().nullable(),
  /** The first sentence of the run's prompt, as plain text; empty if there is none. */
  task: z.string(),
  /** From 1. */
  turn: z.number(),
  title: sentenceSchema,
  level: levelSchema.nullable(),
  since: timeSchema,
  /** When the run continues without an answer; null if it waits without end or this is unknown. */
  answerBy: timeSchema.nullable(),
  /** The command or the change, as text; and the newest failure. */
  command: z.string().nullable(),
  output: z.string().nullable(),
  diff: diffSchema.nullable(),
  /** "Tried", "Cost", "Notices", "Second opinion", "Why asked", "Principle", "Earlier", … */
  facts: z.array(z.object({ name: z.string(), value: sentenceSchema })),
  /** What happens without an answer, as a sentence. */
  otherwise: z.string(),
  /** Filled in as the answer to send: the advice of the second opinion. */
  suggestion: z.string().nullable(),
  /** The answers to choose from, for a `reply`. */
  choices: z.array(z.string()),
  /** False if no process receives answers for this run: answer in its terminal. */
  canAnswer: z.boolean(),
  costUsd: usdSchema,
  limitUsd: z.number().nullable(),
});
export type Waiting = z.infer<typeof waitingSchema>;

/** The state of everything, for the bar at the top of every page. */
export const overviewSchema = z.object({
  version: z.string(),
  /** How the user calls the program: "sheepdog". */
  program: z.string(),
  position: z.number(),
  waiting: z.array(waitingSchema),
  liveRuns: z.number(),
  today: z.object({ spentUsd: z.number(), limitUsd: z.number().nullable(), warnUsd: z.number().nullable() }),
  /** The folder in which the server was started, for new runs. */
  cwd: z.string(),
  /** Folders of earlier runs, newest first. */
  workspaces: z.array(z.string()),
  /** What the configuration has for a new run: the model, and the limit of its cost; null if there is none. */
  defaults: z.object({ model: z.string().nullable(), limitUsd: z.number().nullable() }),
  /** Why no new run can be started here, such as a missing model; null if one can. */
  startProblem: z.string().nullable(),
});
export type Overview = z.infer<typeof overviewSchema>;
