import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isPrivateAddress, publicLookup } from "./private-addresses.ts";

/** What a server answered to one request. The body is cut at a limit. */
export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly location: string | undefined;
  readonly body: Buffer;
  readonly isCut: boolean;
}

export interface GetOptions {
  readonly maxBytes: number;
  /** Whether this very host may be on a private network. */
  readonly mayBePrivate: boolean;
  readonly signal: AbortSignal;
}

/** Requests a page, without following redirects. An address that is not public is refused, whether it is given or found by its name. */
export async function getPage(url: URL, { maxBytes, mayBePrivate, signal }: GetOptions): Promise<Page> {
  const isAddress = /^\[|^[\d.]+$/.test(url.hostname);
  if (!mayBePrivate && isAddress && isPrivateAddress(url.hostname))
    throw Object.assign(new Error("not a public address"), { code: "EPRIVATE" });
  const answer = await answerOf(url, { mayBePrivate, signal });
  try {
    const { body, isCut } = await bodyOf(answer, maxBytes);
    return {
      status: answer.statusCode ?? 0,
      contentType: answer.headers["content-type"] ?? "",
      location: answer.headers.location,
      body,
      isCut,
    };
  } finally {
    answer.destroy();
  }
}

function answerOf(
  url: URL,
  { mayBePrivate, signal }: Pick<GetOptions, "mayBePrivate" | "signal">,
): Promise<IncomingMessage> {
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = request(
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
    sent.on("error", reject);
    sent.end();
  });
}

/** As much of the body as is wanted: what unpacks to more is cut, not unpacked. */
async function bodyOf(
  answer: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of unpacked(answer)) {
    const data = Buffer.from(chunk);
    chunks.push(data.subarray(0, maxBytes - bytes));
    bytes += data.length;
    if (bytes > maxBytes) return { body: Buffer.concat(chunks), isCut: true };
  }
  return { body: Buffer.concat(chunks), isCut: false };
}

function unpacked(answer: IncomingMessage): Readable {
  const encoding = answer.headers["content-encoding"]?.trim().toLowerCase();
  const unpack =
    encoding === "gzip" || encoding === "x-gzip"
      ? createGunzip()
      : encoding === "deflate"
        ? createInflate()
        : encoding === "br"
          ? createBrotliDecompress()
          : undefined;
  if (unpack === undefined) return answer;
  answer.on("error", (error) => unpack.destroy(error));
  return answer.pipe(unpack);
}
