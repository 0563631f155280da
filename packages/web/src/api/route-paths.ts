import type { RouteName, routes } from "../contract/index.ts";

/** The path of each route. The pages know the contract by its types only: the schemas are for the server. */
export const routePaths: { readonly [Name in RouteName]: (typeof routes)[Name]["path"] } = {
  login: "/api/login",
  overview: "/api/overview",
  stream: "/api/stream",
  runs: "/api/runs",
  start: "/api/runs",
  stopAll: "/api/stop-all",
  run: "/api/runs/{id}",
  events: "/api/runs/{id}/events",
  call: "/api/runs/{id}/calls/{callId}",
  whatIf: "/api/runs/{id}/what-if",
  command: "/api/runs/{id}/command",
  resume: "/api/runs/{id}/resume",
  fork: "/api/runs/{id}/fork",
  judgement: "/api/runs/{id}/judgement",
  feed: "/api/feed",
  budgets: "/api/budgets",
  setBudget: "/api/budgets",
  setPrice: "/api/prices",
  findings: "/api/findings",
  settings: "/api/settings",
  doctor: "/api/doctor",
  audit: "/api/audit",
  memory: "/api/memory",
};
