import { copyFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { allRows, editFile, integrityOf, later, rebuildFixture } from "../../../test/rebuild-fixture.ts";
import type { Stores } from "../stores.ts";
import { openOrRebuild } from "./open-or-rebuild.ts";
import { pageSize } from "./schema.ts";

const fixture = rebuildFixture();

describe("random changed bytes", () => {
  /** A pseudo-random generator. */
  const createRandom = (seed: number) => () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };

  const rounds = Number(process.env["FLIP_ROUNDS"] ?? 12);

  test.each(["database", "log"])(
    "in the %s never lose anything without a report",
    { timeout: 600_000 },
    async (where) => {
      const intact = `${fixture.folder.dir}/sound`;
      if (where === "log") fixture.copyCrashedDatabase(intact);
      else fixture.copyClosedDatabase(intact);
      const outcomes = { intact: 0, rebuilt: 0, refused: 0 };
      for (let round = 1; round <= rounds; round += 1) {
        const random = createRandom(round);
        const path = `${fixture.folder.dir}/round-${round}`;
        for (const end of where === "log" ? ["", "-wal"] : [""]) copyFileSync(intact + end, path + end);
        editFile(where === "log" ? `${path}-wal` : path, (bytes) => {
          for (let flips = 1 + Math.floor(random() * 8); flips > 0; flips -= 1) {
            const page = Math.floor((random() * bytes.length) / pageSize) * pageSize;
            const range = random() < 0.3 ? 24 : pageSize; // the header of a page matters most
            const spot = Math.min(bytes.length - 1, page + Math.floor(random() * range));
            bytes.writeUInt8((bytes[spot] ?? 0) ^ (1 + Math.floor(random() * 255)), spot);
          }
        });
        const opened = await openOrRebuild({ path, now: () => later }).catch((error: Error) => error);
        if (opened instanceof Error) {
          expect(`${round}: ${opened.message}`).toMatch(/is another program's|has schema version/);
          outcomes.refused += 1;
          continue;
        }
        const { stores, rebuilt } = opened;
        const counts = await countAll(stores).catch((error: Error) => error);
        await stores.close();
        if (counts instanceof Error) expect(`${round}: ${counts.message}`).toMatch(/it is not used/);
        else if (rebuilt === undefined || rebuilt.lost.length === 0)
          expect({ round, ...counts }).toEqual({
            round,
            sessions: 3,
            messages: allRows.messages,
            costs: allRows.costs,
          });
        expect(await integrityOf(path)).toBe("ok");
        outcomes[rebuilt === undefined ? "intact" : "rebuilt"] += 1;
      }
      expect(outcomes.rebuilt).toBeGreaterThan(rounds / 10);
      if (process.env["FLIP_ROUNDS"] !== undefined) console.log(where, outcomes);
    },
  );

  /** Counts rows, even when a changed byte altered their text. */
  async function countAll(
    stores: Stores,
  ): Promise<{ readonly sessions: number; readonly messages: number; readonly costs: number }> {
    const list = await stores.sessions.list();
    let messages = 0;
    for (const { sessionId } of list) messages += (await stores.sessions.load(sessionId)).messages.length;
    const costs = (await stores.costs.sums("run")).reduce((sum, { requests }) => sum + requests, 0);
    return { sessions: list.length, messages, costs };
  }
});
