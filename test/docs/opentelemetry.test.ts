import { expect, test } from "vitest";
import {
  attribute,
  CONVENTIONS_VERSION,
  EVALUATION_EVENT,
} from "../../packages/agent/src/opentelemetry/conventions.ts";
import { metrics } from "../../packages/agent/src/opentelemetry/metric-operation.ts";
import { own, spanEvent } from "../../packages/agent/src/opentelemetry/own-attributes.ts";
import { codeSpans, readRepositoryFile, tableRows } from "./page.ts";

const page = readRepositoryFile("docs/opentelemetry.md");
const prose = page.replace(/^```[\s\S]*?^```$/gm, "");
const named = new Set(
  codeSpans(prose).filter(
    (name) => /^(?:gen_ai|sheepdog|server|error)\.[a-z_.]+$/.test(name) && name !== "sheepdog.toml",
  ),
);

test("the page names every attribute, event and metric, and no other", () => {
  const used = [
    ...Object.values(attribute),
    ...Object.values(own),
    ...Object.values(spanEvent),
    ...Object.keys(metrics),
  ];
  expect([...named].sort()).toEqual([...new Set([...used, EVALUATION_EVENT])].sort());
});

test("the page has the version of the conventions", () => {
  expect(page).toContain(`version ${CONVENTIONS_VERSION}`);
});

test("the table of metrics has the instruments and units of the code", () => {
  const rows = tableRows(page).filter(
    ([name = ""]) => codeSpans(name)[0] !== undefined && (codeSpans(name)[0] ?? "") in metrics,
  );
  const listed = rows.map(([name = "", instrument, unit = ""]) => [codeSpans(name)[0], instrument, codeSpans(unit)[0]]);
  expect(listed).toEqual(Object.entries(metrics).map(([name, { instrument, unit }]) => [name, instrument, unit]));
});
