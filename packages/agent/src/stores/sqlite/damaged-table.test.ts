import { readFileSync, writeFileSync } from "node:fs";
import { openDatabase } from "@sheepdog/records";
import { expect, test } from "vitest";
import { readRowsByTextKey } from "./damaged-table.ts";
import { freshFolder } from "./testing/fresh-folder.ts";

const inFolder = freshFolder();
const sessions = Array.from({ length: 200 }, (_, n) => `ses_${String(n).padStart(3, "0")}`);
const pageSize = 4_096;

/** Overwrites every page of rows that has one of the texts. */
function damagePages(path: string, texts: readonly string[]): void {
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += pageSize) {
    const page = bytes.subarray(at, at + pageSize);
    if (page[0] === 10 && texts.some((text) => page.includes(text))) page.fill(0xff);
  }
  writeFileSync(path, bytes);
}

test("rows between two damaged pages of a table with text keys are read by known first keys", async () => {
  const path = inFolder("x.db");
  const database = await openDatabase(path);
  database.exec(
    `PRAGMA page_size = ${pageSize};
     CREATE TABLE t (session_id TEXT, id TEXT, x TEXT, PRIMARY KEY (session_id, id)) WITHOUT ROWID;
     BEGIN`,
  );
  const insert = database.prepare("INSERT INTO t VALUES (?, ?, ?)");
  for (const session of sessions) for (let n = 0; n < 10; n += 1) insert.run(session, `req_${n}`, "x".repeat(100));
  database.exec("COMMIT");
  database.close();
  damagePages(path, ["ses_010req_5", "ses_190req_5"]);
  const damaged = await openDatabase(path);
  const countRows = (firstKeys: readonly string[]) => {
    const { rows, failures } = readRowsByTextKey(damaged, "t", { keys: ["session_id", "id"], firstKeys });
    const count = new Set(Array.from(rows, (row) => `${row["session_id"]} ${row["id"]}`)).size;
    expect(failures()).toBeGreaterThan(0);
    return count;
  };
  expect(countRows([])).toBeLessThan(300);
  expect(countRows(sessions)).toBeGreaterThan(1_900);
  damaged.close();
});
