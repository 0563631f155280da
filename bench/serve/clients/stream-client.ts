import { type IncomingMessage, request } from "node:http";
import type { MessageLog } from "./message-log.ts";

/** A browser that follows the stream. */
export interface StreamClient {
  /** The positions of the saved messages that it received, in the order of arrival. */
  readonly positions: number[];
  /** Where it began: it expects everything after this position. */
  readonly from: number;
  /** Saved messages that differ from the ones of other clients. */
  readonly different: () => number;
  readonly liveMessages: () => number;
  /** Bytes on the connections. */
  readonly bytes: () => number;
  /** The last id that it received. */
  readonly position: () => number;
  /** Resolves when the answer has begun. Connects after the last id that it received. */
  connect(): Promise<void>;
  disconnect(): void;
  /** Stops reading, or continues. */
  pause(): void;
  resume(): void;
}

interface ClientOptions {
  readonly port: number;
  readonly cookie: string;
  /** It follows from this position. */
  readonly from: number;
  readonly log: MessageLog;
  /** Whether it parses live messages; the others only count them. */
  readonly measuresLive: boolean;
  /** Whether it counts in the latency. */
  readonly isCounted: boolean;
  /** Called when a connection ends that was not ended here. */
  readonly onLost: () => void;
}

const endOfMessage = "\n\n";
const [letterI, letterD] = ["i".charCodeAt(0), "d".charCodeAt(0)];

/** Creates a client that is not connected yet. */
export function createStreamClient(options: ClientOptions): StreamClient {
  const { port, cookie, from, log, measuresLive, isCounted, onLost } = options;
  const positions: number[] = [];
  let lastId = from;
  let different = 0;
  let liveMessages = 0;
  let bytes = 0;
  let response: IncomingMessage | undefined;

  const onMessage = (message: Buffer, arrivedAt: number) => {
    if (message[0] === letterI) {
      const position = idOf(message);
      lastId = position;
      positions.push(position);
      if (isCounted && !log.saved(position, message, arrivedAt)) different += 1;
    } else if (message[0] === letterD) {
      liveMessages += 1;
      if (measuresLive) log.live(message, arrivedAt);
    }
  };

  return {
    positions,
    from,
    different: () => different,
    liveMessages: () => liveMessages,
    bytes: () => bytes + (response?.socket.bytesRead ?? 0),
    position: () => lastId,
    connect: () =>
      new Promise((resolve, reject) => {
        const headers = { cookie, "Last-Event-ID": String(lastId) };
        const sent = request({ port, host: "127.0.0.1", path: "/api/stream", headers, agent: false });
        sent.on("error", reject);
        sent.on("response", (incoming) => {
          if (incoming.statusCode !== 200) return reject(new Error(`The stream answered with ${incoming.statusCode}.`));
          response = incoming;
          let rest: Buffer | undefined;
          incoming.on("data", (chunk: Buffer) => {
            const arrivedAt = Date.now();
            const data = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
            let start = 0;
            for (let end = data.indexOf(endOfMessage); end >= 0; end = data.indexOf(endOfMessage, start)) {
              onMessage(data.subarray(start, end), arrivedAt);
              start = end + endOfMessage.length;
            }
            rest = start < data.length ? data.subarray(start) : undefined;
          });
          incoming.on("error", () => {}); // "close" follows
          incoming.on("close", () => {
            if (response === incoming) onLost();
          });
          resolve();
        });
        sent.end();
      }),
    disconnect() {
      const ended = response;
      bytes += ended?.socket.bytesRead ?? 0;
      response = undefined;
      ended?.destroy();
    },
    pause: () => void response?.pause(),
    resume: () => void response?.resume(),
  };
}

/** The number in `id: 123`. */
function idOf(message: Buffer): number {
  let id = 0;
  for (let place = 4; ; place += 1) {
    const digit = (message[place] ?? 0) - 48;
    if (digit < 0 || digit > 9) return id;
    id = id * 10 + digit;
  }
}
