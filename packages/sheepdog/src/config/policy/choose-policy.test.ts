import { defaultPolicy, detectorNames, limitNames } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { choosePolicy } from "./choose-policy.ts";

const file = scratchFolder();

async function problems(asked: string | undefined, ...settings: string[]): Promise<readonly string[]> {
  const chosen = await choosePolicy(asked, settings);
  return chosen.ok ? [] : chosen.problems;
}

describe("a policy is chosen", () => {
  test("by the name of a preset, with a default", async () => {
    expect(await choosePolicy(undefined)).toEqual({ ok: true, policy: defaultPolicy });
    for (const [name, policy] of Object.entries(presets))
      expect(await choosePolicy(name)).toEqual({ ok: true, policy });
  });

  test("by a JSON file on top of the default", async () => {
    const partial = {
      mode: "advise",
      detectors: { "doom-loop": { hint: 4, halt: null }, cycle: "off" },
      tools: [{ match: "get_*", scale: 2, off: ["cycle"] }],
    };
    const { cycle: _, ...detectors } = defaultPolicy.detectors;
    expect(await choosePolicy(await file("policy.json", JSON.stringify(partial)))).toEqual({
      ok: true,
      policy: {
        ...defaultPolicy,
        ...partial,
        detectors: { ...detectors, "doom-loop": { suspect: 2, hint: 4, warn: 4, block: 5 } },
      },
    });
  });

  test("and changed key by key, later ones override earlier ones", async () => {
    const chosen = await choosePolicy("off", [
      "attendedScale=1",
      "detectors.doom-loop.hint=4",
      "detectors.doom-loop.hint=6",
      "detectors.cycle=off",
      "mode=observe",
    ]);
    expect(chosen).toEqual({
      ok: true,
      policy: { ...presets.off, attendedScale: 1, mode: "observe", detectors: { "doom-loop": { hint: 6 } } },
    });
  });

  test("with rungs whose order is checked after all settings", async () => {
    const settings = ["hint=9", "warn=9", "block=10", "halt=11"].map((rung) => `detectors.doom-loop.${rung}`);
    expect(await choosePolicy("default", settings)).toMatchObject({
      ok: true,
      policy: { detectors: { "doom-loop": { hint: 9, warn: 9, block: 10, halt: 11 } } },
    });
  });

  test("with every detector and every limit that exists", async () => {
    for (const name of detectorNames) expect(await problems("off", `detectors.${name}.halt=3`)).toEqual([]);
    for (const name of limitNames)
      expect(await problems("off", `limits.${name}.stop=3`, `limits.${name}.warn=off`)).toEqual([]);
  });

  test.each([
    ["limits.run-cost.stop=$1.50", { limits: { "run-cost": { stop: 1_500_000_000 } } }],
    ["limits.run-cost.stop=$0.29", { limits: { "run-cost": { stop: 290_000_000 } } }],
    ["limits.month-cost.warn=250000000", { limits: { "month-cost": { warn: 250_000_000 } } }],
    ["limits.time.stop=90s", { limits: { time: { stop: 90_000 } } }],
    ["limits.time.stop=1.5h", { limits: { time: { stop: 5_400_000 } } }],
    ["limits.time.warn=500", { limits: { time: { warn: 500 } } }],
    ["limits.context.warn=80%", { limits: { context: { warn: 80 } } }],
    ["limits.context.stop=95", { limits: { context: { stop: 95 } } }],
    ["limits.run-tokens.stop=200000", { limits: { "run-tokens": { stop: 200_000 } } }],
    ["stallMs=10m", { stallMs: 600_000 }],
    ["stallMs=5000", { stallMs: 5_000 }],
    ["stallMs=0", { stallMs: 0 }],
    ["spawn.depth=0", { spawn: { ...presets.off.spawn, depth: 0 } }],
    ["unpriced=count-tokens", { unpriced: "count-tokens" }],
    ["secondOpinion=always", { secondOpinion: "always" }],
    ["argumentChars=200", { argumentChars: 200 }],
    ['tools=[{"match":"*","off":["spawn"]}]', { tools: [{ match: "*", off: ["spawn"] }] }],
  ])("with amounts as users write them: %s", async (setting, changed) => {
    expect(await choosePolicy("off", [setting])).toEqual({ ok: true, policy: { ...presets.off, ...changed } });
  });

  test("without parts that are switched off", async () => {
    const { argumentChars: _, ...aar } = presets.aar;
    expect(await choosePolicy("aar", ["argumentChars=off"])).toStrictEqual({ ok: true, policy: aar });
    const { turns: __, ...limits } = presets.aar.limits;
    expect(await choosePolicy("aar", ["limits.turns=off"])).toStrictEqual({
      ok: true,
      policy: { ...presets.aar, limits },
    });
    expect(await choosePolicy("ryvos", ["limits.context.warn=off"])).toMatchObject({
      ok: true,
      policy: { limits: { context: { stop: 95 } } },
    });
  });
});

const keys =
  "name, mode, attendedScale, stallMs, spawn, unpriced, secondOpinion, argumentChars, detectors, limits, tools";
const dollars = `dollars such as "$1.50" (in a shell: '$1.50') or a whole number of nano-dollars above 0, or "off"`;
const time = 'a time such as "90s", "10m", "2h" or a whole number of milliseconds above 0';

describe("an invalid policy is explained", () => {
  test.each([
    ["detector.doom-loop.hint=4", 'unknown key "detector"; did you mean "detectors"?'],
    ["detectors.dom-loop.hint=4", 'detectors: unknown key "dom-loop"; did you mean "doom-loop"?'],
    ["detectors.doom-loop.hnt=4", 'detectors.doom-loop: unknown key "hnt"; did you mean "hint"?'],
    ["detectors.doom-loop.hint=many", 'detectors.doom-loop.hint is "many"; it must be a finite number above 0'],
    [
      "detectors.doom-loop=4",
      'detectors.doom-loop is 4; it must be "off" or an object with suspect, hint, warn, block, halt',
    ],
    ["mode=bite", 'mode is "bite"; it must be "guide" or "advise" or "observe"'],
    ["tools=[{}]", 'tools[0].match is ""; it must be the name of a tool or a glob'],
    ["__proto__.mode=guide", `unknown key "__proto__"; valid are ${keys}`],
    ["limits.turn.stop=9", 'limits: unknown key "turn"; did you mean "turns"?'],
    ["limits.turns.halt=9", 'limits.turns: unknown key "halt"; valid are warn, stop'],
    ["limits.turns=9", 'limits.turns is 9; it must be "off" or an object with warn, stop'],
    ["limits.turns.stop=2.5", 'limits.turns.stop is 2.5; it must be a whole number above 0, or "off"'],
    ["limits.run-tokens.stop=many", 'limits.run-tokens.stop is "many"; it must be a whole number above 0, or "off"'],
    ["limits.run-cost.stop=1.50", `limits.run-cost.stop is 1.5; it must be ${dollars}`],
    ["limits.run-cost.stop=0", `limits.run-cost.stop is 0; it must be ${dollars}`],
    ["limits.run-cost.stop=.50", `limits.run-cost.stop is ".50"; it must be ${dollars}`],
    ["limits.day-cost.warn=€5", `limits.day-cost.warn is "€5"; it must be ${dollars}`],
    ["limits.time.stop=10 minutes", `limits.time.stop is "10 minutes"; it must be ${time}, or "off"`],
    [
      "limits.context.stop=120%",
      'limits.context.stop is "120%"; it must be a percentage above 0 and up to 100, such as 80 or "80%", or "off"',
    ],
    ["stallMs=-1", `stallMs is -1; it must be ${time.replace(" above 0", ", 0 for off")}`],
    ["limits.time.stop=0", `limits.time.stop is 0; it must be ${time}, or "off"`],
    ["spawn.perRun=-1", "spawn.perRun is -1; it must be a whole number of at least 0"],
    ["spawn.perminute=3", 'spawn: unknown key "perminute"; did you mean "perMinute"?'],
    ["spawn=off", 'spawn is "off"; it must be an object with depth, perRun, perMinute'],
    ["unpriced=ignore", 'unpriced is "ignore"; it must be "refuse-under-limit" or "count-tokens"'],
    ["secondOpinion=yes", 'secondOpinion is "yes"; it must be "off" or "before-force" or "always"'],
    ["argumentChars=0", 'argumentChars is 0; it must be a whole number above 0, or "off"'],
    ["detectors.chnt=off", 'detectors: unknown key "chnt"; did you mean "chant"?'],
    ['tools=[{"match":"*","off":["spwn"]}]', 'tools[0].off: unknown detector "spwn"; did you mean "spawn"?'],
    ["attendedScale=0", "attendedScale is 0; it must be a finite number above 0"],
    ["detectors.doom-loop.hint=-1", "detectors.doom-loop.hint is -1; it must be a finite number above 0"],
    ["detectors.doom-loop.halt=1e999", "detectors.doom-loop.halt is Infinity; it must be a finite number above 0"],
    ['tools=[{"match":"*","scale":-2}]', "tools[0].scale is -2; it must be a finite number above 0"],
    ["mode", "it must be key=value, e.g. detectors.doom-loop.hint=4"],
  ])("--set %s", async (setting, sentence) => {
    expect(await problems(undefined, setting)).toEqual([`--set ${setting}: ${sentence}`]);
  });

  test.each([
    [["hint=6"], "hint is 6 and warn is 4"],
    [["warn=off", "hint=6"], "hint is 6 and block is 5"],
    [["halt=2"], "block is 5 and halt is 2"],
  ])("rungs out of order: %j", async (rungs, what) => {
    const settings = rungs.map((rung) => `detectors.doom-loop.${rung}`);
    expect(await problems("default", ...settings)).toEqual([
      `detectors.doom-loop: ${what}; it must be hint ≤ warn ≤ block ≤ halt`,
    ]);
  });

  test.each([
    [["turns.warn=9", "turns.stop=5"], "limits.turns: warn is 9 and stop is 5"],
    [["run-cost.stop=$0.25", "run-cost.warn=$1"], "limits.run-cost: warn is $1 and stop is $0.25"],
    [["time.stop=90s", "time.warn=2m"], "limits.time: warn is 120s and stop is 90s"],
    [["context.stop=70"], "limits.context: warn is 80% and stop is 70%"],
  ])("a limit that warns above its stop: %j", async (settings, what) => {
    expect(await problems("ryvos", ...settings.map((setting) => `limits.${setting}`))).toEqual([
      `${what}; it must be warn ≤ stop`,
    ]);
  });

  test("all problems, each with the name of its file", async () => {
    const path = await file("policy.json", '{"mod":"guide","detectors":{"cycel":{}},"limits":{"turns":{"stop":"9"}}}');
    expect(await problems(path)).toEqual([
      `--policy ${path}: unknown key "mod"; did you mean "mode"?`,
      `--policy ${path}: detectors: unknown key "cycel"; did you mean "cycle"?`,
      `--policy ${path}: limits.turns.stop is "9"; it must be a whole number above 0, or "off"`,
    ]);
  });

  test("an unknown preset or file, and a file that is not JSON", async () => {
    expect(await problems("strickt")).toEqual([
      '--policy strickt: there is no preset and no file with this name; did you mean "strict"?',
    ]);
    expect((await problems(await file("policy.json", "{")))[0]).toContain("this file is not JSON");
    expect((await problems(await file("list.json", "[]")))[0]).toContain("the policy is []; it must be an object");
  });
});
