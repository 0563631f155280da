import { expect, test } from "vitest";
import type { FlatCall, FlatRun } from "../flat-run.ts";
import { untilStop } from "../reaction.ts";
import { aar } from "./aar.ts";
import { cline } from "./cline.ts";
import { crush } from "./crush.ts";
import { deerFlow } from "./deer-flow.ts";
import { geminiCli } from "./gemini-cli.ts";
import { hermesAgent } from "./hermes-agent.ts";
import { rules } from "./index.ts";
import { llmRb } from "./llm-rb.ts";
import { openclaw } from "./openclaw.ts";
import { opencodeGenerous } from "./opencode.ts";
import { openHands } from "./openhands.ts";
import { qwenCode } from "./qwen-code.ts";
import { rooCode } from "./roo-code.ts";
import type { Rule } from "./rule.ts";
import { ryvos } from "./ryvos.ts";
import { toolGuardrails } from "./tool-guardrails.ts";

const sameRead = Array.from({ length: 24 }, () => ({ tool: "read_file", args: { path: "a" }, result: "text" }));
const sameFailure = sameRead.map((call) => ({ ...call, result: "error: no such file", isError: true }));

/** Call and action of the first reaction and of the first block or stop. */
interface Firsts {
  readonly first: string | undefined;
  readonly force: string | undefined;
}

test.each<Firsts & { readonly rule: Rule }>([
  { rule: aar, first: "3 stop", force: "3 stop" },
  { rule: cline, first: "2 hint", force: "4 stop" },
  { rule: crush, first: "9 stop", force: "9 stop" },
  { rule: deerFlow, first: "2 hint", force: "4 stop" },
  { rule: geminiCli, first: "4 hint", force: "5 stop" },
  { rule: hermesAgent, first: "1 hint", force: "4 stop" },
  { rule: llmRb, first: "2 block", force: "2 block" },
  { rule: openclaw, first: "10 hint", force: "20 block" },
  { rule: opencodeGenerous, first: "2 block", force: "2 block" },
  { rule: openHands, first: "3 stop", force: "3 stop" },
  { rule: qwenCode, first: "4 stop", force: "4 stop" },
  { rule: rooCode, first: "3 block", force: "3 block" },
  { rule: ryvos, first: "2 hint", force: undefined },
  { rule: toolGuardrails, first: "1 hint", force: "4 block" },
])("$rule.name reacts to equal reads as its system does", ({ rule, first, force }) => {
  expect(firstsOf(rule, flatRun(sameRead))).toEqual({ first, force });
});

test.each<Firsts & { readonly rule: Rule }>([
  { rule: openHands, first: "2 hint", force: "3 stop" },
  { rule: hermesAgent, first: "1 hint", force: "4 stop" },
  { rule: toolGuardrails, first: "2 hint", force: "4 block" },
])("$rule.name reacts to equal failures as its system does", ({ rule, first, force }) => {
  expect(firstsOf(rule, flatRun(sameFailure))).toEqual({ first, force });
});

test("Roo-Code counts from zero after it has refused a call", () => {
  expect(untilStop(rooCode.reactions(flatRun(sameRead.slice(0, 9)))).map(({ call }) => call)).toEqual([3, 7]);
});

test("openclaw does not block equal calls whose results change", () => {
  const changing = sameRead.map((call, index) => ({ ...call, result: `line ${index}` }));
  expect(firstsOf(openclaw, flatRun(changing))).toEqual({ first: "10 hint", force: undefined });
});

test("no rule reacts to calls that all differ", () => {
  const different = ["list", "read", "edit"].map((tool, index) => ({ tool, args: { path: `${index}` }, result: tool }));
  const reacting = rules.filter(({ reactions }) => [...reactions(flatRun(different))].length > 0);
  expect(reacting.map(({ name }) => name)).toEqual([]);
});

test.each(rules.filter(({ tuned }) => tuned !== undefined))("$name has its default among its thresholds", (rule) => {
  const reactionsOf = ({ reactions }: Pick<Rule, "reactions">) => JSON.stringify([...reactions(flatRun(sameFailure))]);
  expect(rule.tuned?.map(reactionsOf)).toContain(reactionsOf(rule));
});

function firstsOf(
  rule: Rule,
  run: FlatRun,
): { readonly first: string | undefined; readonly force: string | undefined } {
  const texts = untilStop(rule.reactions(run)).map(({ call, action }) => `${call} ${action}`);
  return { first: texts[0], force: texts.find((text) => !text.endsWith("hint")) };
}

function flatRun(calls: readonly Pick<FlatCall, "tool" | "args" | "result">[]): FlatRun {
  const flat = calls.map((call, index) => ({ index, turn: index, userTurn: 0, isError: null, text: "", ...call }));
  return {
    id: "run",
    calls: flat,
    steps: flat.map((call) => ({ turn: call.turn, userTurn: 0, text: "", calls: [call] })),
  };
}
