import { expect, test } from "vitest";
import { filterTerm, parseRunFilter, withFilterTerm } from "./run-filter.ts";

const now = new Date(2026, 10, 11, 8, 52).getTime();
const query = (filter: string) => parseRunFilter(filter, now).query;
const problem = (filter: string) => parseRunFilter(filter, now).problem;

test("words are searched, and terms are read in any order", () => {
  expect(query("migration state:failed  project:api-server orders cost:>1 guardian:halt")).toEqual({
    text: "migration orders",
    state: "failed",
    project: "api-server",
    minCostUsd: 1,
    guardian: "halt",
  });
});

test("a value with spaces stands in quotes", () => {
  expect(query('project:"my shop" "exact words"')).toEqual({ project: "my shop", text: "exact words" });
  expect(query('project:"my sh')).toEqual({ project: "my sh" });
});

test("costs are a minimum, a maximum or both", () => {
  expect(query("cost:>0.5")).toEqual({ minCostUsd: 0.5 });
  expect(query("cost:<=$5")).toEqual({ maxCostUsd: 5 });
  expect(query("cost:1..5")).toEqual({ minCostUsd: 1, maxCostUsd: 5 });
});

test("times are hours, days that include today, or a date", () => {
  expect(query("since:24h")).toEqual({ since: now - 24 * 3_600_000 });
  expect(query("since:7d")).toEqual({ since: new Date(2026, 10, 5).getTime() });
  expect(query("since:2026-11-01")).toEqual({ since: new Date(2026, 10, 1).getTime() });
});

test("a term that cannot be read is left out and explained", () => {
  expect(query("state:done tests")).toEqual({ text: "tests" });
  expect(problem("state:done")).toBe("Write state: with one of live, waiting, completed, stopped, failed.");
  expect(problem("cost:1")).toBe("Write cost:>1, cost:<5 or cost:1..5, in dollars.");
  expect(problem("since:monday")).toBe("Write since:24h, since:7d or a date such as since:2026-11-01.");
});

test("a term that is being written does not filter yet", () => {
  expect(parseRunFilter("project:", now)).toEqual({ query: {}, problem: undefined });
});

test("an unknown key and an address are words", () => {
  expect(query("http://localhost error:timeout")).toEqual({ text: "http://localhost error:timeout" });
});

test("the last term of a kind wins", () => {
  expect(query("state:live state:failed")).toEqual({ state: "failed" });
  expect(filterTerm("state:live state:failed", "state")).toBe("failed");
});

test("a menu writes, replaces and removes its term and keeps the rest", () => {
  expect(withFilterTerm("orders cost:>1", "state", "live")).toBe("orders cost:>1 state:live");
  expect(withFilterTerm("state:live orders", "state", "failed")).toBe("orders state:failed");
  expect(withFilterTerm("orders state:live", "state", undefined)).toBe("orders");
  expect(withFilterTerm("", "project", "my shop")).toBe('project:"my shop"');
});
