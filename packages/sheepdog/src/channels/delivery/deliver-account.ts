import type { Home } from "../../home.ts";
import { findRequest, isAnswered, noteDelivery } from "../answers/requests.ts";
import type { ChannelKind, SendResult } from "../channel-kind.ts";
import type { ChannelSecrets, ChannelSettings } from "../channel-settings.ts";
import { writeStatus } from "../channel-status.ts";
import { isWaiting } from "../notice.ts";
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
  /** The server takes nothing before this time. */
  let notBefore = 0;
  /** After a failure, messages that have failed before wait longer. */
  let retryAt = 0;

  async function send({ entries, notice, id }: NextMessage, signal: AbortSignal): Promise<SendResult> {
    const [entry] = entries;
    const settings: ChannelSettings = { ...entry.channel, secrets };
    // A run that has ended has closed its requests.
    const requestId = entries.findLast(
      (each) => each.requestId !== undefined && findRequest(home, each.requestId),
    )?.requestId;
    if (requestId !== undefined) await ready();
    const actions = messageActions(notice, requestId);
    const request = requestId === undefined ? {} : { requestId };
    return kind.send(settings, { id, notice, actions, ...request }, signal);
  }

  function settle({ entries }: NextMessage, result: SendResult): void {
    const requestIds = entries.flatMap(({ requestId }) => requestId ?? []);
    if (result.type === "sent") {
      retryAt = 0;
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
    const attempts = entries[0].attempts + 1;
    const waitMs = backOffMs(attempts - 1, result.afterMs, random());
    retryAt = now() + waitMs;
    notBefore = now() + (result.afterMs === undefined ? kind.spacingMs : waitMs);
    for (const id of requestIds) noteDelivery(home, id, { delivery: { isSent: false, attempts, problem } });
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
      // A question does not wait for the next attempt of earlier news: the run waits for it.
      const isNewQuestion = isWaiting(message.notice) && message.entries[0].attempts === 0;
      const dueAt = isNewQuestion ? notBefore : Math.max(notBefore, retryAt);
      if (dueAt > now()) return dueAt - now();
      const result = await send(message, signal);
      // An interrupted attempt says nothing about the server; and another process may deliver by now.
      if (signal.aborted || !isHeld()) return 0;
      settle(message, result);
      return Math.max(0, Math.max(notBefore, retryAt) - now());
    },
  };
}
