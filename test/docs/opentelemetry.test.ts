import { expect, test } from "vitest";
import {
  attribute,
  CONVENTIONS_VERSION,
  EVALUATION_EVENT,
} from "../../packages/agent/src/opentelemetry/conventions.ts";
import { own, spanEvent } from "../../packages/agent/src/opentelemetry/own-attributes.ts";
import { codeSpans, readRepositoryFile } from "./page.ts";

const page = readRepositoryFile("docs/opentelemetry.md");
const prose = page.replace(/^```[\s\S]*?^```$/gm, "");
const named = new Set(
  codeSpans(prose).filter(
    (name) => /^(?:gen_ai|sheepdog|server|error)\.[a-z_.]+$/.test(name) && name !== "sheepdog.toml",
  ),
);

test("the page names every attribute and event, and no other", () => {
  const used = [...Object.values(attribute), ...Object.values(own), ...Object.values(spanEvent)];
  expect([...named].sort()).toEqual([...new Set([...used, EVALUATION_EVENT])].sort());
});

test("the page has the version of the conventions", () => {
  expect(page).toContain(`version ${CONVENTIONS_VERSION}`);
});
