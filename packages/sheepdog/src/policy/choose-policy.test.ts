import { defaultPolicy, detectors } from "@sheepdog/guardian";
import { presets } from "@sheepdog/guardian/presets";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch.ts";
import { choosePolicy } from "./choose-policy.ts";

const file = scratchFolder();

async function problems(asked: string | undefined, ...settings: string[]): Promise<readonly string[]> {
  const chosen = await choosePolicy(asked, settings);
  return chosen.ok ? [] : chosen.problems;
}

describe("a policy is chosen", () => {
  test("by the name of a preset, default unless told", async () => {
    expect(await choosePolicy(undefined)).toEqual({ ok: true, policy: defaultPolicy });
    expect(await choosePolicy("strict")).toEqual({ ok: true, policy: presets.strict });
  });

  test("by a JSON file laid over the default", async () => {
    const partial = {
      mode: "advise",
      detectors: { "doom-loop": { hint: 4, halt: null }, cycle: "off" },
      tools: [{ match: "get_*", scale: 2, off: ["cycle"] }],
    };
    const { cycle: _, ...detectors } = defaultPolicy.detectors;
    expect(await choosePolicy(await file("policy.json", JSON.stringify(partial)))).toEqual({
      ok: true,
      policy: { ...defaultPolicy, ...partial, detectors: { ...detectors, "doom-loop": { hint: 4, warn: 4, block: 5 } } },
    });
  });

  test("and changed key by key, the later over the earlier", async () => {
    const chosen = await choosePolicy("off", [
      "attendedScale=1",
      "detectors.doom-loop.hint=4",
      "detectors.doom-loop.hint=6",
      "detectors.cycle=off",
      "mode=observe",
    ]);
    expect(chosen).toEqual({ ok: true, policy: { ...presets.off, attendedScale: 1, mode: "observe", detectors: { "doom-loop": { hint: 6 } } } });
  });

  test("with rungs that are in order once all settings are in", async () => {
    const settings = ["hint=9", "warn=9", "block=10", "halt=11"].map((rung) => `detectors.doom-loop.${rung}`);
    expect(await choosePolicy("default", settings)).toMatchObject({
      ok: true,
      policy: { detectors: { "doom-loop": { hint: 9, warn: 9, block: 10, halt: 11 } } },
    });
  });

  test("with every detector that looks at calls, so that a new one is accepted by itself", async () => {
    for (const { name } of detectors) expect(await problems("off", `detectors.${name}.halt=3`)).toEqual([]);
  });
});

const later = (available: string) => `is not available in this version; available are ${available}`;
const looking = detectors.map(({ name }) => name).join(", ");

describe("a policy that cannot be had is explained", () => {
  test.each([
    ["detector.doom-loop.hint=4", 'unknown key "detector"; did you mean "detectors"?'],
    ["detectors.dom-loop.hint=4", 'detectors: unknown key "dom-loop"; did you mean "doom-loop"?'],
    ["detectors.doom-loop.hnt=4", 'detectors.doom-loop: unknown key "hnt"; did you mean "hint"?'],
    ["detectors.doom-loop.hint=many", 'detectors.doom-loop.hint is "many"; it must be a finite number above 0'],
    ["detectors.doom-loop=4", 'detectors.doom-loop is 4; it must be "off" or an object with hint, warn, block, halt'],
    ["mode=bite", 'mode is "bite"; it must be "guide" or "advise" or "observe"'],
    ["tools=[{}]", 'tools[0].match is ""; it must be the name of a tool or a glob'],
    ["__proto__.mode=guide", 'unknown key "__proto__"; valid are name, mode, attendedScale, detectors, tools'],
    ["limits.turns.stop=9", `limits ${later("name, mode, attendedScale, detectors, tools")}`],
    ["stallMs=5000", `stallMs ${later("name, mode, attendedScale, detectors, tools")}`],
    ["detectors.chant.hint=3", `detectors.chant ${later(looking)}`],
    ["detectors.stall=off", `detectors.stall ${later(looking)}`],
    ['tools=[{"match":"*","off":["spawn"]}]', `tools[0].off: "spawn" ${later(looking)}`],
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
  ])("where its rungs fall: %j", async (rungs, what) => {
    const settings = rungs.map((rung) => `detectors.doom-loop.${rung}`);
    expect(await problems("default", ...settings)).toEqual([`detectors.doom-loop: ${what}; it must be hint ≤ warn ≤ block ≤ halt`]);
  });

  test("with all its problems, each under the name of its file", async () => {
    const path = await file("policy.json", '{"mod":"guide","detectors":{"cycel":{}},"limits":{}}');
    expect(await problems(path)).toEqual([
      `--policy ${path}: unknown key "mod"; did you mean "mode"?`,
      `--policy ${path}: limits ${later("name, mode, attendedScale, detectors, tools")}`,
      `--policy ${path}: detectors: unknown key "cycel"; did you mean "cycle"?`,
    ]);
  });

  test("where there is no such preset or file, and where the file is no JSON", async () => {
    expect(await problems("strickt")).toEqual(['--policy strickt: there is no preset and no file of this name; did you mean "strict"?']);
    expect((await problems(await file("policy.json", "{")))[0]).toContain("this file is not JSON");
    expect((await problems(await file("list.json", "[]")))[0]).toContain("the policy is []; it must be an object");
  });
});
