import type { RouteName, routes } from "@sheepdog/web/contract";
import type { z } from "zod";
import { resumeRun } from "../run-commands/resume-run.ts";
import { sendCommand } from "../run-commands/send-command.ts";
import type { Program } from "../run-commands/spawn-run.ts";
import { startRun } from "../run-commands/start-run.ts";
import { forkRun } from "./commands/fork-run.ts";
import { changeBudget, changePrice } from "./commands/set-money.ts";
import { stopAll } from "./commands/stop-all.ts";
import type { ViewContext } from "./view-context.ts";
import { auditView } from "./views/audit-view.ts";
import { budgetsView } from "./views/budgets-view.ts";
import { doctorView } from "./views/doctor-view.ts";
import { callView, eventsView } from "./views/events-view.ts";
import { feedView } from "./views/feed-view.ts";
import { findingsView } from "./views/findings-view.ts";
import { saveJudgement } from "./views/judgements-view.ts";
import { memoryView } from "./views/memory-view.ts";
import { overviewView } from "./views/overview-view.ts";
import { runView } from "./views/run-view.ts";
import { runsView } from "./views/runs-view.ts";
import { settingsView } from "./views/settings-view.ts";
import { whatIfView } from "./views/what-if-view.ts";

type Routes = typeof routes;
type ValueOf<Part> = Part extends z.ZodType ? z.infer<Part> : undefined;

/** A request whose query and body are checked. */
export interface ApiRequest<Name extends RouteName> {
  readonly params: { readonly id: string; readonly callId: string };
  readonly query: ValueOf<Routes[Name] extends { readonly query: infer Query } ? Query : undefined>;
  readonly body: ValueOf<Routes[Name] extends { readonly body: infer Body } ? Body : undefined>;
}

/** Answers with a document; undefined if what the path names is unknown. */
type Handler<Name extends RouteName> = (request: ApiRequest<Name>) => Promise<object | undefined>;

/** The handler of each route, except those that are not answered with a document. */
export type Handlers = { readonly [Name in Exclude<RouteName, "login" | "stream">]: Handler<Name> };

/** Connects each route with its view or command. `program` starts runs in processes of their own. */
export function createHandlers(context: ViewContext, program: Program): Handlers {
  return {
    overview: () => overviewView(context),
    runs: ({ query }) => runsView(context, query),
    run: ({ params }) => runView(context, params.id),
    events: ({ params, query }) => eventsView(context, params.id, query),
    call: ({ params }) => callView(context, params.id, params.callId),
    whatIf: ({ params }) => whatIfView(context, params.id),
    feed: ({ query }) => feedView(context, query),
    budgets: ({ query }) => budgetsView(context, query),
    findings: ({ query }) => findingsView(context, query),
    settings: () => settingsView(context),
    doctor: () => doctorView(context),
    audit: ({ query }) => auditView(context, query),
    memory: () => memoryView(context),
    judgement: ({ params, body }) => saveJudgement(context, params.id, body),
    command: ({ params, body }) => sendCommand(context, params.id, body),
    stopAll: () => stopAll(context),
    start: ({ body }) => startRun(context, program, body),
    resume: ({ params, body }) => resumeRun(context, program, { id: params.id, ...body }),
    fork: ({ params, body }) => forkRun(context, program, { id: params.id, prompt: body.prompt }),
    setBudget: ({ body }) => changeBudget(context, body),
    setPrice: ({ body }) => changePrice(context, body),
  };
}
