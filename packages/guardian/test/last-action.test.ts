import type { Channel } from "@sheepdog/guardian";
import { asTurns, call, pause, play, type ScriptStep, signal, times } from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

const STALL_SECONDS = 120; // of the default policy
const streaming = signal({ type: "waiting", for: "stream" });
const part = (channel: Channel, i: number) =>
  signal({ type: "delta", channel, text: `Part ${i} of it says ${(i * 7_919) % 1_009} and then ${(i * i) % 97}. ` });

/** One reply that streams for so many seconds, a part every 20 seconds. */
function reply(channel: Channel, seconds: number): readonly ScriptStep[] {
  const parts = Array.from({ length: seconds / 20 }, (_, i) => [part(channel, i), pause(20_000)]);
  return [signal({ type: "stream-start" }), streaming, ...parts.flat()];
}

const notices = (script: readonly ScriptStep[]) =>
  play(script).interventions.map(({ level, effect, isForUser, message }) => ({ level, effect, isForUser, message }));

describe("the time since the last meaningful action", () => {
  test.each(["text", "thinking"] as const)("%s for nineteen times the stall limit is no stall", (channel) => {
    expect(notices(reply(channel, 19 * STALL_SECONDS))).toEqual([]);
  });

  test("text that streams for twenty times the stall limit is reported to the user only, once", () => {
    expect(notices(reply("text", 80 * STALL_SECONDS))).toEqual([
      {
        level: "hint",
        effect: "tell",
        isForUser: true,
        message:
          "The reply has been streaming for 2,400 seconds without ending or making a call. " +
          "If you do not need such a long answer, stop the run.",
      },
    ]);
  });

  test("thinking that streams for ever is interrupted, and ends the run if it continues", () => {
    const played = play(reply("thinking", 80 * STALL_SECONDS));
    expect(played.interventions.map(({ detector, effect }) => `${detector} ${effect}`)).toEqual([
      "stall interrupt",
      "stall stop",
    ]);
    expect(played.interventions[0]?.message).toContain("The model has been thinking for 2,400 seconds without acting.");
    expect(played.stop?.reason).toBe("stall");
  });

  test("thinking before an answer is followed by an answer: only the user is informed", () => {
    const answer = reply("text", 2 * STALL_SECONDS).slice(2);
    expect(notices([...reply("thinking", 19 * STALL_SECONDS), ...answer]).map(({ isForUser }) => isForUser)).toEqual([
      true,
    ]);
  });

  test("writing the arguments of a call is an action", () => {
    expect(notices(reply("tool-input", 80 * STALL_SECONDS))).toEqual([]);
  });

  test("calls, results and complete replies start the time again", () => {
    const turn = [...reply("text", 12 * STALL_SECONDS), ...asTurns(call("read", { path: "a" }, "one"))];
    expect(play([...turn, ...turn, ...turn]).interventions.filter(({ detector }) => detector === "stall")).toEqual([]);
  });
});

describe("a call that took long", () => {
  const slow = (seconds: number, command: string, result = "done"): readonly ScriptStep[] => {
    const id = `slow_${command}_${seconds}`;
    const print = { exact: id.replace(/\W/g, "").slice(0, 12), loose: "x", words: "" };
    const outcome = { status: "ok", exact: result, masked: result, shape: result, last: result } as const;
    return [
      signal({ type: "call", id, tool: command, kind: command === "wait" ? "wait" : "unknown", print }),
      signal({ type: "waiting", for: "tool" }),
      pause(seconds * 1_000),
      signal({ type: "result", id, outcome: { ...outcome, size: 4, substance: 1, words: "" } }),
      signal({ type: "turn-end" }),
    ];
  };

  test("the model hears how long it took, unless an earlier call of the tool took about as long", () => {
    const told = notices([...slow(180, "build"), ...slow(300, "build", "again"), ...slow(140, "deploy")]).filter(
      ({ isForUser }) => isForUser === undefined,
    );
    expect(told.map(({ message }) => message)).toEqual([
      'A call to "build" took 180 seconds. ' +
        "If that is longer than you expected, give it less to do at once, or start it in the background.",
      expect.stringContaining('A call to "deploy" took 140 seconds.'),
    ]);
  });

  test("a call within the stall limit, and one that is meant to wait, are not mentioned", () => {
    expect(notices([...slow(100, "build"), ...slow(500, "wait")]).filter(({ isForUser }) => !isForUser)).toEqual([]);
  });

  test.each(["ask_user", "AskUserQuestion", "spawn", "Task"])("a call to %s waits for others", (tool) => {
    expect(notices(slow(500, tool)).filter(({ isForUser }) => !isForUser)).toEqual([]);
  });

  test("the result of a fast call after a slow one is not called slow", () => {
    const fast = times(3, (i) => call("list", { path: `src/${i}` }, `file ${i}`));
    expect(notices([...slow(180, "build"), ...fast]).filter(({ isForUser }) => !isForUser)).toHaveLength(1);
  });
});
