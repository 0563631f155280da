import { type FSWatcher, mkdirSync, watch } from "node:fs";
import type { Home } from "../../home.ts";
import { allRequests } from "../answers/requests.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { kindOf } from "../kinds/index.ts";
import { hasOutbox, outboxFolder } from "../outbox.ts";
import { watchedRuns } from "../watched-runs.ts";
import { createDelivery } from "./deliver-account.ts";
import { type AccountLease, claimAccount } from "./lease.ts";
import { tellLostRuns } from "./lost-runs.ts";
import { createAnswersReading } from "./read-answers.ts";

/** How often the folders are read, besides the notices of the file system. */
const pollMs = 1_000;
/** A process without anything to do stays this long: the next message may come soon. */
const idleMs = 2_000;

/**
 * Delivers the messages of these channels and reads their answers, until nothing waits and no run is alive. Of several
 * processes with the same account, one delivers; the others end.
 */
export async function deliverMessages(
  home: Home,
  channels: readonly ChannelSettings[],
  signal: AbortSignal,
): Promise<void> {
  const accounts = [...new Map(channels.map((channel) => [channel.account, channel])).values()];
  await Promise.all(
    accounts.map(async (settings) => {
      const senders = channels.flatMap(({ account, answerFrom }) => (account === settings.account ? answerFrom : []));
      // A message that is added while the lease is released starts no new process: it is looked for once more.
      do {
        const lease = claimAccount(home, settings.account);
        if (lease === undefined) return;
        await serveAccount(home, { settings, lease, senders, signal }).finally(() => lease.release());
      } while (!signal.aborted && hasOutbox(home, settings.account));
    }),
  );
}

interface ServedAccount {
  readonly settings: ChannelSettings;
  readonly lease: AccountLease;
  /** Those who may answer, by the configuration of the run that started this process. */
  readonly senders: readonly string[];
  readonly signal: AbortSignal;
}

async function serveAccount(home: Home, { settings, lease, senders, signal }: ServedAccount): Promise<void> {
  const { account, secrets, type } = settings;
  const kind = kindOf(type);
  if (kind === undefined) return;
  const { conversation } = kind;
  // Other runs may name other people for the same account.
  const mayAnswer = (sender: string) =>
    senders.includes(sender) ||
    watchedRuns(home).some(({ channels }) =>
      channels.some((each) => each.account === account && each.answerFrom.includes(sender)),
    );
  const reading =
    conversation === undefined ? undefined : createAnswersReading(home, { settings, conversation, mayAnswer });
  const delivery = createDelivery({
    home,
    account,
    secrets,
    kind,
    now: Date.now,
    random: Math.random,
    isHeld: lease.isHeld,
    ready: async () => reading?.ready(),
  });
  const waker = createWaker(outboxFolder(home, account), signal);
  let idleSince: number | undefined;
  try {
    while (!signal.aborted && lease.isHeld()) {
      const isOurs = (each: string) => each === account;
      const alive = tellLostRuns(home, isOurs, Date.now());
      const isNeeded = alive.some(({ channels }) => channels.some((channel) => channel.account === account));
      const waitMs = await delivery.deliverNext(signal);
      const runIds = new Set(alive.map(({ run }) => run.runId));
      reading?.setNeeded(
        allRequests(home).some(({ channel, run }) => channel.account === account && runIds.has(run.runId)),
      );
      if (waitMs !== undefined || isNeeded) idleSince = undefined;
      else idleSince ??= Date.now();
      if (idleSince !== undefined && Date.now() - idleSince >= idleMs) return;
      await waker.wait(Math.min(waitMs ?? pollMs, pollMs));
    }
  } finally {
    waker.close();
    await reading?.close();
  }
}

interface Waker {
  wait(ms: number): Promise<void>;
  close(): void;
}

/** Waits for a time, for a new file in a folder, or for the signal. */
function createWaker(folder: string, signal: AbortSignal): Waker {
  let wake = () => {};
  const onChange = () => wake();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const watcher = watchFolder(folder, onChange);
  signal.addEventListener("abort", onChange);
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        if (signal.aborted) wake();
      }),
    close() {
      watcher?.close();
      signal.removeEventListener("abort", onChange);
    },
  };
}

function watchFolder(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(folder, { persistent: false }, onChange).on("error", () => {}); // the timer still reads the folder
  } catch {
    return undefined; // the system has no more watches
  }
}
