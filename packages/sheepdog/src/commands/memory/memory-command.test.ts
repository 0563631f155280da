import { describe, expect, test } from "vitest";
import { scratchFolder } from "../../../test/scratch-folder.ts";
import { openTestHome, terminalControls } from "../../../test/test-home.ts";

const file = scratchFolder();

describe("facts", () => {
  test("can be added, listed, found and removed", async () => {
    const { sheepdog, close } = await openTestHome(await file("home"));
    expect(
      await sheepdog("memory", "add", "The tests", "need npm run build first.", "--tag", "tests", "--tag", "build"),
    ).toEqual({
      code: 0,
      out: "Added fact_1.\n",
      err: "",
    });
    await sheepdog("memory", "add", "Sheep are counted on Mondays.");
    const { out } = await sheepdog("memory", "list");
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^fact_2 {2}\d\d:\d\d$/),
      "  Sheep are counted on Mondays.",
      expect.stringMatching(/^fact_1 {2}\d\d:\d\d {2}#tests {2}#build$/),
      "  The tests need npm run build first.",
      "",
    ]);
    expect((await sheepdog("memory")).out).toBe(out);
    const found = JSON.parse((await sheepdog("memory", "search", "build", "--json")).out);
    expect(found).toEqual({
      schemaVersion: 1,
      facts: [
        {
          id: "fact_1",
          at: expect.stringMatching(/Z$/),
          text: "The tests need npm run build first.",
          tags: ["tests", "build"],
        },
      ],
    });
    expect(await sheepdog("memory", "remove", "fact_1")).toEqual({ code: 0, out: "Removed fact_1.\n", err: "" });
    expect((await sheepdog("memory", "search", "build")).err).toBe("sheepdog: no fact matches\n");
    await close();
  });

  test("are all removed only with --yes", async () => {
    const { sheepdog, close } = await openTestHome(await file("home"));
    await sheepdog("memory", "add", "one");
    await sheepdog("memory", "add", "two");
    expect(await sheepdog("memory", "clear")).toEqual({
      code: 2,
      out: "",
      err: "sheepdog: this would remove 2 facts permanently; add --yes to do it\n",
    });
    expect((await sheepdog("memory", "clear", "--yes")).out).toBe("Removed 2 facts.\n");
    expect((await sheepdog("memory", "list")).err).toBe("sheepdog: there are no facts yet\n");
    await close();
  });

  test("holds no secrets", async () => {
    const { sheepdog, stores, close } = await openTestHome(await file("home"));
    const secret = `ghp_${"a1B2c3".repeat(6)}`;
    await sheepdog("memory", "add", "The key is", secret, "--tag", secret);
    expect(JSON.stringify(await stores.memory.list())).not.toContain(secret);
    await close();
  });

  test("are shown completely, even with long words", async () => {
    const { sheepdog, close } = await openTestHome(await file("home"));
    const address = `https://example.org/${"path/".repeat(60)}`;
    await sheepdog("memory", "add", "See", address);
    expect((await sheepdog("memory", "list")).out.replaceAll(/\n {2}/g, "")).toContain(address);
    await close();
  });

  test("prints no terminal control sequence", async () => {
    const { sheepdog, stores, close } = await openTestHome(await file("home"));
    await stores.memory.write({ at: Date.now(), text: "\u001b[2J\u202eevil\u0007", tags: ["\u001b]0;x\u0007tag"] });
    expect((await sheepdog("memory", "list")).out).not.toMatch(terminalControls);
    expect((await sheepdog("memory", "list", "--json")).out).not.toMatch(terminalControls);
    await close();
  });

  test.each([
    [["add", " "], "the fact is empty"],
    [["add", "x".repeat(20_000)], "the fact is too long; it may have 10,000 characters"],
    [["remove", "fact_9"], "there is no fact fact_9; see all with: sheepdog memory list"],
    [["remove", "\u001b[2J../x"], "there is no fact ../x"],
    [["search"], "is missing"],
    [["forget"], "there is no command forget; memory has list, search, add, remove, clear"],
  ])("%j is a usage error", async (argv, sentence) => {
    const { sheepdog, close } = await openTestHome(await file("home"));
    const { code, out, err } = await sheepdog("memory", ...argv);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
    await close();
  });
});
