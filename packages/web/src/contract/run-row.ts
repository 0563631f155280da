import { z } from "zod";
import { levelSchema, sentenceSchema, timeSchema, usdSchema } from "./sentence.ts";

/** `broken_off`: the run is recorded as running, but its process is gone. */
export const runStateSchema = z.enum([
  "running",
  "waiting_for_tool",
  "waiting_for_input",
  "broken_off",
  "completed",
  "error",
  "cancelled",
  "timed_out",
  "max_steps",
  "budget_exceeded",
]);

/** What the guardian did in a run, in a few words. */
export const guardianMarkSchema = z.object({
  /** The highest level; `limit` if only limits spoke. */
  level: z.union([levelSchema, z.literal("limit")]),
  /** "halt", "hint, recovered", "asks you", "would have ended", "run cost". */
  text: z.string(),
  isRecovered: z.boolean(),
  /** False if nothing took effect: a recording, mode `observe`, or a muted episode. */
  isApplied: z.boolean(),
});

/** The cost of a run over its time. Both axes go from 0 to 1. */
export const sparkSchema = z.object({
  points: z.array(z.tuple([z.number(), z.number()])),
  marks: z.array(z.object({ x: z.number(), level: z.union([levelSchema, z.literal("recovered")]) })),
  /** The part of the time that was spent in loops. */
  loops: z.array(z.tuple([z.number(), z.number()])),
});

/** One run in a list: a run of Sheepdog, or a recording of another agent. */
export const runRowSchema = z.object({
  /** The id of the run, `run_…`, or of the recording, `rec_…`. */
  id: z.string(),
  kind: z.enum(["run", "recording"]),
  /** "Sheepdog", "Claude Code", … */
  source: z.string(),
  /** Empty for a recording. */
  sessionId: z.string(),
  /** What came of it, or what it is about while it runs, as one sentence. */
  sentence: sentenceSchema,
  /** What a live run does now: "Running `npm test`"; null if it has ended or this is unknown. */
  doing: sentenceSchema.nullable(),
  prompt: z.string(),
  /** The first sentence of the prompt, as plain text; empty if there is none. */
  task: z.string(),
  state: runStateSchema,
  /** Why it ended; null while it runs. Of a recording: its outcome in its own words, null if it is unknown. */
  reason: z.string().nullable(),
  isLive: z.boolean(),
  isDemo: z.boolean(),
  /** What the run asks the user now; null if nothing. */
  waitsFor: z.enum(["question", "approval", "reply"]).nullable(),
  /** The name of the workspace folder; null if it is unknown. */
  project: z.string().nullable(),
  workspace: z.string().nullable(),
  model: z.string().nullable(),
  startedAt: timeSchema,
  endedAt: timeSchema.nullable(),
  turns: z.number(),
  costUsd: usdSchema,
  /** The limit of the run's cost in force; null if there is none. */
  limitUsd: z.number().nullable(),
  /** What was spent in loops that the guardian noticed. */
  loopUsd: usdSchema,
  guardian: guardianMarkSchema.nullable(),
  goal: z.enum(["met", "not met", "open"]).nullable(),
  spark: sparkSchema.nullable(),
  /** The command that resumes the run, with the limits it needs; null if it cannot be resumed. */
  resumeCommand: z.string().nullable(),
  /** Why it cannot be resumed from the page although there is a command, such as a missing folder; else null. */
  resumeProblem: z.string().nullable(),
  canFork: z.boolean(),
});
export type RunRow = z.infer<typeof runRowSchema>;

/** Which runs to list. Live runs always come first and are not paged. */
export const runsQuerySchema = z.object({
  /** Words that the sentence, prompt, project, model or id contains. */
  text: z.string().optional(),
  state: z.enum(["live", "waiting", "completed", "stopped", "failed"]).optional(),
  project: z.string().optional(),
  model: z.string().optional(),
  source: z.string().optional(),
  guardian: z.enum(["any", "none", "hint", "warn", "block", "halt", "limit"]).optional(),
  minCostUsd: z.coerce.number().optional(),
  maxCostUsd: z.coerce.number().optional(),
  /** Runs that started at this time or later. */
  since: z.coerce.number().optional(),
  /** Start of the last run of the page before. */
  before: z.coerce.number().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type RunsQuery = z.infer<typeof runsQuerySchema>;

export const runsPageSchema = z.object({
  /** Those that wait for the user first. Empty on later pages. */
  live: z.array(runRowSchema),
  /** Newest first. */
  runs: z.array(runRowSchema),
  /** Pass as `before` for the next page; null on the last page. */
  nextBefore: z.number().nullable(),
  /** Known projects, models and sources, for the filters. */
  projects: z.array(z.string()),
  models: z.array(z.string()),
  sources: z.array(z.string()),
});
export type RunsPage = z.infer<typeof runsPageSchema>;
