import type { AgentEvent, SavedSession } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome } from "../../../test/test-home.ts";
import type { Item } from "./item.ts";
import { createLiveItems } from "./live-items.ts";
import { savedItems } from "./saved-items.ts";

const file = scratchFolder();
const echo = (text: string) => ({ calls: [{ tool: "echo", input: { text } }] });
const same = { calls: [{ tool: "stubborn", input: {} }] };

/** The type of each item and the part that identifies it. */
function summaries(items: readonly Item[]): readonly string[] {
  return items.map((item) => {
    if (item.type === "call") return `call ${item.tool} ${item.status ?? "running"}`;
    return "text" in item ? `${item.type} ${item.text}` : item.type;
  });
}

describe("items of a saved run", () => {
  test("are the same as the live items", async () => {
    const { runtime, stores, close } = await openTestHome(await file("home"));
    const script = [
      { thinking: "I think.", text: "I look.", ...echo("a") },
      ...Array.from({ length: 6 }, () => same),
      echo("b"),
      { text: "Done." },
    ];
    const live = createLiveItems();
    const liveItems: Item[] = [];
    const { run, bus } = runtime(script);
    bus.subscribe((event) => void liveItems.push(...live.add(event)));
    const { runId } = await run("ses_a", "Go.").result;
    const saved = savedItems(await stores.sessions.load("ses_a"), await stores.events.after("ses_a", 0), runId);
    const inputs = new Map(saved.flatMap((item) => (item.type === "call" ? [[item.callId, item.input]] : [])));
    expect(saved).toEqual(
      liveItems.map((item) => (item.type === "call" ? { ...item, input: inputs.get(item.callId) } : item)),
    ); // a live refused call has no input
    expect(liveItems.some((item) => item.type === "call" && item.blockedBy === "guardian")).toBe(true);
    await close();
  });

  test("include calls of unknown tools, which have no events", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const { runId } = await runPrompt("ses_a", "Go.", [
      { calls: [{ tool: "bark", input: { at: "moon" } }] },
      { text: "Done." },
    ]);
    const items = savedItems(await stores.sessions.load("ses_a"), await stores.events.after("ses_a", 0), runId);
    expect(summaries(items)).toEqual(["prompt Go.", "call bark unknown-tool", "text Done.", "end"]);
    await close();
  });

  test("show text that was cut off before the intervention that cut it", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const { runId } = await runPrompt("ses_a", "Go.", [
      { text: `Listen. ${"la la la ".repeat(2_000)}` },
      { text: "Done." },
    ]);
    const items = savedItems(await stores.sessions.load("ses_a"), await stores.events.after("ses_a", 0), runId);
    expect(items.map(({ type }) => type)).toEqual(["prompt", "text", "guardian", "text", "end"]);
    await close();
  });

  test("include what the user said during the run", async () => {
    const { startRun, stores, close } = await openTestHome(await file("home"));
    const { run, release } = await startRun("ses_a", "Go.");
    run.steer("Hurry.");
    release();
    await run.result;
    const items = savedItems(await stores.sessions.load("ses_a"), await stores.events.after("ses_a", 0), run.runId);
    expect(summaries(items)).toEqual(["prompt Go.", "call wait ok", "note You said: Hurry.", "text Done.", "end"]);
    await close();
  });

  test("do not show the message that asks for the rest of a reply", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const { runId } = await runPrompt("ses_a", "Go.", [{ text: "One, ", stop: "length" }, { text: "two." }]);
    const saved = await stores.sessions.load("ses_a");
    expect(saved.messages.some((message) => message.role === "user" && message.reason === "max_tokens_recovery")).toBe(
      true,
    );
    const items = savedItems(saved, await stores.events.after("ses_a", 0), runId);
    expect(items.map(({ type }) => type)).toEqual(["prompt", "text", "note", "text", "end"]);
    expect(summaries(items).join(" ")).not.toMatch(/continue where/i);
    await close();
  });

  test("can be built from messages alone, and from events alone", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const { runId } = await runPrompt("ses_a", "Go.", [
      { text: "I look.", ...echo("a") },
      echo("b"),
      { text: "Done." },
    ]);
    const saved = await stores.sessions.load("ses_a");
    const events = await stores.events.after("ses_a", 0);
    expect(summaries(savedItems(saved, [], runId))).toEqual([
      "prompt Go.",
      "text I look.",
      "call echo ok",
      "call echo ok",
      "text Done.",
      "end",
    ]);
    expect(summaries(savedItems({ ...saved, messages: [] }, events, runId))).toEqual([
      "prompt Go.",
      "call echo ok",
      "call echo ok",
      "end",
    ]);
    expect(savedItems(saved, events, "run_other")).toEqual([]);
    await close();
  });

  test("of a turn that was interrupted and resumed appear once and in order", async () => {
    const at = (n: number) => ({ at: n, sessionId: "ses_a", runId: "run_1", severity: "info", seq: n }) as const;
    const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, isEstimated: false };
    const reply = (n: number, text: string, ...calls: string[]) => ({
      role: "assistant" as const,
      id: `msg_${n}`,
      at: n,
      parts: [
        { type: "text" as const, text },
        ...calls.map((id) => ({ type: "call" as const, id, tool: "bash", input: {} })),
      ],
      stop: calls.length > 0 ? ("calls" as const) : ("end" as const),
      model: "m",
      usage,
    });
    const result = (n: number, callId: string) => ({
      role: "tool" as const,
      id: `msg_${n}`,
      at: n,
      callId,
      tool: "bash",
      status: "interrupted" as const,
      content: "Outcome unknown",
    });
    const saved: SavedSession = {
      messages: [
        { role: "user", id: "msg_1", at: 1, origin: "person", text: "Go." },
        reply(3, "Before.", "c1"),
        result(20, "c1"),
        reply(23, "After."),
      ],
      unansweredCalls: [],
      runs: [
        {
          runId: "run_1",
          prompt: "Go.",
          startedAt: 1,
          endedAt: 30,
          state: "completed",
          reason: "answered",
          turns: 2,
          usage,
          costNanoUsd: 1,
        },
      ],
      lastSeq: 30,
    };
    const events: AgentEvent[] = [
      { type: "RunStarted", prompt: "Go.", ...at(1) },
      { type: "RunStarted", prompt: "Go.", isResumed: true, ...at(20) },
      { type: "TurnComplete", turn: 0, ...at(21) },
      { type: "TurnStarted", turn: 1, ...at(22) },
      { type: "StreamEnd", isComplete: true, ...at(24) },
    ];
    expect(summaries(savedItems(saved, events, "run_1"))).toEqual([
      "prompt Go.",
      "text Before.",
      "call bash interrupted",
      "prompt Go.",
      "text After.",
      "end",
    ]);
  });
});
