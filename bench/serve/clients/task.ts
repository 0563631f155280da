import type { Faults } from "./check-client.ts";
import type { Counts } from "./message-log.ts";

/** What a process of clients is asked to do. */
export type ClientsTask =
  /** Connects clients that read, and clients that do not. */
  | {
      readonly type: "connect";
      readonly origin: string;
      readonly token: string;
      readonly readers: number;
      readonly unread: number;
      /** Readers expect everything after this position. */
      readonly after: number;
    }
  | { readonly type: "measure"; readonly ms: number }
  /** Ends the connections of all readers. */
  | { readonly type: "disconnect" }
  /** Connects all readers at once, and waits until they have everything up to a position. */
  | { readonly type: "reconnect"; readonly to: number }
  /** Has the clients read that did not, and waits until they have everything up to a position. */
  | { readonly type: "read"; readonly to: number }
  /** Compares what all clients received with the store, and ends all connections. */
  | { readonly type: "check"; readonly saved: readonly SavedMessage[]; readonly to: number };

/** A saved batch: its position and the `session:seq` of its events. */
export type SavedMessage = readonly [position: number, keys: string];

export interface ClientsResult extends Counts {
  /** Milliseconds that the task took. */
  readonly ms: number;
  readonly readers: number;
  readonly savedMessages: number;
  readonly liveMessages: number;
  /** The live messages of the client that got most. */
  readonly mostLiveMessages: number;
  readonly bytes: number;
  readonly faults: Faults;
  /** Connections that the server ended. */
  readonly lostConnections: number;
  /** Processor time of this process. */
  readonly cpuMs: number;
}
