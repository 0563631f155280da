import { z } from "zod";
import { runRowSchema } from "./run-row.ts";
import { levelSchema, sentenceSchema, timeSchema, usdSchema } from "./sentence.ts";

/** A second opinion about an intervention. */
export const opinionSchema = z.object({
  verdict: z.enum(["stuck", "working", "unsure"]),
  advice: z.string().nullable(),
  model: z.string().nullable(),
  costUsd: usdSchema,
  skipped: z.string().nullable(),
  problem: z.string().nullable(),
});

/** An intervention with what was known before it and what came of it. */
export const interventionSchema = z.object({
  /** `<episode>/<level>`. */
  id: z.string(),
  episode: z.string(),
  /** The sequence number of its event: the anchor `#e<seq>`. */
  seq: z.number(),
  at: timeSchema,
  /** From 1. */
  turn: z.number(),
  detector: z.string(),
  isLimit: z.boolean(),
  level: levelSchema,
  effect: z.string(),
  /** False: it would have acted, but the episode was muted or the mode is `observe`, or the run is a recording. */
  isApplied: z.boolean(),
  /** What happened, as one sentence: "The same command failed 4 times with the same error." */
  fact: sentenceSchema,
  /** How often it had happened, as the words about it say. */
  times: z.number(),
  /** What the rungs are compared with. Similar calls count less than one each, so it can be lower than `times`. */
  count: z.number(),
  tool: z.string().nullable(),
  /** The exact words; `notice` has them with the tag in which the agent read them, null if it did not read them. */
  message: z.string(),
  notice: z.string().nullable(),
  /** What the run had spent by then. */
  runUsd: usdSchema,
  /** What the loop had cost by then. */
  loopUsd: usdSchema,
  /** The calls that show it, oldest first. */
  callIds: z.array(z.string()),
  /** Whether the next call was another one; null if that is unknown. */
  followed: z.boolean().nullable(),
  nextCallId: z.string().nullable(),
  isRecovered: z.boolean(),
  opinion: opinionSchema.nullable(),
  /** What the user was asked, and answered. */
  question: z.object({ id: z.string(), text: z.string(), seq: z.number() }).nullable(),
  answer: z
    .object({ answer: z.enum(["stop", "continue", "tell", "none"]), text: z.string().nullable(), at: timeSchema })
    .nullable(),
  /** The user's judgement about it. */
  isRight: z.boolean().nullable(),
});
export type InterventionView = z.infer<typeof interventionSchema>;

/** The rungs of a detector: the count at which each level acts; 0 if the level is off. */
export const rungsSchema = z.object({ hint: z.number(), warn: z.number(), block: z.number(), halt: z.number() });

/** A node of a director's plan. */
export const planNodeSchema = z.object({
  id: z.string(),
  title: z.string(),
  stage: z.number(),
  state: z.string(),
  isKept: z.boolean(),
  runId: z.string().nullable(),
  costUsd: usdSchema,
  startedAt: timeSchema.nullable(),
  endedAt: timeSchema.nullable(),
  problem: z.string().nullable(),
});
export const planSchema = z.object({
  cycle: z.number(),
  diagnosis: z.string().nullable(),
  nodes: z.array(planNodeSchema),
  edges: z.array(z.object({ from: z.string(), to: z.string(), when: z.string() })),
});

/** The head of a run's page. Its events come from `/api/runs/{id}/events`. */
export const runDetailSchema = z.object({
  run: runRowSchema,
  /** The second line under the outcome: what it cost and who decided. Empty if there is nothing to add. */
  lede: sentenceSchema,
  /** The final answer or summary; null while it runs. */
  text: z.string().nullable(),
  problem: z.string().nullable(),
  branch: z.string().nullable(),
  policy: z.object({ preset: z.string(), mode: z.string(), isAttended: z.boolean().nullable() }).nullable(),
  goal: z.object({ text: z.string(), state: z.enum(["met", "not met", "open"]) }).nullable(),
  /** The maximum size of the context in tokens; null if it is unknown. */
  maxContextTokens: z.number().nullable(),
  interventions: z.array(interventionSchema),
  /** By detector; for those that occur in this run. */
  rungs: z.record(z.string(), rungsSchema),
  plans: z.array(planSchema),
  subagents: z.array(runRowSchema),
  /** The session's other runs, oldest first. */
  otherRuns: z.array(z.object({ id: z.string(), prompt: z.string(), startedAt: timeSchema })),
  /** The commands that the run accepts now. `continue`: a new run in its session, with a prompt. */
  accepts: z.array(z.enum(["stop", "steer", "limit", "mute", "answer", "resume", "continue", "fork"])),
});
export type RunDetail = z.infer<typeof runDetailSchema>;

/**
 * What would have happened if the run had been ended at a number of equal calls. `points` has one entry for each number
 * from 3 to 14 at which it would have been ended; from there on this is an estimate.
 */
export const whatIfSchema = z.object({
  defaultCount: z.number(),
  points: z.array(
    z.object({
      count: z.number(),
      /** The event of the call after which it would have ended; null for recordings without events. */
      seq: z.number().nullable(),
      at: timeSchema.nullable(),
      /** From 1. */
      turn: z.number(),
      detector: z.string(),
      costUsd: usdSchema,
      savedUsd: usdSchema,
    }),
  ),
});
export type WhatIf = z.infer<typeof whatIfSchema>;
