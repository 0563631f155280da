import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startPlayer } from "../measure/player.ts";
import { ratioOf } from "../measure/rounds.ts";
import { type Row, row } from "../measure/row.ts";
import { databaseName } from "./contestant.ts";
import { oursName } from "./contestants/index.ts";
import { freshFolder, removeFolder } from "./folder.ts";
import type { Loaded, LoadOrder } from "./resume-child.ts";
import { middleTurns } from "./rounds.ts";

const rounds = 15;

/** What came of it, and how long our load took. */
export interface Resumed {
  readonly rows: readonly Row[];
  readonly load: readonly Loaded[];
}

/** A session loaded through our port, against its rows selected and parsed by hand; each time in a process that is new. */
export async function measureResume(): Promise<Resumed> {
  const folder = freshFolder();
  try {
    const once = fileURLToPath(new URL("once.ts", import.meta.url));
    await ended(
      fork(once, [oursName, String(middleTurns), "read", folder], { stdio: ["ignore", "ignore", "inherit", "ipc"] }),
    );
    const taken = { ours: [] as Loaded[], raw: [] as Loaded[] };
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? (["ours", "raw"] as const) : (["raw", "ours"] as const);
      for (const how of order) taken[how].push(await loadFresh(how, join(folder, databaseName)));
    }
    checkSame(taken.ours, taken.raw);
    const by = (one: (loaded: Loaded) => number) => ratioOf(taken.ours.map(one), taken.raw.map(one));
    const to = "select and JSON.parse of its rows";
    return {
      rows: [
        row(
          `loading a session of ${middleTurns} turns, CPU`,
          to,
          by(({ loadCpu }) => loadCpu),
          2,
        ),
        row(
          `loading a session of ${middleTurns} turns, clock`,
          to,
          by(({ loadWall }) => loadWall),
        ),
        row(
          "the same with opening the database, clock",
          `${to} with opening it`,
          by(({ openWall, loadWall }) => openWall + loadWall),
        ),
      ],
      load: taken.ours,
    };
  } finally {
    removeFolder(folder);
  }
}

async function loadFresh(how: string, path: string): Promise<Loaded> {
  const player = await startPlayer<LoadOrder, Loaded>(how, new URL("resume-child.ts", import.meta.url));
  try {
    return await player.play({ path });
  } finally {
    player.leave();
  }
}

async function ended(child: ReturnType<typeof fork>): Promise<void> {
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`Expected a conversation to be played; its process ended with ${code}.`);
}

function checkSame(ours: readonly Loaded[], raw: readonly Loaded[]): void {
  const counts = new Set([...ours, ...raw].map(({ messages }) => messages));
  if (counts.size !== 1 || counts.has(0))
    throw new Error(`Expected the same messages every time; got ${[...counts].join(", ")}.`);
}
