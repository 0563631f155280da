import { z } from "zod";
import { timeSchema } from "./sentence.ts";

export const budgetsQuerySchema = z.object({ days: z.coerce.number().int().min(1).max(400).default(30) });

/** Money split into work and loops. */
const splitSchema = z.object({ workUsd: z.number(), loopUsd: z.number() });

/** A limit that is configured, or was changed for a live run. */
export const limitSchema = z.object({
  scope: z.enum(["month", "day", "session", "run", "turns", "time", "tokens", "context"]),
  /** "Month", "Day", "Run", "Turns of a run". */
  name: z.string(),
  /** In `unit`; null if there is no limit. */
  stop: z.number().nullable(),
  warn: z.number().nullable(),
  unit: z.enum(["usd", "tokens", "turns", "seconds", "percent"]),
  spent: z.number().nullable(),
  /** "your configuration", "default", "sheepdog.toml:7". */
  origin: z.string(),
  /** Set for the limit of one live run. */
  runId: z.string().nullable(),
  canRaise: z.boolean(),
});

export const budgetsSchema = z.object({
  at: timeSchema,
  /** "November: $115.00 of $400.00. Loops took $47.70 of it, most of it last night." */
  summary: z.string(),
  today: z.object({
    spentUsd: z.number(),
    limitUsd: z.number().nullable(),
    warnUsd: z.number().nullable(),
    note: z.string(),
  }),
  month: z.object({
    name: z.string(),
    spentUsd: z.number(),
    limitUsd: z.number().nullable(),
    warnUsd: z.number().nullable(),
    note: z.string(),
  }),
  perRun: z.object({ limitUsd: z.number().nullable(), note: z.string() }),
  reserved: z.object({ usd: z.number(), requests: z.number() }),
  /** Each day, oldest first, also those without costs. `day` is a UTC date such as 2026-11-11. */
  days: z.array(splitSchema.extend({ day: z.string() })),
  dayLimitUsd: z.number().nullable(),
  dayWarnUsd: z.number().nullable(),
  projects: z.array(splitSchema.extend({ project: z.string(), workspace: z.string().nullable() })),
  models: z.array(
    splitSchema.extend({
      model: z.string(),
      /** Dollars per million tokens; null if the price is unknown. */
      inputUsd: z.number().nullable(),
      outputUsd: z.number().nullable(),
      unpricedTokens: z.number(),
    }),
  ),
  purposes: z.array(z.object({ purpose: z.string(), usd: z.number() })),
  limits: z.array(limitSchema),
  /** The dearest loops. */
  loops: z.array(
    z.object({
      what: z.string(),
      isCommand: z.boolean(),
      times: z.number(),
      usd: z.number(),
      at: timeSchema,
      endedBy: z.enum(["guardian", "recovered", "limit", "user", "running", "run ended"]),
      runId: z.string(),
      seq: z.number(),
    }),
  ),
  /** Requests whose process ended before their cost was known. */
  unconfirmedUsd: z.number(),
});
export type Budgets = z.infer<typeof budgetsSchema>;
