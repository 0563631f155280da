import type { AgentEvent } from "@sheepdog/agent";
import type { WireEvent } from "@sheepdog/web/contract";
import type { FollowLive } from "./event-source.ts";
import { frame } from "./frames.ts";
import type { IsWithin } from "./session-tree.ts";
import type { StreamClient } from "./stream-client.ts";

/** Ten messages a second at most: more cannot be read. */
const intervalMs = 100;
/** Events of one message; those above it are left out, and come again when they are saved. */
const maxEvents = 2_000;

interface LiveOptions {
  readonly followLive: FollowLive;
  readonly isWithin: IsWithin;
  readonly toWireEvent: (event: AgentEvent) => WireEvent;
  readonly clients: ReadonlySet<StreamClient>;
}

/** Sends events that are not saved yet to the clients that can take them at once. Returns a function that ends it. */
export function sendLiveMessages({ followLive, isWithin, toWireEvent, clients }: LiveOptions): () => void {
  let pending: AgentEvent[] = [];
  let timer: NodeJS.Timeout | undefined;

  const sendPending = async () => {
    const events = pending.map((event) => ({ sessionId: event.sessionId, event: toWireEvent(event) }));
    pending = [];
    timer = undefined;
    /** Serialised once for each session that clients ask for. */
    const texts = new Map<string | undefined, Uint8Array | undefined>();
    for (const client of clients) {
      const { sessionId: root, isLive } = client.request;
      if (!isLive || !client.isFollowing) continue;
      if (!texts.has(root)) texts.set(root, await textFor(root, events));
      const text = texts.get(root);
      if (text !== undefined) client.sendLive(text);
    }
  };

  const textFor = async (
    root: string | undefined,
    events: readonly { readonly sessionId: string; readonly event: WireEvent }[],
  ): Promise<Uint8Array | undefined> => {
    const wanted: WireEvent[] = [];
    for (const { sessionId, event } of events)
      if (root === undefined || (await isWithin(sessionId, root, "live"))) wanted.push(event);
    return wanted.length === 0 ? undefined : frame({ type: "live", events: wanted });
  };

  const endFollowing = followLive((events) => {
    pending.push(...events.slice(0, maxEvents - pending.length));
    timer ??= setTimeout(() => void sendPending().catch(() => {}), intervalMs); // what is saved comes again
  });
  return () => {
    endFollowing();
    clearTimeout(timer);
  };
}
