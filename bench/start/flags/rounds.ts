import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyEnvironment } from "../environment.ts";
import {
  baseline,
  type Command,
  claudeCode,
  codex,
  floor,
  geminiCli,
  opencode,
  ours,
  type Program,
  pi,
} from "../programs.ts";

/** Milliseconds from start to exit, one entry a round, by the name of the start; and why other starts are missing. */
export interface FlagTimes {
  readonly millis: ReadonlyMap<string, readonly number[]>;
  readonly missing: ReadonlyMap<string, string>;
}

export const flags = ["--version", "--help"] as const;

export const peers: readonly Program[] = [geminiCli, opencode, pi, claudeCode, codex];

interface Start {
  readonly name: string;
  readonly command: Command;
  /** Peers are slow, so they run in few rounds. */
  readonly isPeer: boolean;
}

/** The name of a program started with a flag. */
export function startName(program: Program, flag: string): string {
  return `${program.name} ${flag}`;
}

/** Starts all programs in turn, in an order that rotates. Warm-up rounds do not count; peers run in the last rounds. */
export function measureFlags(options: {
  readonly warmUps: number;
  readonly rounds: number;
  readonly peerRounds: number;
}): FlagTimes {
  const { warmUps, rounds, peerRounds } = options;
  const home = mkdtempSync(join(tmpdir(), "sheepdog-bench-"));
  try {
    const { starts, missing } = findStarts(home);
    const millis = new Map<string, number[]>(starts.map(({ name }) => [name, []]));
    for (let round = -warmUps; round < rounds; round += 1) {
      const active = starts.filter(({ isPeer }) => !isPeer || round >= rounds - peerRounds);
      for (const position of active.keys()) {
        const start = active[(position + round + warmUps) % active.length] as Start; // in bounds by the remainder
        const startMs = startOnce(start.command, home);
        if (round >= 0) millis.get(start.name)?.push(startMs);
      }
    }
    return { millis, missing };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Starts every program once, to learn which are usable here and to load their files into the page cache. */
function findStarts(home: string): {
  readonly starts: readonly Start[];
  readonly missing: ReadonlyMap<string, string>;
} {
  const starts: Start[] = [{ name: floor.name, command: floor.command(), isPeer: false }];
  const missing = new Map<string, string>();
  for (const program of [ours, ...(baseline === undefined ? [] : [baseline]), ...peers]) {
    for (const flag of flags) {
      const name = startName(program, flag);
      try {
        const command: Command = [...program.command(), flag];
        startOnce(command, home);
        starts.push({ name, command, isPeer: peers.includes(program) });
      } catch (error) {
        missing.set(name, `cannot be used here: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  return { starts, missing };
}

/** Returns milliseconds from start to exit. Throws when the exit code is not 0. */
function startOnce([executable, ...args]: Command, home: string): number {
  const startedAt = performance.now();
  const { status, signal } = spawnSync(executable, args, {
    env: emptyEnvironment(home),
    cwd: home,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  const startMs = performance.now() - startedAt;
  if (status !== 0) throw new Error(`it exited with ${signal ?? status}`);
  return startMs;
}
