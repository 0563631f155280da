import type { AgentEvent, SavedSession } from "@sheepdog/agent";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome } from "../../../test/test-home.ts";
import type { Item } from "./item.ts";
import { keptItems } from "./kept-items.ts";
import { liveItems } from "./live-items.ts";

const file = scratchFolder();
const look = (text: string) => ({ calls: [{ tool: "echo", input: { text } }] });
const same = { calls: [{ tool: "stubborn", input: {} }] };

/** The kinds of items with what tells them apart. */
function brief(items: readonly Item[]): readonly string[] {
  return items.map((item) => {
    if (item.type === "call") return `call ${item.tool} ${item.status ?? "open"}`;
    return "text" in item ? `${item.type} ${item.text}` : item.type;
  });
}

describe("items of what is kept", () => {
  test("are those that were seen live", async () => {
    const { runtime, stores, close } = await openTestHome(await file("home"));
    const script = [
      { thinking: "I think.", text: "I look.", ...look("a") },
      ...Array.from({ length: 6 }, () => same),
      look("b"),
      { text: "Done." },
    ];
    const live = liveItems();
    const seen: Item[] = [];
    const { run, bus } = runtime(script);
    bus.subscribe((event) => void seen.push(...live.add(event)));
    const { runId } = await run("ses_a", "Go.").result;
    const kept = keptItems(await stores.sessions.load("ses_a"), await stores.events.after("ses_a", 0), runId);
    const asked = new Map(kept.flatMap((item) => (item.type === "call" ? [[item.callId, item.input]] : [])));
    expect(kept).toEqual(
      seen.map((item) => (item.type === "call" ? { ...item, input: asked.get(item.callId) } : item)),
    ); // live, a refused call does not say what it was asked
    expect(seen.some((item) => item.type === "call" && item.blockedBy === "guardian")).toBe(true);
    await close();
  });

  test("have calls of tools that are not there, which no event tells of", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const { runId } = await runPrompt("ses_a", "Go.", [
      { calls: [{ tool: "bark", input: { at: "moon" } }] },
      { text: "Done." },
    ]);
    const kept = keptItems(await stores.sessions.load("ses_a"), await stores.events.after("ses_a", 0), runId);
    expect(brief(kept)).toEqual(["prompt Go.", "call bark unknown-tool", "text Done.", "end"]);
    await close();
  });

  test("have what was cut off before what the guardian said of it", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const { runId } = await runPrompt("ses_a", "Go.", [
      { text: `Listen. ${"la la la ".repeat(2_000)}` },
      { text: "Done." },
    ]);
    const kept = keptItems(await stores.sessions.load("ses_a"), await stores.events.after("ses_a", 0), runId);
    expect(kept.map(({ type }) => type)).toEqual(["prompt", "text", "guardian", "text", "end"]);
    await close();
  });

  test("have what a person said while it went on", async () => {
    const { startRun, stores, close } = await openTestHome(await file("home"));
    const { run, release } = await startRun("ses_a", "Go.");
    run.steer("Hurry.");
    release();
    await run.result;
    const kept = keptItems(await stores.sessions.load("ses_a"), await stores.events.after("ses_a", 0), run.runId);
    expect(brief(kept)).toEqual(["prompt Go.", "call wait ok", "note You said: Hurry.", "text Done.", "end"]);
    await close();
  });

  test("can be had from messages alone, and from events alone", async () => {
    const { runPrompt, stores, close } = await openTestHome(await file("home"));
    const { runId } = await runPrompt("ses_a", "Go.", [
      { text: "I look.", ...look("a") },
      look("b"),
      { text: "Done." },
    ]);
    const saved = await stores.sessions.load("ses_a");
    const events = await stores.events.after("ses_a", 0);
    expect(brief(keptItems(saved, [], runId))).toEqual([
      "prompt Go.",
      "text I look.",
      "call echo ok",
      "call echo ok",
      "text Done.",
      "end",
    ]);
    expect(brief(keptItems({ ...saved, messages: [] }, events, runId))).toEqual([
      "prompt Go.",
      "call echo ok",
      "call echo ok",
      "end",
    ]);
    expect(keptItems(saved, events, "run_other")).toEqual([]);
    await close();
  });

  test("of a turn that broke off and was recovered are told once, in their place", async () => {
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
    expect(brief(keptItems(saved, events, "run_1"))).toEqual([
      "prompt Go.",
      "text Before.",
      "call bash interrupted",
      "prompt Go.",
      "text After.",
      "end",
    ]);
  });
});
