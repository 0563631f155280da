import type * as Sdk from "@modelcontextprotocol/client";
import { machineClock } from "../protocol/clock.ts";
import { checkAddress } from "./check-address.ts";
import { mcpLimits } from "./limits.ts";
import type { HttpServer } from "./server-config.ts";

/** Creates a transport over streamable HTTP. Answers are read within bounds, and redirects stay on the same origin. */
export function createHttpTransport(
  { StreamableHTTPClientTransport }: Pick<typeof Sdk, "StreamableHTTPClientTransport">,
  { url, headers }: HttpServer,
  authProvider: Sdk.OAuthClientProvider | undefined,
): Sdk.StreamableHTTPClientTransport {
  const transport: Sdk.StreamableHTTPClientTransport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: boundedFetch(() => {
      transport.onerror?.(new Error(tooLong));
      void transport.close(); // otherwise the SDK would connect again, and the request would wait
    }),
    requestInit: { headers: { ...headers } },
    redirectPolicy: "same-origin",
    ...(authProvider === undefined ? {} : { authProvider }),
  });
  return transport;
}

const tooLong = `The server sent an answer of more than ${mcpLimits.bytes / 1024 / 1024} MB.`;

/** The least time between two connections for events: it doubles, and begins again after a long connection. */
const firstSpacingMs = 500;
const maxSpacingMs = 5_000;
const longMs = 60_000;

const never = new AbortController().signal;

/** `fetch`, with answers that end with an error when they become too long. The server cannot cause a busy loop. */
function boundedFetch(onFlood: () => void): typeof fetch {
  let connectedAt = 0;
  let connections = 0;
  return async (input, init) => {
    if (init?.method === "GET") {
      const sinceMs = Date.now() - connectedAt;
      connections = sinceMs > longMs ? 0 : connections + 1;
      const spacingMs = connections === 0 ? 0 : Math.min(firstSpacingMs * 2 ** (connections - 1), maxSpacingMs);
      if (spacingMs > sinceMs) await machineClock.sleep(spacingMs - sinceMs, init.signal ?? never);
      connectedAt = Date.now();
    }
    checkAddress(new URL(input instanceof Request ? input.url : input));
    const response = await fetch(input, init);
    if (response.body === null) return response;
    let bytes = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes <= mcpLimits.bytes) return controller.enqueue(chunk);
        controller.error(new Error(tooLong));
        onFlood();
      },
    });
    const { status, statusText, headers } = response;
    const copy = new Response(response.body.pipeThrough(bounded), { status, statusText, headers });
    Object.defineProperty(copy, "url", { value: response.url }); // the SDK compares it after redirects
    return copy;
  };
}
