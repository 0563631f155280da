import { createRuntime, memoryStores, ok, type RuntimeOptions, type Stores, type Tool } from "@sheepdog/agent";
import { type ScriptedTurn, scriptedModel } from "@sheepdog/agent/testing";
import { describe, expect, test } from "vitest";
import { askingGate, crashingStores, never, silentUser } from "../../test/crashing-stores.ts";
import { tool } from "../../test/fault-fixture.ts";
import { allowAll } from "../../test/test-runtime.ts";
import type { Item } from "./item.ts";
import { createLiveItems } from "./live-items.ts";
import { savedItems } from "./saved-items.ts";

const echo = tool("echo", "read", async () => ok("an echo"));
const stubborn = tool("stubborn", "mutate", async () => ok("no change"));
const hanging = tool("hang", "mutate", () => never());

function start(stores: Stores, script: readonly ScriptedTurn[], more: Partial<RuntimeOptions> = {}) {
  const tools: readonly Tool[] = [echo, stubborn, hanging];
  return createRuntime({ models: [scriptedModel(script)], tools, gate: allowAll, stores, ...more });
}

/** The items of the newest run. */
async function itemsIn(stores: Stores): Promise<readonly Item[]> {
  const runId = (await stores.sessions.load("ses_1")).runs.at(-1)?.runId ?? "";
  return savedItems(await stores.events.after("ses_1", 0), runId);
}

/** The type of each item and the part that identifies it. */
function summaries(items: readonly Item[]): readonly string[] {
  return items.map((item) => {
    if (item.type === "call") return `call ${item.tool} ${item.status ?? "running"}`;
    return "text" in item ? `${item.type} ${item.text}` : item.type;
  });
}

const call = (name: string, input: Record<string, unknown> = {}) => ({ calls: [{ tool: name, input }] });

describe("items of a saved run", () => {
  test("are the same as the live items", async () => {
    const stores = memoryStores();
    const runtime = start(stores, [
      { thinking: "I think.", text: "I look.", ...call("echo", { text: "a" }) },
      ...Array.from({ length: 6 }, () => call("stubborn")),
      call("echo", { text: "b" }),
      { text: "Done." },
    ]);
    const live = createLiveItems();
    const liveItems: Item[] = [];
    runtime.bus.subscribe((event) => void liveItems.push(...live.add(event)));
    await runtime.run("ses_1", "Go.").result;
    expect(await itemsIn(stores)).toEqual(liveItems);
    expect(summaries(liveItems).slice(0, 4)).toEqual([
      "prompt Go.",
      "thinking I think.",
      "text I look.",
      "call echo ok",
    ]);
    expect(liveItems.some((item) => item.type === "call" && item.blockedBy === "guardian")).toBe(true);
  });

  test("begin with the events that have their numbers and times", async () => {
    const stores = memoryStores();
    await start(stores, [{ text: "I look.", ...call("echo", { text: "a" }) }, { text: "Done." }]).run("ses_1", "Go.")
      .result;
    const events = await stores.events.after("ses_1", 0);
    const startOf = ({ seq, at }: Item) => events.find((event) => event.seq === seq && event.at === at)?.type;
    expect((await itemsIn(stores)).map(startOf)).toEqual([
      "RunStarted",
      "StreamEnd",
      "ToolStart",
      "StreamEnd",
      "RunComplete",
    ]);
  });

  test("include calls of unknown tools, with their arguments", async () => {
    const stores = memoryStores();
    await start(stores, [call("bark", { at: "moon" }), { text: "Done." }]).run("ses_1", "Go.").result;
    const items = await itemsIn(stores);
    expect(summaries(items)).toEqual(["prompt Go.", "call bark unknown-tool", "text Done.", "end"]);
    expect(items[1]).toMatchObject({ input: { at: "moon" } });
  });

  test("show what is left of a text that was cut off, before the intervention that cut it", async () => {
    const stores = memoryStores();
    await start(stores, [{ text: `Listen. ${"la la la ".repeat(2_000)}` }, { text: "Done." }]).run("ses_1", "Go.")
      .result;
    const items = await itemsIn(stores);
    expect(items.map(({ type }) => type)).toEqual(["prompt", "text", "guardian", "text", "end"]);
    const { messages } = await stores.sessions.load("ses_1");
    const reply = messages.find(({ role }) => role === "assistant");
    expect(reply).toMatchObject({ parts: [{ text: items[1]?.type === "text" ? items[1].text : "" }] });
  });

  test("include what the user said during the run", async () => {
    const stores = memoryStores();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const wait = tool("wait", "wait", async () => held.then(() => ok("waited")));
    const runtime = start(stores, [call("wait"), { text: "Done." }], { tools: [wait] });
    const run = runtime.run("ses_1", "Go.");
    await new Promise<void>((resolve) => {
      runtime.bus.subscribe((event) => void (event.type === "ToolStart" && resolve()));
    });
    await run.steer("Hurry.");
    release();
    await run.result;
    expect(summaries(await itemsIn(stores))).toEqual([
      "prompt Go.",
      "call wait ok",
      "note You said: Hurry.",
      "text Done.",
      "end",
    ]);
  });

  test("do not show the message that asks for the rest of a reply", async () => {
    const stores = memoryStores();
    await start(stores, [{ text: "One, ", stop: "length" }, { text: "two." }]).run("ses_1", "Go.").result;
    expect(summaries(await itemsIn(stores))).toEqual([
      "prompt Go.",
      "text One, ",
      expect.stringMatching(/^note The reply reached its maximum length/),
      "text two.",
      "end",
    ]);
  });

  test("of an unknown run are none", async () => {
    expect(savedItems([], "run_other")).toEqual([]);
  });
});

describe("after a crash within a turn", () => {
  async function crashedRun(more: Partial<RuntimeOptions> = {}) {
    const stores = memoryStores();
    const crashing = crashingStores(stores);
    const reply = { thinking: "Hm.", text: "Before.", ...call("hang", { path: "a" }) };
    const runtime = start(crashing.stores, [reply], more);
    const started = new Promise<void>((resolve) => {
      runtime.bus.subscribe(({ type }) => void ((type === "ToolStart" || type === "ApprovalRequested") && resolve()));
    });
    void runtime.run("ses_1", "Go.");
    await started;
    await crashing.crash();
    return stores;
  }

  test("the reply and the call that was running are there, without its outcome", async () => {
    const items = await itemsIn(await crashedRun());
    expect(summaries(items)).toEqual(["prompt Go.", "thinking Hm.", "text Before.", "call hang running"]);
    expect(items.at(-1)).toMatchObject({ input: { path: "a" }, kind: "mutate" });
  });

  test("the resumed run shows each call once, with an unknown outcome", async () => {
    const stores = await crashedRun();
    await (await start(stores, [{ text: "After." }]).resume("ses_1")).result;
    expect(summaries(await itemsIn(stores))).toEqual([
      "prompt Go.",
      "thinking Hm.",
      "text Before.",
      "prompt Go.",
      "call hang interrupted",
      "text After.",
      "end",
    ]);
  });

  test("a run that is not resumed ends with the call whose outcome is unknown", async () => {
    const stores = await crashedRun();
    const [crashed] = (await stores.sessions.load("ses_1")).runs;
    await start(stores, [{ text: "After." }]).run("ses_1", "Next.").result;
    expect(summaries(savedItems(await stores.events.after("ses_1", 0), crashed?.runId ?? ""))).toEqual([
      "prompt Go.",
      "thinking Hm.",
      "text Before.",
      "call hang running",
      "end",
    ]);
  });

  test("the question about a call is saved before the user is asked", async () => {
    const { approve } = silentUser();
    const stores = await crashedRun({ gate: askingGate, attended: true, approve });
    const events = await stores.events.after("ses_1", 0);
    expect(events.filter(({ type }) => type === "ApprovalRequested")).toMatchObject([
      { tool: "hang", input: { path: "a" } },
    ]);
    expect(summaries(await itemsIn(stores))).toEqual(["prompt Go.", "thinking Hm.", "text Before."]);
  });
});

test("mutes that are set and lifted are notes", () => {
  const head = { at: 1, sessionId: "ses_1", runId: "run_1", severity: "info" } as const;
  const items = savedItems(
    [
      { ...head, seq: 1, type: "GuardianMuted", detector: "cycle", tool: "bash" },
      { ...head, seq: 2, type: "GuardianUnmuted", detector: "cycle", tool: "bash" },
      { ...head, seq: 3, type: "GuardianUnmuted", episode: "e1" },
    ],
    "run_1",
  );
  expect(summaries(items)).toEqual([
    "note Muted cycle for bash in this run.",
    "note Lifted the mute of cycle for bash.",
    "note The guardian acts on this repetition again.",
  ]);
});

test("an opinion whose question was not saved is shown where it was given, as in the live timeline", () => {
  const head = { sessionId: "ses_1", runId: "run_1", severity: "info", at: 1 } as const;
  const given = { ...head, seq: 2, type: "OpinionGiven", request: "e1/warn", verdict: "stuck" } as const;
  const events = [{ ...head, seq: 1, type: "TurnStarted", turn: 0 } as const, given];
  const live = createLiveItems();
  const items = savedItems(events, "run_1");
  expect(items).toEqual(events.flatMap((event) => live.add(event)));
  expect(items.map(({ type }) => type)).toContain("opinion");
});
