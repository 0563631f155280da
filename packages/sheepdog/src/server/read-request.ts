import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import type { Refusal } from "./security/refuse-request.ts";

/** A value that was read, or why the request is refused. */
export type Read<T> = { readonly ok: true; readonly value: T } | ({ readonly ok: false } & Refusal);

const maxBodyBytes = 1_000_000;
const tooLarge = { ok: false, status: 413, problem: "The body of a request may have 1 MB at most." } as const;

/** Reads a JSON body of at most 1 MB, and checks it. */
export async function readBody<T>(incoming: IncomingMessage, schema: z.ZodType<T>): Promise<Read<T>> {
  const type = incoming.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json")
    return { ok: false, status: 415, problem: "Send the body as JSON, with Content-Type: application/json." };
  const text = await readText(incoming);
  if (!text.ok) return text;
  try {
    return check(schema, JSON.parse(text.value), "The body");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, status: 400, problem: `The body is not JSON: ${error.message}.` };
  }
}

/** Checks a value of a request. The sentence names each part that is wrong. */
export function check<T>(schema: z.ZodType<T>, value: unknown, name: string): Read<T> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const reasons = result.error.issues.slice(0, 5).map(({ path, message }) => {
    const place = path.map(String).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  return { ok: false, status: 400, problem: `${name} is not valid. ${reasons.join("; ")}.` };
}

/** Reads a body of at most 1 MB. */
export async function readText(incoming: IncomingMessage): Promise<Read<string>> {
  if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes) return tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      const buffer = Buffer.from(chunk);
      bytes += buffer.length;
      if (bytes > maxBodyBytes) return tooLarge;
      chunks.push(buffer);
    }
  } catch {
    return { ok: false, status: 400, problem: "The body of the request did not arrive." };
  }
  return { ok: true, value: Buffer.concat(chunks).toString("utf8") };
}
