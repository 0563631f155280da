import { expect, test } from "vitest";
import { excerptAround, matchingEntries, type SearchEntry } from "./search-entries.ts";

const entry = (label: string, words?: string): SearchEntry => ({
  id: label,
  group: "Commands",
  icon: "runs",
  label,
  ...(words === undefined ? {} : { words }),
  action: () => undefined,
});
const entries = [entry("Budgets"), entry("New run", "start"), entry("Runs"), entry("Switch between light and dark")];
const labels = (text: string) => matchingEntries(entries, text).map(({ label }) => label);

test("an entry contains every word of the text, in any case", () => {
  expect(labels("DARK switch")).toEqual(["Switch between light and dark"]);
  expect(labels("dark runs")).toEqual([]);
});

test("an entry that begins with the text comes first", () => {
  expect(labels("run")).toEqual(["Runs", "New run"]);
});

test("an entry is found by its further words", () => {
  expect(labels("start")).toEqual(["New run"]);
});

test("an empty text finds everything in its order", () => {
  expect(labels(" ")).toEqual(["Budgets", "New run", "Runs", "Switch between light and dark"]);
});

test("the prompt around a word says why a run was found", () => {
  const prompt = `Add tenant_id to orders.\n${"Keep the old rows. ".repeat(5)}Then run the migration on staging.`;
  expect(excerptAround(prompt, "migration")).toMatch(/^….*run the migration on staging\.$/);
  expect(excerptAround("Add tenant_id to orders.", "tenant")).toBe("Add tenant_id to orders.");
  expect(excerptAround("Add tenant_id to orders.", "checkout")).toBe(undefined);
});
