import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectedAnthropicMessages } from "../../packages/records/test/fixtures/expected/anthropic-messages.ts";
import { expectedClaudeCode } from "../../packages/records/test/fixtures/expected/claude-code.ts";
import { expectedClaudeStream } from "../../packages/records/test/fixtures/expected/claude-stream.ts";
import { expectedCodex, expectedCodexExec } from "../../packages/records/test/fixtures/expected/codex.ts";
import {
  expectedGeminiChats,
  expectedGeminiCheckpoint,
  expectedQwenCode,
} from "../../packages/records/test/fixtures/expected/gemini-cli.ts";
import { expectedGooseDatabase, expectedGooseLines } from "../../packages/records/test/fixtures/expected/goose.ts";
import { expectedHermesDatabase } from "../../packages/records/test/fixtures/expected/hermes.ts";
import { expectedOpenAi } from "../../packages/records/test/fixtures/expected/openai.ts";
import {
  expectedOpencodeDatabaseWithoutCopies,
  expectedOpencodeExport,
  expectedOpencodeStorage,
} from "../../packages/records/test/fixtures/expected/opencode.ts";
import {
  expectedOpenhandsFolder,
  expectedOpenhandsTrajectory,
} from "../../packages/records/test/fixtures/expected/openhands.ts";
import {
  expectedClaudeCodeSpans,
  expectedCopilot,
} from "../../packages/records/test/fixtures/expected/opentelemetry.ts";
import { expectedOpenClaw, expectedPi } from "../../packages/records/test/fixtures/expected/pi.ts";
import { expectedSheepdog } from "../../packages/records/test/fixtures/expected/sheepdog.ts";
import type { ExpectedTotals } from "../../packages/records/test/totals.ts";
import { main } from "../../packages/sheepdog/src/cli.ts";
import { fakeIo } from "../../packages/sheepdog/test/fake-io.ts";
import { createFixturesHome } from "./fixtures-home.ts";

/**
 * All recordings of all agents in one home folder, through the command, against totals that were computed by hand.
 * Every model has the same price: for a million tokens 1 dollar of input, 0.10 read from the cache, 1.25 written to
 * it, 2 written for an hour, 5 of output.
 */

const models = [
  ...["claude-opus-4-6", "claude-opus-4-5", "claude-sonnet-4-5", "claude-sonnet-4", "claude-haiku-4-5"],
  ...["anthropic/claude-sonnet-4-5", "gpt-5.2-codex", "gpt-5.2-codex-mini", "gpt-5.1-codex", "gpt-5-codex", "gpt-5.2"],
  ...["gpt-5.2-mini", "gemini-3-pro-preview", "gemini-3-flash-preview", "gemini-2.5-pro", "qwen3-coder-plus"],
];
const price = "{ input = 100, cache_read = 10, cache_write = 125, output = 500 }";
const config = `[budget.pricing_overrides]\n${models.map((model) => `"${model}" = ${price}\n`).join("")}`;

/** Dollars: those that the recordings state, and the tokens of all other requests at these prices. */
const agents: Readonly<Record<string, { readonly totals: ExpectedTotals; readonly usd: number }>> = {
  // 107 + 12,470 read + 800 written + 1,650 written for an hour + 1,159 output
  "claude-code": { totals: expectedClaudeCode, usd: 0.000107 + 0.001247 + 0.001 + 0.0033 + 0.005795 },
  // 30,500 + 78,500 read + 500 written + 1,560 output, and a web search
  codex: { totals: expectedCodex, usd: 0.0305 + 0.00785 + 0.000625 + 0.0078 + 0.01 },
  // 1,900 + 2,000 read + 110 output
  copilot: { totals: expectedCopilot, usd: 0.0019 + 0.0002 + 0.00055 },
  // 23,700 + 26,500 read + 490 output; checkpoints are in no standard place, since they repeat chats
  "gemini-cli": { totals: expectedGeminiChats, usd: 0.0237 + 0.00265 + 0.00245 },
  // the subagent has no cost: 700 + 60 output
  goose: { totals: expectedGooseDatabase, usd: 0.007 + 0.0007 + 0.0003 },
  // the subagent has no cost: 200 + 10 output
  hermes: { totals: expectedHermesDatabase, usd: 0.012 + 0.0002 + 0.00005 },
  // 1,050 + 768 read + 42 output
  openclaw: { totals: expectedOpenClaw, usd: 0.00105 + 0.0000768 + 0.00021 },
  // the subagent in the folder has no cost: 330 + 300 read + 28 output
  opencode: {
    totals: sumOf(expectedOpencodeStorage, expectedOpencodeDatabaseWithoutCopies),
    usd: 0.014 + 0.0315 + 0.00033 + 0.00003 + 0.00014,
  },
  // the first step with the title has no cost: 140 + 900 written + 54 output
  openhands: { totals: expectedOpenhandsFolder, usd: 0.053 + 0.00014 + 0.001125 + 0.00027 },
  // the session of version 1 has no cost: 430 + 128 read + 24 output
  pi: { totals: expectedPi, usd: 0.07 + 0.00043 + 0.0000128 + 0.00012 },
  // 3,500 + 12,000 read + 190 output
  "qwen-code": { totals: expectedQwenCode, usd: 0.0035 + 0.0012 + 0.00095 },
};

function sumOf(...all: readonly ExpectedTotals[]): ExpectedTotals {
  const sum = (amountOf: (totals: ExpectedTotals) => number) => all.reduce((total, each) => total + amountOf(each), 0);
  return {
    runs: sum(({ runs }) => runs),
    turns: sum(({ turns }) => turns),
    calls: sum(({ calls }) => calls),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cacheReadTokens: sum(({ cacheReadTokens }) => cacheReadTokens),
    cacheWriteTokens: sum(({ cacheWriteTokens }) => cacheWriteTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    recordedUsd: micro(sum(({ recordedUsd }) => recordedUsd)),
  };
}

function micro(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

function nano(usd: number): number {
  return Math.round(usd * 1e9);
}

type Usage = Record<"inputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "outputTokens", number> &
  Record<"recordedNanoUsd" | "pricedNanoUsd", number>;

interface Run {
  readonly source: string;
  readonly turns: number;
  readonly calls: number;
  readonly usage: readonly Usage[];
}

interface Document {
  readonly runs: readonly Run[];
  readonly totals: { readonly runs: number; readonly costUsd: number; readonly unpricedTokens: number };
  readonly groups: { readonly agent: readonly { readonly name: string; readonly costUsd: number }[] };
  readonly skipped: readonly { readonly file: string }[];
  readonly skippedCount: number;
  readonly scan: { readonly ms: number };
}

function totalsOf(runs: readonly Run[]): ExpectedTotals {
  return sumOf(
    ...runs.map(({ turns, calls, usage }) => {
      const sum = (name: keyof Usage) => usage.reduce((total, each) => total + each[name], 0);
      return {
        ...{ runs: 1, turns, calls, recordedUsd: sum("recordedNanoUsd") / 1e9 },
        ...{ inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens") },
        ...{ cacheReadTokens: sum("cacheReadTokens"), cacheWriteTokens: sum("cacheWriteTokens") },
      };
    }),
  );
}

let home = "";
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "sheepdog-"));
  await createFixturesHome(home, config);
});
afterAll(() => rm(home, { recursive: true }));

async function analyze(...args: readonly string[]): Promise<Document> {
  const io = fakeIo({ env: { HOME: home } });
  expect(await main(["analyze", "--json", ...args], io)).toBe(0);
  return JSON.parse(io.out());
}

const sourcesOf = ({ runs }: Document) => [...new Set(runs.map(({ source }) => source))].toSorted();

describe("a home folder with recordings of all agents", () => {
  test("every agent is found, and its runs, calls, tokens and dollars are those computed by hand", async () => {
    const document = await analyze();
    expect(sourcesOf(document)).toEqual(Object.keys(agents));
    for (const [agent, { totals, usd }] of Object.entries(agents)) {
      const runs = document.runs.filter(({ source }) => source === agent);
      expect([agent, totalsOf(runs)]).toEqual([agent, totals]);
      const group = document.groups.agent.find(({ name }) => name === agent);
      expect([agent, nano(group?.costUsd ?? 0)]).toEqual([agent, nano(usd)]);
    }
    const usd = Object.values(agents).reduce((sum, each) => sum + each.usd, 0);
    expect(nano(document.totals.costUsd)).toBe(nano(usd));
    expect(document.totals).toMatchObject({ runs: document.runs.length, unpricedTokens: 0 });
  });

  test("every line that was left out is named", async () => {
    const { skipped, skippedCount } = await analyze();
    expect(skippedCount).toBe(3); // a cut line of Codex, and two parts of an unknown kind in a database of opencode
    expect(skipped.map(({ file }) => file.slice(home.length + 1).split("/")[0])).toEqual([".codex", ".local"]);
  });

  test("the second look, from the cache, says the same", async () => {
    const [first, second] = [await analyze(), await analyze()];
    expect({ ...second, scan: { ...second.scan, ms: 0 } }).toEqual({ ...first, scan: { ...first.scan, ms: 0 } });
  });

  test("one agent, one project, or the time since a date", async () => {
    const codex = await analyze("--agent", "codex");
    expect(totalsOf(codex.runs)).toEqual(expectedCodex);
    expect(sourcesOf(codex)).toEqual(["codex"]);
    const shop = await analyze("--project", "/home/ada/shop");
    const all = await analyze();
    const inShop = all.runs.filter((run) => (run as { project?: unknown }).project === "/home/ada/shop");
    expect([shop.runs.length, totalsOf(shop.runs)]).toEqual([inShop.length, totalsOf(inShop)]);
    const since = await analyze("--since", "2026-01-01");
    const isOld = (run: Run) => String((run as { endedAt?: unknown }).endedAt) < "2026";
    expect(since.runs.filter(isOld)).toEqual([]);
    const old = all.runs.filter(isOld);
    expect(old.length).toBeGreaterThan(4);
    expect(since.runs.length).toBe(all.runs.length - old.length);
  });
});

test("recordings in other places are read when they are named", async () => {
  const named = [".gemini/tmp/shop/checkpoints", ".local/share/goose/sessions/20251103_090000.jsonl", ".sheepdog/logs"];
  const document = await analyze(...[...named, "exports", "logs", "otel", "shop"].map((path) => join(home, path)));
  const all = [expectedAnthropicMessages, expectedClaudeStream, expectedOpenAi, expectedCodexExec, expectedSheepdog];
  // A run of Sheepdog is in its log and in exported spans: it counts once, as the longer one.
  const exported = [expectedOpencodeExport, expectedOpenhandsTrajectory, expectedClaudeCodeSpans];
  expect(totalsOf(document.runs)).toEqual(sumOf(...all, ...exported, expectedGooseLines, expectedGeminiCheckpoint));
});

test("a home folder without recordings gets a friendly answer", async () => {
  const empty = await mkdtemp(join(tmpdir(), "sheepdog-"));
  const io = fakeIo({ env: { HOME: empty } });
  expect(await main(["analyze"], io)).toBe(0);
  expect(io.out()).toMatch(/^No agent has left a recording here yet\./);
  expect(io.out()).toContain("sheepdog demo");
  await rm(empty, { recursive: true });
});
