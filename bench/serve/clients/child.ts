import { serveTasks } from "../../measure/serve-tasks.ts";
import { sleep } from "../load.ts";
import { addFaults, type Faults, faultsOf, noFaults } from "./check-client.ts";
import { login } from "./login.ts";
import { createMessageLog } from "./message-log.ts";
import { createStreamClient, type StreamClient } from "./stream-client.ts";
import type { ClientsResult, ClientsTask } from "./task.ts";

const maxWaitMs = 60_000;

let log = createMessageLog();
let readers: readonly StreamClient[] = [];
let unread: readonly StreamClient[] = [];
let lostConnections = 0;

process.on("disconnect", () => process.exit()); // the benchmark was ended

await serveTasks<ClientsTask, ClientsResult>(async () => async (task) => {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  const before = totals();
  log.startCounting();
  const faults = await act(task);
  const after = totals();
  const { user, system } = process.cpuUsage(cpu);
  if (task.type === "check") {
    for (const client of [...readers, ...unread]) client.disconnect();
    [readers, unread, log] = [[], [], createMessageLog()];
  }
  const live = readers.map((client, index) => client.liveMessages() - (before.live[index] ?? 0));
  return {
    ms: performance.now() - startedAt,
    ...log.counts(),
    readers: readers.length,
    savedMessages: after.saved - before.saved,
    liveMessages: live.reduce((sum, count) => sum + count, 0),
    mostLiveMessages: Math.max(0, ...live),
    bytes: after.bytes - before.bytes,
    faults,
    lostConnections,
    cpuMs: (user + system) / 1_000,
  };
});

async function act(task: ClientsTask): Promise<Faults> {
  switch (task.type) {
    case "connect":
      await connect(task);
      return noFaults;
    case "measure":
      await sleep(task.ms);
      return noFaults;
    case "disconnect":
      for (const client of readers) client.disconnect();
      return noFaults;
    case "reconnect":
      await Promise.all(readers.map((client) => client.connect()));
      await haveAll(readers, task.to);
      return noFaults;
    case "read":
      for (const client of unread) client.resume();
      await haveAll(unread, task.to);
      return noFaults;
    case "check":
      await haveAll([...readers, ...unread], task.to);
      return check(task);
    default:
      return task satisfies never;
  }
}

async function connect(task: ClientsTask & { readonly type: "connect" }): Promise<void> {
  const { origin, token, after } = task;
  const cookie = await login(origin, token);
  const onLost = () => {
    lostConnections += 1;
  };
  const shared = { port: Number(new URL(origin).port), cookie, log, onLost };
  const added = Array.from({ length: task.readers }, (_, index) =>
    createStreamClient({
      ...shared,
      from: after,
      measuresLive: readers.length + index === 0,
      isCounted: true,
    }),
  );
  // They want the whole history, so that more waits for them than the buffers of a connection hold.
  const addedUnread = Array.from({ length: task.unread }, () =>
    createStreamClient({ ...shared, from: 0, measuresLive: false, isCounted: false }),
  );
  readers = [...readers, ...added];
  unread = [...unread, ...addedUnread];
  await Promise.all([
    ...added.map((client) => client.connect()),
    ...addedUnread.map(async (client) => {
      await client.connect();
      client.pause();
    }),
  ]);
}

async function haveAll(clients: readonly StreamClient[], to: number): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  while (clients.some((client) => client.position() < to) && performance.now() < deadline) await sleep(10);
}

function check({ saved, to }: ClientsTask & { readonly type: "check" }): Faults {
  const positions = saved.map(([position]) => position);
  const changed = saved.filter(([position, keys]) => position <= to && (log.keysOf(position) ?? keys) !== keys).length;
  return [...readers, ...unread]
    .map((client) => faultsOf(client, positions, to))
    .reduce(addFaults, { ...noFaults, different: changed });
}

function totals() {
  return {
    saved: readers.reduce((sum, { positions }) => sum + positions.length, 0),
    live: readers.map((client) => client.liveMessages()),
    bytes: [...readers, ...unread].reduce((sum, client) => sum + client.bytes(), 0),
  };
}
