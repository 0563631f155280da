import type * as Sdk from "@modelcontextprotocol/client";
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

/** `fetch`, with answers that end with an error when they become too long. */
function boundedFetch(onFlood: () => void): typeof fetch {
  return async (input, init) => {
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
