import type { EventStore } from "../../packages/agent/dist/index.js";
import type { Worker } from "../measure/worker.ts";
import { keysOfEvents } from "./clients/message-log.ts";
import type { ClientsResult, ClientsTask, SavedMessage } from "./clients/task.ts";
import { type ClientsTotal, total } from "./clients/total.ts";
import { load, phaseMs, sleep } from "./load.ts";
import type { RunsResult, RunsTask } from "./runs/child.ts";
import { type SheepdogServer, startSheepdogServer } from "./sheepdog-server.ts";

/** The processes that take part. */
export interface Stage {
  readonly home: string;
  readonly events: EventStore;
  readonly runs: Worker<RunsTask, RunsResult>;
  readonly clients: readonly Worker<ClientsTask, ClientsResult>[];
}

/** A measured phase: the runs, and what the clients received. */
export interface Phase extends RunsResult {
  readonly clients: ClientsTotal;
  /** The share of one processor that the server took; undefined where the system does not tell. */
  readonly serverShare: number | undefined;
  readonly serverMemory: number;
}

/** Everything that one round measured. Memory is in MB. */
export interface Round {
  readonly alone: RunsResult;
  readonly idle: Phase;
  readonly following: Phase;
  readonly unread: Phase;
  /** Milliseconds until all clients were caught up. */
  readonly reconnectMs: number;
  /** Milliseconds until the clients that had not read had everything. */
  readonly catchUpMs: number;
  readonly memoryAfter: number;
  /** Over the whole round. */
  readonly check: ClientsTotal;
  readonly messages: number;
}

/** Phases of the same length: the runs alone, with the server, with clients, and with clients that never read. */
export async function runRound(stage: Stage): Promise<Round> {
  const alone = await stage.runs.run({ ms: phaseMs });
  const server = await startSheepdogServer(stage.home);
  try {
    return { alone, ...(await withServer(stage, server)) };
  } finally {
    await server.stop();
  }
}

async function withServer(stage: Stage, server: SheepdogServer): Promise<Omit<Round, "alone">> {
  const { events } = stage;
  const all = (task: ClientsTask) => everyClient(stage, task);
  const address = { type: "connect", origin: server.origin, token: server.token } as const;
  const share = (count: number) => count / load.clientProcesses;
  await sleep(1_000);
  const idle = await measure(stage, server);

  const after = await events.lastPosition();
  await all({ ...address, readers: share(load.clients), unread: 0, after });
  await sleep(1_000);
  const following = await measure(stage, server);

  await all({ ...address, readers: 0, unread: share(load.unread), after });
  await sleep(1_000);
  const unread = await measure(stage, server);

  await all({ type: "disconnect" });
  await sleep(load.awayMs);
  const reconnected = await all({ type: "reconnect", to: await events.lastPosition() });
  const caughtUp = await all({ type: "read", to: await events.lastPosition() });

  const to = await events.lastPosition();
  const saved = await savedMessages(events);
  const check = await all({ type: "check", saved, to });
  await sleep(5_000);
  return {
    idle,
    following,
    unread,
    reconnectMs: reconnected.ms,
    catchUpMs: caughtUp.ms,
    memoryAfter: server.memory(),
    check,
    messages: saved.filter(([position]) => position > after && position <= to).length,
  };
}

async function measure(stage: Stage, server: SheepdogServer): Promise<Phase> {
  const cpuBefore = server.cpuMs();
  const [runs, clients] = await Promise.all([
    stage.runs.run({ ms: phaseMs }),
    everyClient(stage, { type: "measure", ms: phaseMs }),
  ]);
  const cpuAfter = server.cpuMs();
  const serverShare = cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / phaseMs;
  return { ...runs, clients, serverShare, serverMemory: server.memory() };
}

async function everyClient({ clients }: Stage, task: ClientsTask): Promise<ClientsTotal> {
  return total(await Promise.all(clients.map((worker) => worker.run(task))));
}

async function savedMessages(events: EventStore): Promise<readonly SavedMessage[]> {
  const saved: SavedMessage[] = [];
  for (;;) {
    const batches = await events.batchesAfter(saved.at(-1)?.[0] ?? 0, 500);
    if (batches.length === 0) return saved;
    saved.push(...batches.map(({ position, events: list }): SavedMessage => [position, keysOfEvents(list)]));
  }
}
