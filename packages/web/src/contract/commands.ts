import { z } from "zod";

/** Starts a run in a process of its own. Questions of the run can be answered from any page. */
export const startSchema = z.object({
  prompt: z.string().trim().min(1).max(1_000_000),
  workspace: z.string().min(1),
  model: z.string().min(1).optional(),
  maxCostUsd: z.number().positive().optional(),
  maxTurns: z.number().int().min(0).optional(),
  goal: z.string().min(1).optional(),
});
export type StartCommand = z.infer<typeof startSchema>;

/** A command to a run of any process. */
export const runCommandSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("stop") }),
  z.object({ type: z.literal("steer"), text: z.string().trim().min(1).max(100_000) }),
  /** `stop` in the unit of the limit: dollars, tokens, turns or seconds; 0 removes it. */
  z.object({
    type: z.literal("limit"),
    limit: z.enum(["run-cost", "run-tokens", "turns", "time"]),
    stop: z.number().min(0),
  }),
  z.object({
    type: z.literal("mute"),
    episode: z.string().optional(),
    detector: z.string().optional(),
    tool: z.string().optional(),
  }),
  z.object({
    type: z.literal("unmute"),
    episode: z.string().optional(),
    detector: z.string().optional(),
    tool: z.string().optional(),
  }),
  z.object({
    type: z.literal("approval"),
    callId: z.string().min(1),
    isAllowed: z.boolean(),
    /** Exactly this call is allowed until the program of the run ends. */
    isAlways: z.literal(true).optional(),
    reason: z.string().max(10_000).optional(),
  }),
  z.object({
    type: z.literal("answer"),
    questionId: z.string().min(1),
    answer: z.enum(["stop", "continue", "tell"]),
    text: z.string().max(100_000).optional(),
  }),
  z.object({ type: z.literal("reply"), callId: z.string().min(1), text: z.string().min(1).max(100_000) }),
]);
export type RunCommand = z.infer<typeof runCommandSchema>;

/** What came of a command, as a sentence for the user. `isDone` is false if it had no effect. */
export const commandResultSchema = z.object({
  isDone: z.boolean(),
  text: z.string(),
  /** The run that was started, resumed or forked. */
  runId: z.string().nullable(),
});
export type CommandResult = z.infer<typeof commandResultSchema>;

export const resumeSchema = z.object({
  /** A new limit of the run's cost; default: the limit that the command of the run has. */
  maxCostUsd: z.number().positive().optional(),
  /** Starts a new run in the session with this prompt, also after a run that has completed. */
  prompt: z.string().trim().min(1).max(1_000_000).optional(),
});

/** A prompt for the copy, which is run at once; without one, the session is only copied. */
export const forkSchema = z.object({ prompt: z.string().trim().min(1).max(1_000_000).optional() });

/** Changes a limit of money in the user's configuration. `usd` 0 removes it. */
export const setBudgetSchema = z.object({
  scope: z.enum(["month", "day", "session", "run"]),
  usd: z.number().min(0).max(1_000_000),
});

/** Sets the price of a model in the user's configuration, in dollars per million tokens. */
export const setPriceSchema = z.object({
  model: z.string().min(1).max(200),
  inputUsd: z.number().min(0).max(10_000),
  outputUsd: z.number().min(0).max(10_000),
});

/** The user's judgement about an intervention. Null takes it back. */
export const judgementSchema = z.object({ interventionId: z.string().min(1), isRight: z.boolean().nullable() });

/** Trades the token of the address for a cookie. */
export const loginSchema = z.object({ token: z.string().min(1).max(200) });

/** Every failure of the API. */
export const problemSchema = z.object({ problem: z.string() });
export type Problem = z.infer<typeof problemSchema>;
