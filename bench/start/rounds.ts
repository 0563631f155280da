import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Contestant, flags, floor, ours, peers } from "./contestants.ts";

/** Milliseconds on the clock from start to end, round by round, by what was started; and why others were not. */
export interface Measured {
  readonly millis: ReadonlyMap<string, readonly number[]>;
  readonly missing: ReadonlyMap<string, string>;
}

interface Start {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** Takes part in few rounds: it takes long. */
  readonly isPeer: boolean;
}

/** The name of a start: whose, and what it was asked. */
export function startName(contestant: Pick<Contestant, "name">, flag: string): string {
  return `${contestant.name} ${flag}`;
}

/** Starts everybody in turn, in an order that rotates; what the first rounds take is not counted. Peers take part in the last `peerRounds`. */
export function measure({
  warmUps,
  rounds,
  peerRounds,
}: {
  readonly warmUps: number;
  readonly rounds: number;
  readonly peerRounds: number;
}): Measured {
  const home = mkdtempSync(join(tmpdir(), "sheepdog-bench-"));
  try {
    const { starts, missing } = gather(home);
    const millis = new Map<string, number[]>(starts.map(({ name }) => [name, []]));
    for (let round = -warmUps; round < rounds; round += 1) {
      const playing = starts.filter(({ isPeer }) => !isPeer || round >= rounds - peerRounds);
      for (let place = 0; place < playing.length; place += 1) {
        const start = playing[(place + round + warmUps) % playing.length] as Start; // in bounds by the remainder
        const taken = once(start.command, home);
        if (round >= 0) millis.get(start.name)?.push(taken);
      }
    }
    return { millis, missing };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Everybody who can be started here; each is tried once, which also brings its files into the system's memory. */
function gather(home: string): { readonly starts: readonly Start[]; readonly missing: ReadonlyMap<string, string> } {
  const starts: Start[] = [{ name: floor.name, command: floor.command, isPeer: false }];
  const missing = new Map<string, string>();
  for (const contestant of [ours, ...peers])
    for (const flag of flags) {
      const name = startName(contestant, flag);
      try {
        const command = [...contestant.open(), flag] as const;
        once(command, home);
        starts.push({ name, command, isPeer: contestant !== ours });
      } catch (error) {
        missing.set(name, `cannot be used here: ${error instanceof Error ? error.message : error}`);
      }
    }
  return { starts, missing };
}

/** In a home of its own, where nothing is configured. Throws where it does not end well. */
function once([program, ...args]: readonly [program: string, ...args: string[]], home: string): number {
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    XDG_CACHE_HOME: home,
    NO_COLOR: "1",
  };
  const before = process.hrtime.bigint();
  const { status, signal } = spawnSync(program, args, {
    env,
    cwd: home,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  const millis = Number(process.hrtime.bigint() - before) / 1e6;
  if (status !== 0) throw new Error(`it ended with ${signal ?? status}`);
  return millis;
}
