import { z } from "zod";
import { budgetsQuerySchema, budgetsSchema } from "./budgets.ts";
import {
  commandResultSchema,
  forkSchema,
  judgementSchema,
  loginSchema,
  resumeSchema,
  runCommandSchema,
  setBudgetSchema,
  setPriceSchema,
  startSchema,
} from "./commands.ts";
import { feedPageSchema, feedQuerySchema, overviewSchema } from "./feed.ts";
import { findingsQuerySchema, findingsSchema } from "./findings.ts";
import { runDetailSchema, whatIfSchema } from "./run-detail.ts";
import { runsPageSchema, runsQuerySchema } from "./run-row.ts";
import { auditPageSchema, auditQuerySchema, doctorSchema, memoryPageSchema, settingsSchema } from "./settings.ts";
import { eventsPageSchema, eventsQuerySchema, streamQuerySchema, wholeCallSchema } from "./wire-event.ts";

/** A route of the API: what it takes and what it answers. Path parameters are in braces. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: `/api/${string}`;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Absent for the live stream. */
  readonly response?: z.ZodType;
}

const none = z.object({});

/** Every route. The server checks queries and bodies with these schemas; the OpenAPI description comes from them. */
export const routes = {
  login: {
    method: "POST",
    path: "/api/login",
    summary: "Trade the token of the address for a cookie",
    body: loginSchema,
    response: none,
  },
  overview: {
    method: "GET",
    path: "/api/overview",
    summary: "What waits for the user, and what was spent today",
    response: overviewSchema,
  },
  stream: { method: "GET", path: "/api/stream", summary: "Events of all processes, live", query: streamQuerySchema },
  runs: {
    method: "GET",
    path: "/api/runs",
    summary: "Runs and recordings",
    query: runsQuerySchema,
    response: runsPageSchema,
  },
  start: {
    method: "POST",
    path: "/api/runs",
    summary: "Start a run",
    body: startSchema,
    response: commandResultSchema,
  },
  stopAll: {
    method: "POST",
    path: "/api/stop-all",
    summary: "Stop all live runs",
    body: none,
    response: commandResultSchema,
  },
  run: { method: "GET", path: "/api/runs/{id}", summary: "The head of a run", response: runDetailSchema },
  events: {
    method: "GET",
    path: "/api/runs/{id}/events",
    summary: "The events of a run",
    query: eventsQuerySchema,
    response: eventsPageSchema,
  },
  call: {
    method: "GET",
    path: "/api/runs/{id}/calls/{callId}",
    summary: "A whole call",
    response: wholeCallSchema,
  },
  whatIf: {
    method: "GET",
    path: "/api/runs/{id}/what-if",
    summary: "Where the run would have been ended",
    response: whatIfSchema,
  },
  command: {
    method: "POST",
    path: "/api/runs/{id}/command",
    summary: "Send a command to a run",
    body: runCommandSchema,
    response: commandResultSchema,
  },
  resume: {
    method: "POST",
    path: "/api/runs/{id}/resume",
    summary: "Resume a run",
    body: resumeSchema,
    response: commandResultSchema,
  },
  fork: {
    method: "POST",
    path: "/api/runs/{id}/fork",
    summary: "Copy the session of a run into a new one",
    body: forkSchema,
    response: commandResultSchema,
  },
  judgement: {
    method: "POST",
    path: "/api/runs/{id}/judgement",
    summary: "Say whether an intervention was right",
    body: judgementSchema,
    response: commandResultSchema,
  },
  feed: {
    method: "GET",
    path: "/api/feed",
    summary: "The activity of all runs",
    query: feedQuerySchema,
    response: feedPageSchema,
  },
  budgets: {
    method: "GET",
    path: "/api/budgets",
    summary: "Costs against limits",
    query: budgetsQuerySchema,
    response: budgetsSchema,
  },
  setBudget: {
    method: "POST",
    path: "/api/budgets",
    summary: "Change a limit of the configuration",
    body: setBudgetSchema,
    response: commandResultSchema,
  },
  setPrice: {
    method: "POST",
    path: "/api/prices",
    summary: "Set the price of a model",
    body: setPriceSchema,
    response: commandResultSchema,
  },
  findings: {
    method: "GET",
    path: "/api/findings",
    summary: "What the guardian finds in runs and recordings",
    query: findingsQuerySchema,
    response: findingsSchema,
  },
  settings: { method: "GET", path: "/api/settings", summary: "The configuration", response: settingsSchema },
  doctor: { method: "GET", path: "/api/doctor", summary: "Checks of the installation", response: doctorSchema },
  audit: {
    method: "GET",
    path: "/api/audit",
    summary: "Decisions about calls",
    query: auditQuerySchema,
    response: auditPageSchema,
  },
  memory: { method: "GET", path: "/api/memory", summary: "Facts and lessons", response: memoryPageSchema },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
