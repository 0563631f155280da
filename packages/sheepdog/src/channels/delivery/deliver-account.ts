import type { Home } from "../../home.ts";
import { findRequest, isAnswered, noteDelivery } from "../answers/requests.ts";
import type { ChannelKind, SendResult } from "../channel-kind.ts";
import type { ChannelSecrets, ChannelSettings } from "../channel-settings.ts";
import { writeStatus } from "../channel-status.ts";
import { messageActions } from "../notice-text.ts";
import { noteAttempt, readOutbox, removeFromOutbox } from "../outbox.ts";
import { backOffMs } from "./back-off.ts";
import { type NextMessage, nextMessage, outdatedEntries } from "./choose-entries.ts";

/** An account, and what its messages are sent with. */
export interface DeliveryOptions {
  readonly home: Home;
  readonly account: string;
  readonly secrets: ChannelSecrets;
  readonly kind: ChannelKind;
  readonly now: () => number;
  readonly random: () => number;
  /** Whether this process may still write about the account. */
  isHeld(): boolean;
  /** Resolves when answers can be received, or when waiting for that is given up. */
  ready(): Promise<void>;
}

/** Delivers the messages of one account, one after the other. */
export interface AccountDelivery {
  /** Sends what is due. Returns how long to wait before the next call; undefined if nothing waits. */
  deliverNext(signal: AbortSignal): Promise<number | undefined>;
}

/** Creates the delivery of an account. A server that fails is left alone for a growing time. */
export function createDelivery(options: DeliveryOptions): AccountDelivery {
  const { home, account, secrets, kind, now, random, isHeld, ready } = options;
  let notBefore = 0;
  let failures = 0;

  async function send({ entries, notice }: NextMessage, signal: AbortSignal): Promise<SendResult> {
    const [entry] = entries;
    const settings: ChannelSettings = { ...entry.channel, secrets };
    // A run that has ended has closed its requests.
    const requestId = entries.findLast(
      (each) => each.requestId !== undefined && findRequest(home, each.requestId),
    )?.requestId;
    if (requestId !== undefined) await ready();
    const actions = messageActions(notice, requestId);
    const request = requestId === undefined ? {} : { requestId };
    return kind.send(settings, { id: entry.notice.id, notice, actions, ...request }, signal);
  }

  function settle({ entries }: NextMessage, result: SendResult): void {
    const requestIds = entries.flatMap(({ requestId }) => requestId ?? []);
    if (result.type === "sent") {
      failures = 0;
      notBefore = now() + kind.spacingMs;
      removeFromOutbox(home, entries);
      const { place, messageId } = result;
      const message = { ...(place === undefined ? {} : { place }), ...(messageId === undefined ? {} : { messageId }) };
      for (const id of requestIds) noteDelivery(home, id, { ...message, delivery: { isSent: true } });
      writeStatus(home, account, { sentAt: now() });
      return;
    }
    const { problem } = result;
    writeStatus(home, account, { problem, problemAt: now() });
    if (result.type === "refused") {
      notBefore = now() + kind.spacingMs;
      removeFromOutbox(home, entries);
      for (const id of requestIds) noteDelivery(home, id, { delivery: { isSent: false, isRefused: true, problem } });
      return;
    }
    failures += 1;
    notBefore = now() + backOffMs(failures - 1, result.afterMs, random());
    for (const id of requestIds) noteDelivery(home, id, { delivery: { isSent: false, attempts: failures, problem } });
    noteAttempt(home, entries[0], problem);
  }

  return {
    async deliverNext(signal) {
      const waiting = readOutbox(home, account);
      const isOpen = (id: string) => findRequest(home, id) !== undefined && !isAnswered(home, id);
      const outdated = outdatedEntries(waiting, { now: now(), isOpen });
      removeFromOutbox(home, outdated);
      const message = nextMessage(waiting.filter((entry) => !outdated.includes(entry)));
      if (message === undefined) return undefined;
      if (notBefore > now()) return notBefore - now();
      const result = await send(message, signal);
      // An interrupted attempt says nothing about the server; and another process may deliver by now.
      if (signal.aborted || !isHeld()) return 0;
      settle(message, result);
      return Math.max(0, notBefore - now());
    },
  };
}
