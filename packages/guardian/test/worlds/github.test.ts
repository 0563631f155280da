import { call, fails, message, pause, times, turn } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, hinted, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble } from "./values.ts";

const repo = { owner: "northwind", repo: "billing-api" };
const symbols = [
  "LegacyInvoiceMapper",
  "XmlExportJob",
  "retryWithJitter",
  "TaxTableV1",
  "CustomerMerge",
  "oldLedgerUrl",
  "SoapClient",
  "PdfRendererPool",
  "useFlakyCache",
  "BankHolidayFeed",
  "fetchVatRates",
  "DunningLevel4",
] as const;
const files = [
  "src/invoice.ts",
  "src/ledger.ts",
  "src/tax.ts",
  "src/dunning.ts",
  "src/customer.ts",
  "src/http/client.ts",
  "src/http/retry.ts",
  "src/db/pool.ts",
  "src/db/migrate.ts",
  "src/pdf/render.ts",
  "src/jobs/nightly.ts",
  "src/jobs/export.ts",
] as const;

const contents = (path: string, seed: number) => ({
  type: "file",
  name: path.split("/").at(-1),
  path,
  sha: hexId(seed, 40),
  size: 400 + (scramble(seed) % 9000),
  encoding: "utf-8",
  content:
    `import { log } from "./log";\n\nexport function ` +
    `${hexId(seed, 6)}(input: Input${seed}) {\n  log("${path}");\n}\n`,
});
const getFile = (i: number) => {
  const path = pick(files, i);
  return call("mcp__github__get_file_contents", { ...repo, path }, contents(path, i % files.length));
};
const wordings = ["VAT rounding", "round vat", "vat round half even", "rounding of VAT", "roundVat"] as const;
const noHits = { total_count: 0, incomplete_results: false, items: [] };

const comment = (body: string, i: number) =>
  call(
    "mcp__github__add_issue_comment",
    { ...repo, issue_number: 418, body },
    {
      id: 2_900_000_000 + (scramble(i) % 90_000_000),
      html_url: `https://github.com/northwind/billing-api/issues/418#issuecomment-${scramble(i)}`,
      created_at: at(i),
      user: { login: "billing-bot" },
    },
  );

const checkRuns = (i: number, done: number) => ({
  sha: "9f1c2ab",
  state: "pending",
  total_count: 14,
  completed: done,
  updated_at: at(i),
  statuses: [{ context: "ci/unit", state: done > 3 ? "success" : "pending" }],
});

describe("GitHub by MCP, legitimate", () => {
  check([
    withoutForce(
      "code search for twelve dead symbols that finds none of them",
      times(12, (i) =>
        call("mcp__github__search_code", { q: `${pick(symbols, i)} repo:northwind/billing-api` }, noHits),
      ),
    ),
    withoutForce("twelve files read once and once more before the review is written", times(24, getFile)),
    silent("one file of each folder, then a review comment for each with its own remark", [
      ...times(10, getFile),
      ...times(10, (i) =>
        call(
          "mcp__github__create_pull_request_review_comment",
          {
            ...repo,
            pull_number: 77,
            path: pick(files, i),
            line: 10 + i * 7,
            body: `${pick(symbols, i)} is unused here.`,
          },
          { id: scramble(i), path: pick(files, i), position: i + 3, created_at: at(i) },
        ),
      ),
    ]),
    silent(
      "checks of a pull request that finish one after the other",
      times(12, (i) => [
        call("mcp__github__get_pull_request_status", { ...repo, pull_number: 77 }, checkRuns(i, i + 1)),
        pause(30_000),
      ]),
    ),
    silent(
      "the pages of the issue list, each with other issues",
      times(9, (i) =>
        call(
          "mcp__github__list_issues",
          { ...repo, state: "open", page: i + 1, per_page: 3 },
          [0, 1, 2].map((row) => ({
            number: 400 - i * 3 - row,
            title: `${pick(symbols, i * 3 + row)} fails on ${pick(files, i + row)}`,
            updated_at: at(i * 3 + row, 4000),
          })),
        ),
      ),
    ),
    withoutForce(
      "progress on one issue, attended",
      times(15, (i) => comment(`Migrated ${i + 1} of 15 call sites (${pick(files, i)}).`, i)),
      { options: { attended: true } },
    ),
    withoutForce(
      "paths that do not exist, each another one",
      times(8, (i) =>
        fails(
          "mcp__github__get_file_contents",
          { ...repo, path: `docs/${pick(symbols, i)}.md` },
          "Not Found: Resource not found",
        ),
      ),
    ),
    silent(
      "a person asks four times whether the pull request is approved",
      times(4, () => [
        message(),
        call("mcp__github__get_pull_request_reviews", { ...repo, pull_number: 77 }, [
          { user: "ada", state: "COMMENTED", submitted_at: at(3) },
        ]),
      ]),
    ),
    silent("the same replacement pushed to ten files, in two parallel batches", [
      ...[0, 1].map((batch) =>
        turn(
          ...[0, 1, 2, 3, 4].map((i) =>
            call(
              "mcp__github__create_or_update_file",
              {
                ...repo,
                path: pick(files, batch * 5 + i),
                message: "chore: licence header",
                branch: "headers",
                content: "// MIT\n",
              },
              { commit: { sha: hexId(batch * 5 + i, 40) } },
            ),
          ),
        ),
      ),
    ]),
  ]);
});

describe("GitHub by MCP, loops", () => {
  check([
    stopped(
      "the status of a commit with a fresh request id, without a pause",
      times(30, (i) =>
        call(
          "mcp__github__get_commit_status",
          { ...repo, ref: "main" },
          {
            state: "failure",
            description: "lint failed in src/tax.ts",
            x_github_request_id: hexId(i, 12),
            etag: `W/"${hexId(i, 16)}"`,
          },
        ),
      ),
      { byCall: 8 },
    ),
    stopped(
      "the same comment on the same issue",
      times(25, (i) => comment("I have fixed the rounding of VAT. Please review.", i)),
      { byCall: 5 },
    ),
    hinted(
      "reworded code searches with the same two hits, byte for byte",
      times(10, (i) =>
        call(
          "mcp__github__search_code",
          {
            q: `${pick(wordings, i)} ${i}`,
          },
          {
            total_count: 2,
            items: [
              {
                path: "src/tax.ts",
                sha: hexId(1, 40),
                score: 1,
                text_matches: ["const rounded = Math.round(net * rate) / 100;"],
              },
              {
                path: "test/tax.test.ts",
                sha: hexId(2, 40),
                score: 1,
                text_matches: ["expect(vat(19.99)).toBe(3.80)"],
              },
            ],
          },
        ),
      ),
    ),
    noticed("four passes over twelve files that nobody changes", times(48, getFile), { byCall: 48 }),
    stopped(
      "an update with a sha that is out of date",
      times(25, () =>
        fails(
          "mcp__github__create_or_update_file",
          {
            ...repo,
            path: "README.md",
            message: "docs: badge",
            branch: "main",
            sha: hexId(5, 40),
            content: "# Billing\n",
          },
          `409 Conflict: README.md does not match ${hexId(5, 40)}`,
        ),
      ),
      { byCall: 5 },
    ),
    noticed(
      "a lap of list, read and comment draft with nothing new",
      times(10, () => [
        call("mcp__github__list_pull_requests", { ...repo, state: "open" }, [
          { number: 77, title: "VAT", draft: false },
        ]),
        call(
          "mcp__github__get_pull_request",
          { ...repo, pull_number: 77 },
          { number: 77, mergeable: null, changed_files: 4 },
        ),
        call("mcp__github__get_pull_request_files", { ...repo, pull_number: 77 }, [
          { filename: "src/tax.ts", changes: 12 },
        ]),
      ]),
      { byCall: 18 },
    ),
  ]);
});
