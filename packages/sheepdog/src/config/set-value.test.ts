import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, stat, symlink, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../test/scratch-folder.ts";
import { setValue, unsetValue } from "./set-value.ts";

const file = scratchFolder();

describe("a value is set", () => {
  test("in a new file that only its owner can read", async () => {
    const path = await file("home/config.toml");
    expect(await setValue(path, "budget.monthly_limit_cents", 500)).toMatchObject({ ok: true });
    expect(await setValue(path, "agent.guardian.mode", "advise")).toMatchObject({ ok: true });
    expect(await readFile(path, "utf8")).toBe(
      '[budget]\nmonthly_limit_cents = 500\n\n[agent.guardian]\nmode = "advise"\n',
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("from a text, according to the type of its key", async () => {
    const path = await file("config.toml", "# mine\n");
    for (const [key, text] of [
      ["agent.max_turns", "40"],
      ["agent.parallel_tools", "false"],
      ["security.pause_before", "bash, write"],
      ["agent.guardian.detectors.cycle", "off"],
      ['agent.guardian.tools."get_*"', "{ scale = 2, off = 'all' }"],
      ["model.base_url", `https://\${HOST:-a.example}`],
    ] as const)
      expect(await setValue(path, key, text, {})).toMatchObject({ ok: true });
    expect(await readFile(path, "utf8")).toBe(
      [
        "# mine",
        "",
        "[agent]",
        "max_turns = 40",
        "parallel_tools = false",
        "",
        "[security]",
        'pause_before = ["bash", "write"]',
        "",
        "[agent.guardian.detectors]",
        'cycle = "off"',
        "",
        '[agent.guardian.tools."get_*"]',
        "scale = 2",
        'off = "all"',
        "",
        "[model]",
        `base_url = "https://\${HOST:-a.example}"`,
        "",
      ].join("\n"),
    );
  });

  test("and the file keeps its mode and its location behind a link", async () => {
    const path = await file("elsewhere.toml", "[agent]\nmax_turns = 3\n");
    await chmod(path, 0o640);
    const link = await file("config.toml");
    await symlink(path, link);
    expect(await setValue(link, "agent.max_turns", 4)).toMatchObject({ ok: true });
    expect([await readFile(path, "utf8"), (await stat(path)).mode & 0o777]).toEqual([
      "[agent]\nmax_turns = 4\n",
      0o640,
    ]);
  });

  test("and no concurrent change is lost", async () => {
    const path = await file("config.toml", "# mine\n");
    const names = Array.from({ length: 20 }, (_, index) => `tool_${index}`);
    const results = await Promise.all(names.map((name) => setValue(path, `agent.guardian.tools.${name}.scale`, 2)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    const text = await readFile(path, "utf8");
    expect(names.filter((name) => !text.includes(`[agent.guardian.tools.${name}]`))).toEqual([]);
    expect(await readdir(dirname(path))).toEqual(["config.toml"]);
  });
});

test.each([0, 4e12])("a draft of a killed process does not block later changes, with a clock at %i", async (time) => {
  const path = await file("config.toml", "# mine\n");
  const hash = createHash("sha256").update("some# mine\n").digest("hex");
  const draft = await file(`config.toml.${hash.slice(0, 16)}.draft`, "half of");
  await utimes(draft, new Date(time), new Date(time));
  expect(await setValue(path, "agent.max_turns", 3)).toMatchObject({ ok: true });
  expect([await readFile(path, "utf8"), await readdir(dirname(path))]).toEqual([
    "# mine\n\n[agent]\nmax_turns = 3\n",
    ["config.toml"],
  ]);
});

describe("nothing is written", () => {
  test.each<[string, string, unknown, string | RegExp]>([
    ["", "agent.max_turn", 3, 'there is no key "max_turn" in [agent]; did you mean "max_turns"?'],
    ["", "agent.max_turns", "many", 'agent.max_turns is "many"; it must be a whole number of at least 0'],
    ["", "agent", "3", /^agent is 3; it must be a table/],
    ["", "agent..x", "3", '"agent..x" is not a key; write one such as agent.max_turns'],
    ["", "__proto__.x", "3", /^there is no key "__proto__" at the top/],
    ["", "model.base_url", `\${NOWHERE}`, /:2:12: model.base_url: the variable NOWHERE is not set/],
    [
      "",
      "agent.max_turns",
      `\${NUMBER}`,
      /:2:13: agent.max_turns is "\$\{NUMBER\}"; with its variables expanded it must be a whole number/,
    ],
    ["[agent", "agent.max_turns", 3, /:1:2: invalid TOML/],
    ["[agent]\nmax_turn = 3", "agent.min_tail", 3, /:2:1: there is no key "max_turn" in \[agent\]/],
    [
      "[budget]\nmonthly_limit_cents = 5",
      "budget.warning_threshold_cents",
      6,
      /:3:27: budget.warning_threshold_cents is 6 .* the warning must not be above the limit$/,
    ],
  ])("into %j for %s = %j", async (before, key, value, problem) => {
    const path = await file("config.toml", before);
    expect(await setValue(path, key, value, { NUMBER: "secret" })).toEqual({
      ok: false,
      problems: [typeof problem === "string" ? problem : expect.stringMatching(problem)],
    });
    expect(await readFile(path, "utf8")).toBe(before);
  });

  test("if the file cannot be written", async () => {
    const path = await file("config.toml");
    await mkdir(path);
    expect(await setValue(path, "agent.max_turns", 3)).toEqual({
      ok: false,
      problems: [`${path}:1:1: it is a directory, not a file`],
    });
    const below = await file("x/config.toml");
    await file("x/y", "");
    expect(await setValue(`${dirname(below)}/y/config.toml`, "agent.max_turns", 3)).toEqual({
      ok: false,
      problems: [expect.stringContaining("cannot be written")],
    });
  });
});

test("an invalid value can be removed", async () => {
  const path = await file("config.toml", "[agent]\nmax_turn = 3 # oops\nmin_tail = 4\n");
  expect(await unsetValue(path, "agent.max_turn")).toMatchObject({ ok: true });
  expect(await readFile(path, "utf8")).toBe("[agent]\nmin_tail = 4\n");
});
