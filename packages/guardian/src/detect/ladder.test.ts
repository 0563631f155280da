import { describe, expect, test } from "vitest";
import type { Mode } from "../policy/mode.ts";
import type { Policy } from "../policy/policy.ts";
import { defaultPolicy } from "../policy/presets.ts";
import type { Intervention } from "../state/intervention.ts";
import { asTurns, call, fails, message, mute, play, restart, times, turn } from "../testing/index.ts";

const listing = () => call("ls", { path: "." }, "a.ts b.ts c.ts");
const red = () => fails("bash", { command: "npm test" }, "AssertionError: expected 3, received 4");
const edit = (n: number) => call("edit", { path: `part${n}.ts`, old: `alpha${n}`, new: `beta${n * 7}` }, "updated");
const inMode = (mode: Mode): Policy => ({ ...defaultPolicy, mode });

describe("the ladder", () => {
  test("guide: hint, warn, block with refusals, halt", () => {
    const played = play(times(20, listing));
    expect(played.interventions.map((each) => [each.id, each.level, each.effect, each.call])).toEqual([
      ["e1/hint", "hint", "tell", 2],
      ["e1/warn", "warn", "tell", 3],
      ["e1/block", "block", "deny", 4],
      ["e1/deny/1", "block", "deny", 4],
      ["e1/deny/2", "block", "deny", 5],
      ["e1/deny/3", "block", "deny", 6],
      ["e1/halt", "halt", "stop", 7],
    ]);
    expect(played.stop).toMatchObject({ reason: "doom_loop", intervention: "e1/halt" });
  });

  test("advise: the block becomes a second warning, nothing is refused, halt stays", () => {
    const played = play(times(20, listing), { policy: inMode("advise") });
    expect(played.summary).toEqual(["doom-loop hint", "doom-loop warn", "doom-loop warn", "doom-loop halt"]);
    expect(played.refused).toBe(0);
    expect(played.stop?.reason).toBe("doom_loop");
  });

  test("observe: all is computed, nothing is done", () => {
    const played = play(times(20, listing), { policy: inMode("observe") });
    expect(played.summary).toEqual(["doom-loop hint", "doom-loop warn", "doom-loop block", "doom-loop halt"]);
    expect(played.interventions.every((each) => !each.isApplied)).toBe(true);
    expect(played.refused).toBe(0);
    expect(played.stop).toBeUndefined();
  });

  test("an attended run has the same rungs; a policy can scale its block and halt", () => {
    const calls = (policy: Policy, attended: boolean) =>
      play(times(30, listing), { policy, attended })
        .interventions.filter((each) => each.denies === undefined)
        .map((each) => each.call);
    expect(calls(defaultPolicy, true)).toEqual(calls(defaultPolicy, false));
    expect(calls({ ...defaultPolicy, attendedScale: 2 }, true)).toEqual([2, 3, 9, 15]);
  });

  test("in an attended run a block and a halt say what to ask the user about, without the consequence", () => {
    const questions = (mode: Mode, attended: boolean) =>
      play(times(20, listing), { policy: inMode(mode), attended }).interventions.flatMap((each) =>
        each.question === undefined ? [] : [`${each.id}: ${each.question}`],
      );
    const fact = (count: number) => `This exact call to "ls" has been made ${count} times with the same outcome`;
    expect(questions("guide", true)).toEqual([`e1/block: ${fact(5)}: "a.ts b.ts c.ts".`, `e1/halt: ${fact(5)}.`]);
    expect(questions("advise", true)).toEqual([`e1/halt: ${fact(8)}: "a.ts b.ts c.ts".`]);
    expect(questions("observe", true)).toEqual([]);
    expect(questions("guide", false)).toEqual([]);
  });

  test("a rule for a tool scales its rungs, switches detectors off, gives it a kind", () => {
    const rule = (rule: Partial<Policy["tools"][number]>): Policy => ({
      ...defaultPolicy,
      tools: [{ match: "l?", ...rule }],
    });
    expect(play(times(10, listing), { policy: rule({ scale: 3 }) }).interventions[0]?.call).toBe(8);
    expect(play(times(10, listing), { policy: rule({ off: ["doom-loop", "no-progress"] }) }).summary).toEqual([]);
    expect(play(times(10, listing), { policy: rule({ off: "all" }) }).summary).toEqual([]);
    expect(play(times(10, listing), { policy: rule({ kind: "wait" }) }).summary).toEqual([]);
    expect(play(times(10, listing), { policy: rule({ kind: "send" }) }).summary[0]).toBe("side-effect-repeat hint");
  });

  test("an absent detector is off, and the next one finds the loop", () => {
    const { "doom-loop": _, ...detectors } = defaultPolicy.detectors;
    expect(play(times(5, listing), { policy: { ...defaultPolicy, detectors } }).summary[0]).toBe("no-progress hint");
  });

  test("a mute ends the refusing at once, and for good", () => {
    const played = play([...times(6, listing), mute({ detector: "doom-loop", tool: "ls" }), ...times(3, listing)]);
    expect(played.summary).toEqual(["doom-loop hint", "doom-loop warn", "doom-loop block"]);
    expect(play([...times(6, listing), mute({ tool: "ls" }), ...times(30, listing)]).summary).toHaveLength(3);
  });

  test("a muted episode refuses nothing, also not under the name of another detector", () => {
    const muted = mute({ episode: "e1" });
    const played = play([...times(5, listing), muted, ...times(40, listing)]);
    expect(played.summary).toEqual(["doom-loop hint", "doom-loop warn", "doom-loop block", "doom-loop halt"]);
    expect(played.refused).toBe(0);
    expect(played.stop).toBeUndefined();
  });

  test("what the guardian would have done about a muted episode is recorded, and not applied", () => {
    const { interventions } = play([...times(5, listing), mute({ episode: "e1" }), ...times(40, listing)], {
      attended: true,
    });
    expect(interventions.at(-1)).toMatchObject({ id: "e1/halt", isApplied: false });
    expect(interventions.at(-1)).not.toHaveProperty("question");
  });

  test.each([1, 3])("a muted loop of %d calls would have been ended when it is ended unmuted", (period) => {
    const files = (i: number) => call("read", { path: `src/${"abc"[i % period]}.ts` }, `the text of ${i % period}`);
    const loop = times(60, files);
    const halts = ({ interventions }: { readonly interventions: readonly Intervention[] }) =>
      interventions.find(({ level }) => level === "halt");
    const muted = (calls: number) => [...loop.slice(0, calls), mute({ episode: "e1" }), ...loop.slice(calls)];
    const observed = halts(play(loop, { policy: { ...defaultPolicy, mode: "observe" } }));
    const recorded = halts(play(muted(3 * period)));
    expect(recorded?.isApplied).toBe(false);
    expect(Math.abs((recorded?.call ?? 0) - (observed?.call ?? 0))).toBeLessThanOrEqual(2 * period);
    expect(Math.abs((recorded?.count ?? 0) - (observed?.count ?? 0))).toBeLessThan(3);
  });

  test.each(["before", "after"])("another loop %s the muted one in each turn is still refused", (position) => {
    const other = call("gate_view", { of: "barn" }, "closed, as it was an hour ago and the hour before");
    const both = position === "before" ? turn(other, listing()) : turn(listing(), other);
    const played = play([...times(5, listing), mute({ episode: "e1" }), ...times(20, () => both)]);
    expect(
      played.interventions.filter(({ level, isApplied }) => level === "block" && isApplied).length,
    ).toBeGreaterThan(2);
    expect(played.stop).toBeDefined();
  });

  test("a muted episode is not reported as recovered", () => {
    const muted = mute({ episode: "e1" });
    expect(play([...times(5, listing), muted, message()]).recovered).toEqual([]);
    expect(play([...times(5, listing), muted, ...asTurns([edit(1)])]).recovered).toEqual([]);
  });

  test("a muted episode stays muted in the next process, and other episodes are still noticed", () => {
    const muted = mute({ episode: "e1" });
    const played = play([...times(5, listing), muted, restart, ...times(10, listing), ...times(5, red)]);
    const others = played.interventions.filter(({ id }) => id.startsWith("e2/"));
    expect(others.map(({ detector, level }) => `${detector} ${level}`)).toEqual([
      "failing-call hint",
      "failing-call warn",
      "failing-call block",
    ]);
  });

  test("the stop of a muted episode is lifted, the stop of another one is not", () => {
    const muted = (episode: string) => play([...times(20, listing), mute({ episode })]);
    expect(muted("e1").stop).toBeUndefined();
    expect(muted("e2").stop?.reason).toBe("doom_loop");
  });

  test("after a message of a person a new episode of the same call is noticed again", () => {
    const muted = mute({ episode: "e1" });
    const played = play([...times(5, listing), muted, message(), ...times(3, listing)]);
    expect(played.interventions.at(-1)?.id).toBe("e2/hint");
  });

  test("one cause is one episode, also when other detectors find it", () => {
    expect(play(times(4, red)).interventions.map((each) => each.id)).toEqual(["e1/hint", "e1/warn"]);
  });

  test("within one turn the ladder climbs one rung at most", () => {
    const batch = turn(...Array.from({ length: 30 }, listing));
    expect(play([batch]).summary).toEqual(["doom-loop hint"]);
    expect(play([batch, batch]).summary).toEqual(["doom-loop hint", "doom-loop warn"]);
  });
});

describe("recovery", () => {
  test("a change of the world closes an episode, and what went before counts no more", () => {
    const played = play([
      ...times(4, red),
      ...asTurns(edit(1)),
      ...asTurns(red()),
      ...asTurns(edit(2)),
      ...asTurns(red()),
    ]);
    expect(played.recovered).toEqual(["e1"]);
    expect(played.summary).toEqual(["failing-call hint", "failing-call warn"]);
  });

  test("after a change the refused call may be made again", () => {
    const played = play([...times(5, red), ...asTurns([red(), edit(1), red()])]);
    expect(played.refused).toBe(1);
    expect(played.recovered).toEqual(["e1"]);
  });

  test("a failed change, or the loop's own, closes nothing", () => {
    const played = play([
      ...times(4, red),
      ...asTurns(fails("edit", { path: "a.ts", old: "x" }, "no match")),
      ...times(2, red),
    ]);
    expect(played.recovered).toEqual([]);
    expect(played.summary).toContain("failing-call block");
  });

  test("a person's message closes an episode and lifts its block", () => {
    const played = play([...times(5, listing), message(), ...asTurns(listing())]);
    expect(played.recovered).toEqual(["e1"]);
    expect(played.refused).toBe(0);
  });

  test("an automatic message excuses nothing", () => {
    expect(play(times(10, () => [listing(), message("automatic")])).stop?.reason).toBe("doom_loop");
  });

  test("five novel calls close an episode; if the loop returns it continues to climb", () => {
    const novel = times(5, (i) =>
      call("read", { path: `${i}.ts` }, `content number ${i + 1} of ${i * 31 + 7} ${"abcdefgh"[i]}`),
    );
    const played = play([...times(3, listing), ...novel, ...asTurns(listing())]);
    expect(played.recovered).toEqual(["e1"]);
    expect(played.summary).toEqual(["doom-loop hint", "doom-loop warn"]);
  });
});
