import { call, fails, message, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, hinted, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble, uuid } from "./values.ts";

const summaries = [
  "Checkout button is hidden on small screens",
  "Import stops at row 65536",
  "Wrong currency in the receipt",
  "Session ends after two minutes",
  "Search ignores umlauts",
  "Avatar upload turns images by 90 degrees",
  "Weekly report has two Mondays",
  "Password reset mail arrives twice",
  "Map does not load behind a proxy",
  "Sorting by date is by text",
  "Export has no header line",
  "Dark theme has grey text on grey",
] as const;
const states = ["To Do", "In Progress", "In Review", "Done"] as const;

const issue = (i: number) => ({
  key: `SHOP-${1200 + i}`,
  self: `https://example.atlassian.net/rest/api/3/issue/${10_000 + i}`,
  fields: {
    summary: pick(summaries, i),
    status: { name: pick(states, scramble(i)) },
    priority: { name: i % 3 === 0 ? "High" : "Medium" },
    updated: at(i, 5000),
    description: `Seen by customer ${4000 + (scramble(i) % 900)} on build ${i * 17 + 3}.`,
  },
});
const getIssue = (i: number) =>
  call("jira_get_issue", { issue_key: `SHOP-${1200 + i}`, fields: "summary,status,description" }, issue(i));
const jql = (query: string, found: readonly unknown[]) =>
  call("jira_search", { jql: query, limit: 25 }, { total: found.length, start_at: 0, max_results: 25, issues: found });
const linearIssue = (i: number) => ({
  id: uuid(i),
  identifier: `ENG-${300 + i}`,
  title: pick(summaries, i + 4),
  state: { name: pick(states, i) },
  updatedAt: at(i, 900),
});

describe("Jira and Linear, legitimate", () => {
  check([
    withoutForce(
      "nine questions to Jira without an issue as answer",
      times(9, (i) => jql(`project = SHOP AND text ~ "${pick(summaries, i)}" AND created > -${i + 2}w`, [])),
    ),
    withoutForce("fifteen issues read, sorted and read again for the report", [
      ...times(15, getIssue),
      ...times(15, getIssue),
    ]),
    silent(
      "issues moved along the board, each through two states",
      times(8, (i) => [
        call("jira_transition_issue", { issue_key: `SHOP-${1200 + i}`, transition_id: "21" }, { success: true }),
        call(
          "jira_get_issue",
          { issue_key: `SHOP-${1200 + i}` },
          { ...issue(i), fields: { status: { name: "In Review" } } },
        ),
      ]),
    ),
    withoutForce(
      "a comment for each reproduction step on one ticket",
      times(11, (i) =>
        call(
          "jira_add_comment",
          {
            issue_key: "SHOP-1207",
            comment: `Step ${i + 1}: with ${pick(summaries, i).toLowerCase()} the total is ${scramble(i) % 500} EUR.`,
          },
          { id: String(50_000 + i), created: at(i), author: "qa-agent" },
        ),
      ),
    ),
    withoutForce(
      "fields that Jira does not know, each another name",
      times(8, (i) =>
        fails(
          "jira_search",
          { jql: `cf[${10_010 + i}] = ${i} ORDER BY rank` },
          `400: Field 'cf[${10_010 + i}]' does not exist or you do not have permission to view it.`,
        ),
      ),
    ),
    silent(
      "a person asks again and again for the current sprint",
      times(5, () => [
        message(),
        call("jira_get_sprints", { board_id: "8", state: "active" }, [{ id: 91, name: "Sprint 34", goal: "Receipts" }]),
      ]),
    ),
    silent(
      "new issues created from a list, each with an own title",
      times(12, (i) =>
        call(
          "create_issue",
          { teamId: "ENG", title: pick(summaries, i), priority: (i % 4) + 1 },
          { success: true, issue: linearIssue(i) },
        ),
      ),
    ),
    silent(
      "a backlog that shrinks while it is triaged",
      times(10, (i) => [
        call(
          "list_issues",
          { team: "ENG", state: "Triage", limit: 1 },
          { issues: [linearIssue(i)], remaining: 10 - i },
        ),
        call(
          "update_issue",
          { id: uuid(i), stateId: hexId(2), assigneeId: hexId(i) },
          { success: true, lastSyncId: 88_000 + i },
        ),
      ]),
    ),
    silent(
      "a generic calendar tool that lists the days of the release",
      times(7, (i) =>
        call(
          "calendar",
          { operation: "list", from: at(i, 86_400).slice(0, 10), to: at(i + 1, 86_400).slice(0, 10) },
          {
            events: [{ id: hexId(i), title: pick(summaries, i), start: at(i, 86_400) }],
          },
        ),
      ),
    ),
  ]);
});

describe("Jira and Linear, loops", () => {
  check([
    stopped(
      "a transition that the workflow does not allow",
      times(26, (i) =>
        fails(
          "jira_transition_issue",
          { issue_key: "SHOP-1203", transition_id: "31" },
          "It seems that you have tried to perform a workflow operation " +
            `that is not valid for the current state. traceId=${hexId(i, 16)}`,
        ),
      ),
      { byCall: 5 },
    ),
    noticed(
      "three and four passes over ten tickets",
      times(40, (i) => getIssue(i % 10)),
      { byCall: 40 },
    ),
    noticed(
      "a sprint report whose only change is the time of the answer",
      times(12, (i) =>
        call(
          "jira_get_sprint_report",
          { board_id: "8", sprint_id: "91" },
          { completed: 11, notCompleted: 6, punted: 1, generatedAt: at(i), durationMs: 120 + (scramble(i) % 60) },
        ),
      ),
      { byCall: 8 },
    ),
    hinted(
      "one issue in ten wordings, the same three hits each time",
      times(10, (i) =>
        call(
          "linear_search_issues",
          {
            query: pick(
              [
                "receipt currency",
                "currency of receipts",
                "wrong currency receipt",
                "EUR USD receipt",
                "receipt shows USD",
              ],
              i,
            ),
            limit: 3 + i,
          },
          {
            nodes: [
              {
                identifier: "ENG-311",
                title: "Wrong currency in the receipt",
                description: "The receipt of Swiss customers shows USD instead of CHF.",
              },
              {
                identifier: "ENG-290",
                title: "Currency of refunds",
                description: "Refunds use the currency of the shop and not of the order.",
              },
              {
                identifier: "ENG-145",
                title: "Receipts by mail",
                description: "Send the receipt as PDF instead of HTML.",
              },
            ],
          },
        ),
      ),
    ),
    stopped(
      "one label added again and again",
      times(25, () =>
        call(
          "linear_update_issue",
          { id: uuid(4), labelIds: [hexId(9)] },
          { success: true, issue: { identifier: "ENG-304", labels: ["bug"] } },
        ),
      ),
      { byCall: 8 },
    ),
    noticed(
      "board, sprint, backlog and the board again, short answers",
      times(9, () => [
        call("jira_get_agile_boards", { project_key: "SHOP" }, [{ id: 8, type: "scrum" }]),
        call("jira_get_sprints", { board_id: "8", state: "active" }, [{ id: 91 }]),
        call("jira_get_sprint_issues", { sprint_id: "91" }, { total: 0, issues: [] }),
      ]),
      { byCall: 18 },
    ),
    noticed(
      "a Linear comment with the same words, a person looks on and says nothing new",
      times(6, (i) => [
        message(),
        call(
          "linear_create_comment",
          { issueId: uuid(4), body: "I could not reproduce this. Closing." },
          { success: true, id: uuid(500 + i) },
        ),
      ]),
    ),
  ]);
});
