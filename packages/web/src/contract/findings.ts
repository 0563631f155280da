import { z } from "zod";
import { sentenceSchema, timeSchema, usdSchema } from "./sentence.ts";

export const findingsQuerySchema = z.object({
  days: z.coerce.number().int().min(1).max(4_000).default(30),
  /** What is compared: equal calls before the end of a run, its cost, or its turns. */
  by: z.enum(["calls", "cost", "turns"]).default("calls"),
});

/** The effect of one limit on the recorded runs. */
const sweepPointSchema = z.object({
  limit: z.number(),
  savedUsd: z.number(),
  /** Calls that would not have been made; a measure where nothing has a price. */
  savedCalls: z.number(),
  /** Ids of runs that ended well and would have been stopped. */
  stoppedGood: z.array(z.string()),
});

export const findingsSchema = z.object({
  /** Analysis in progress: runs analyzed so far, and all. The rest covers what is analyzed. */
  progress: z.object({ done: z.number(), total: z.number() }),
  /** Folders and files that were searched for recordings. `skipped` counts lines and files that cannot be read. */
  places: z.array(
    z.object({
      place: z.string(),
      runs: z.number(),
      skipped: z.number(),
      /** The first of these, each as "file:line: reason". */
      problems: z.array(z.string()),
    }),
  ),
  sources: z.array(z.object({ source: z.string(), runs: z.number() })),
  totals: z.object({
    runs: z.number(),
    goodRuns: z.number(),
    calls: z.number(),
    stuckRuns: z.number(),
    stuckCalls: z.number(),
    costUsd: usdSchema,
    stuckUsd: usdSchema,
    unpricedRuns: z.number(),
  }),
  sweep: z.object({
    by: z.enum(["calls", "cost", "turns"]),
    /** The limit in force; null if there is none. */
    current: z.number().nullable(),
    points: z.array(sweepPointSchema),
    /** Runs below which a comparison says nothing. */
    minRuns: z.number(),
    /** TOML that sets a limit; `{limit}` stands for its value. Null if it cannot be configured. */
    toml: z.string().nullable(),
  }),
  /** Good runs that some limit of the sweep would have stopped, those nearest to being stopped first. */
  goodRuns: z.array(
    z.object({
      id: z.string(),
      sentence: sentenceSchema,
      project: z.string().nullable(),
      /** The highest limit of the sweep that stops it. */
      stoppedUpTo: z.number(),
      why: z.string(),
    }),
  ),
  detectors: z.array(
    z.object({
      detector: z.string(),
      runs: z.number(),
      usd: usdSchema,
      /** The user's judgements: right of all. */
      judgedRight: z.number(),
      judged: z.number(),
    }),
  ),
  stuck: z.array(
    z.object({
      id: z.string(),
      sentence: sentenceSchema,
      source: z.string(),
      project: z.string().nullable(),
      detector: z.string(),
      at: timeSchema.nullable(),
      calls: z.number(),
      stuckUsd: usdSchema,
      firstHintUsd: usdSchema,
      savedUsd: usdSchema,
    }),
  ),
});
export type Findings = z.infer<typeof findingsSchema>;
