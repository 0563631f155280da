import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isPrivateAddress, publicLookup } from "./private-addresses.ts";

/** The response to one request, its body cut at a limit. */
export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | undefined;
  readonly body: Buffer;
  readonly isCut: boolean;
}

export interface GetOptions {
  readonly maxBytes: number;
  /** Whether the host may be on a private network. */
  readonly mayBePrivate: boolean;
  readonly signal: AbortSignal;
}

/** Requests a page without following redirects. Throws EPRIVATE when the host is, or resolves to, a private address. */
export async function getPage(url: URL, { maxBytes, mayBePrivate, signal }: GetOptions): Promise<Page> {
  const isAddress = /^\[|^[\d.]+$/.test(url.hostname);
  if (!mayBePrivate && isAddress && isPrivateAddress(url.hostname))
    throw Object.assign(new Error("not a public address"), { code: "EPRIVATE" });
  const response = await requestPage(url, { mayBePrivate, signal });
  try {
    const { body, isCut } = await readBody(response, maxBytes);
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers["content-type"] ?? "",
      location: response.headers.location,
      body,
      isCut,
    };
  } finally {
    response.destroy();
  }
}

function requestPage(
  url: URL,
  { mayBePrivate, signal }: Pick<GetOptions, "mayBePrivate" | "signal">,
): Promise<IncomingMessage> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(
      url,
      {
        signal,
        agent: false,
        headers: {
          "user-agent": "sheepdog",
          accept: "text/html, text/plain, application/json, */*;q=0.5",
          "accept-encoding": "gzip, deflate, br",
        },
        ...(mayBePrivate ? {} : { lookup: publicLookup }),
      },
      resolve,
    );
    request.on("error", reject);
    request.end();
  });
}

/** Reads and decompresses the body up to the limit; the rest is not decompressed. */
async function readBody(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of decompressed(response)) {
    const data = Buffer.from(chunk);
    chunks.push(data.subarray(0, maxBytes - bytes));
    bytes += data.length;
    if (bytes > maxBytes) return { body: Buffer.concat(chunks), isCut: true };
  }
  return { body: Buffer.concat(chunks), isCut: false };
}

function decompressed(response: IncomingMessage): Readable {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase();
  const decompressor =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "deflate"
        ? createInflate()
        : encoding === "br"
          ? createBrotliDecompress()
          : undefined;
  if (decompressor === undefined) return response;
  response.on("error", (error) => decompressor.destroy(error));
  return response.pipe(decompressor);
}
