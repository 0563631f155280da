import { describe, expect, test } from "vitest";
import type { OpenedStores } from "../stores-contract.ts";
import { freshStores } from "./fresh.ts";

export function factsContract(open: () => Promise<OpenedStores>): void {
  describe("memory", () => {
    const stores = freshStores(open);
    const write = (text: string, at = 0, tags: readonly string[] = []) => stores().memory.write({ at, text, tags });
    const texts = async (query: string, limit = 10) =>
      (await stores().memory.search(query, limit)).map(({ text }) => text);

    test("a fact comes back with a unique id, its time and its tags", async () => {
      const one = await write("The deploy key is stored in the vault", 7, ["deploy", "ops"]);
      const other = await write("Another fact");
      expect(one).toMatchObject({ at: 7, text: "The deploy key is stored in the vault", tags: ["deploy", "ops"] });
      expect(one.id).not.toBe(other.id);
      expect(await stores().memory.search("vault", 1)).toEqual([one]);
    });

    test("an equal fact is stored once, and the stored one is returned", async () => {
      const one = await write("The build needs Node 20", 1, ["build"]);
      expect(await write("The build needs Node 20", 2, ["build"])).toEqual(one);
      const others = [await write("The build needs Node 20", 3), await write("The build needs node 20", 3, ["build"])];
      expect(new Set([one, ...others].map(({ id }) => id)).size).toBe(3);
      expect(await texts("node")).toHaveLength(3);
    });

    test("facts with more of the words come first, and those without any are not found", async () => {
      await write("tests run with vitest");
      await write("the database is sqlite");
      await write("database tests run with sqlite in memory");
      expect(await texts("sqlite database tests memory")).toEqual([
        "database tests run with sqlite in memory",
        "the database is sqlite",
        "tests run with vitest",
      ]);
      expect(await texts("kubernetes")).toEqual([]);
    });

    test("of facts that match equally, the newest comes first", async () => {
      for (const [text, at] of [
        ["the port is 1", 1],
        ["the port is 3", 3],
        ["the port is 2", 2],
      ] as const)
        await write(text, at);
      expect(await texts("port")).toEqual(["the port is 3", "the port is 2", "the port is 1"]);
    });

    test("case does not matter, tags are words too, and the limit holds", async () => {
      await write("Grüße aus KÖLN", 1);
      await write("one", 2, ["Release"]);
      for (let n = 0; n < 20; n += 1) await write(`release note ${n}`, 3);
      expect(await texts("köln")).toEqual(["Grüße aus KÖLN"]);
      expect(await texts("koln")).toEqual([]);
      expect(await texts("release", 5)).toHaveLength(5);
      expect(await texts("release", 100)).toHaveLength(21);
      expect(await texts("release", 0)).toEqual([]);
    });

    test("a query is only words, whatever its notation", async () => {
      await write("plain fact");
      for (const query of [
        "",
        "   ",
        '"',
        "fact OR",
        "NEAR(",
        "fact*",
        "-fact",
        "text:fact",
        "'; --",
        "(",
        "\u0000",
        "%",
        "^fact",
        "fact AND NOT",
        "fa*",
      ]) {
        const found = await texts(query);
        expect(found, query).toEqual(/fact/.test(query) ? ["plain fact"] : []);
      }
    });

    test("a query of very many words finds the matching fact", async () => {
      await write("needle");
      expect(await texts(`${Array.from({ length: 5_000 }, (_, n) => `straw${n}`).join(" ")} needle`)).toEqual([
        "needle",
      ]);
    });

    test("of a query with very many known words, the first 64 are searched", async () => {
      const words = Array.from({ length: 100 }, (_, n) => `word${n}`);
      await write(words.join(" "));
      await write("word63 alone", 1);
      await write("word64 alone", 1);
      expect(await texts(words.join(" "))).not.toContain("word64 alone");
      expect(await texts(words.join(" "))).toContain("word63 alone");
    });

    test("all facts are listed, newest first", async () => {
      const [one, two, three] = [await write("first", 1), await write("second", 2), await write("also second", 2)];
      expect(await stores().memory.list()).toEqual([three, two, one]);
    });

    test("a removed fact is not found by its words, and its id is not used again", async () => {
      const [first, gone] = [await write("first word"), await write("gone word")];
      expect([await stores().memory.remove(gone.id), await stores().memory.remove(gone.id)]).toEqual([true, false]);
      expect(await stores().memory.list()).toEqual([first]);
      expect([await texts("gone"), await texts("word")]).toEqual([[], ["first word"]]);
      const again = await write("gone word");
      expect([first.id, gone.id]).not.toContain(again.id);
      expect(await texts("gone")).toEqual(["gone word"]);
    });

    test("an invalid id removes nothing", async () => {
      const fact = await write("a fact");
      for (const id of [
        "",
        "fact_",
        "fact_0",
        "fact_99",
        "fact_1 OR 1=1",
        "fact_-1",
        "fact_1e0",
        `fact_${"9".repeat(40)}`,
      ])
        expect(await stores().memory.remove(id), id).toBe(false);
      expect(await stores().memory.list()).toEqual([fact]);
    });
  });
}
