import { describe, expect, test } from "vitest";
import { defaultPolicy } from "../policy/presets.ts";
import { bounds } from "../state/bounds.ts";
import type { Intervention } from "../state/intervention.ts";
import { call, message, mute, play, restart, says, signal, times, unmute } from "../testing/index.ts";

const listing = () => call("ls", { path: "." }, "a.ts b.ts c.ts");
const muteEpisode = mute({ episode: "e1" });
const unmuteEpisode = unmute({ episode: "e1" });

function shown(interventions: readonly Intervention[]): readonly string[] {
  return interventions.map(({ id, isApplied }) => (isApplied ? id : `${id} (recorded)`));
}

describe("lifting the mute of an episode", () => {
  test("past its block rung, the next equal call is refused, and the run ends as without the mute", () => {
    const played = play([...times(5, listing), muteEpisode, ...times(1, listing), unmuteEpisode, ...times(5, listing)]);
    expect(shown(played.interventions)).toEqual([
      "e1/hint",
      "e1/warn",
      "e1/block",
      "e1/deny/1",
      "e1/deny/2",
      "e1/deny/3",
      "e1/halt/2",
    ]);
    expect(played.stop?.reason).toBe("doom_loop");
  });

  test("the rungs that were reached under the mute are in force, also in the next process", () => {
    const played = play([
      ...times(3, listing),
      muteEpisode,
      ...times(4, listing),
      restart,
      unmuteEpisode,
      restart,
      ...times(1, listing),
    ]);
    expect(shown(played.interventions)).toEqual([
      "e1/hint",
      "e1/warn (recorded)",
      "e1/block (recorded)",
      "e1/deny/1", // the eighth equal call
      "e1/halt/2",
    ]);
  });

  test("below its block rung, it climbs to the next rung", () => {
    const played = play([...times(3, listing), muteEpisode, unmuteEpisode, ...times(3, listing)]);
    expect(shown(played.interventions)).toEqual(["e1/hint", "e1/warn/2", "e1/block/3"]);
  });

  test("a run whose end was only recorded ends at the next equal call", () => {
    const played = play([
      ...times(5, listing),
      muteEpisode,
      ...times(10, listing),
      unmuteEpisode,
      ...times(1, listing),
    ]);
    expect(shown(played.interventions).slice(-3)).toEqual(["e1/halt (recorded)", "e1/deny/1", "e1/halt/2"]);
    expect(played.stop).toMatchObject({ reason: "doom_loop", intervention: "e1/halt/2" });
  });

  test("a lifted stop comes back with the next equal call, not before", () => {
    const script = [...times(20, listing), muteEpisode, unmuteEpisode];
    expect(play(script).stop).toBeUndefined();
    expect(play([...script, ...times(1, listing)]).stop?.reason).toBe("doom_loop");
  });

  test("in advise mode nothing is refused", () => {
    const policy = { ...defaultPolicy, mode: "advise" as const };
    const script = [...times(5, listing), muteEpisode, ...times(1, listing), unmuteEpisode, ...times(1, listing)];
    expect(play(script, { policy }).refused).toBe(0);
  });

  test("another episode stays muted, and an unknown one or one that is not muted changes nothing", () => {
    const muted = [...times(5, listing), muteEpisode];
    expect(play([...muted, unmute({ episode: "e2" }), ...times(10, listing)]).refused).toBe(0);
    const { state } = play(times(4, listing));
    const again = play([unmuteEpisode], { state }).state;
    expect(again.episodes).toEqual(state.episodes);
  });

  test("it can be muted and unmuted again", () => {
    const loop = times(1, listing);
    const script = [...times(5, listing), muteEpisode, ...loop, unmuteEpisode, ...loop, muteEpisode, ...loop, ...loop];
    expect(play(script).refused).toBe(1);
    expect(play([...script, unmuteEpisode, ...loop]).refused).toBe(2);
  });

  test("a message of a person ends the episode, muted before or not", () => {
    const played = play([...times(5, listing), muteEpisode, unmuteEpisode, message(), ...times(3, listing)]);
    expect(shown(played.interventions).slice(-1)).toEqual(["e2/hint"]);
  });

  test("an episode without calls counts each reply once", () => {
    const same = () => says("I will now look at the file.");
    const unmuted = play([...times(3, same), muteEpisode, unmuteEpisode, ...times(1, same)]);
    expect(unmuted.summary).toEqual(play(times(4, same)).summary);
  });
});

describe("lifting the mute of a detector or a tool", () => {
  const warned = [...times(6, listing), mute({ detector: "doom-loop", tool: "ls" }), ...times(3, listing)];

  test.each([{ detector: "doom-loop" as const, tool: "ls" }, { detector: "doom-loop" as const }, { tool: "ls" }])(
    "%j: the loop is noticed again, with a message before a refusal",
    (scope) => {
      const played = play([...warned, unmute(scope), ...times(3, listing)]);
      expect(played.summary.slice(3)).toEqual(["doom-loop hint", "doom-loop warn", "doom-loop block"]);
    },
  );

  test.each([
    { detector: "cycle" as const },
    { tool: "cat" },
    { detector: "cycle" as const, tool: "ls" },
    { episode: "e1" },
    {},
  ])("%j: another mute stays", (scope) => {
    expect(play([...warned, unmute(scope), ...times(3, listing)]).summary).toHaveLength(3);
  });

  test("a mute of all tools is not lifted for one of them", () => {
    const script = [
      ...times(3, listing),
      mute({ detector: "doom-loop" }),
      unmute({ detector: "doom-loop", tool: "ls" }),
    ];
    expect(play(script).state.mutes).toEqual([{ detector: "doom-loop" }]);
  });
});

test("the state stays plain JSON and bounded, and wrong fields are an error", () => {
  const round = (i: number) => [...times(5, listing), mute({ tool: `t${i}` }), muteEpisode, unmuteEpisode];
  const { state } = play(times(40, round));
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  expect(state.mutes).toHaveLength(bounds.mutes);
  expect(JSON.stringify(state).length).toBeLessThan(64_000);
  const wrong = signal({ type: "unmute", detector: "nonsense" as "cycle" });
  expect(() => play([wrong])).toThrow("Expected detector of an unmute signal to be one of side-effect-repeat,");
});
