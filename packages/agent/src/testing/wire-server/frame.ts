import type { Damage } from "../fault.ts";
import type { Framing } from "../framing.ts";

/** A server-sent event: JSON, raw text, or a comment. */
export type Frame =
  | { readonly type: "json"; readonly event?: string; readonly data: unknown }
  | { readonly type: "text"; readonly event?: string; readonly data: string }
  | { readonly type: "comment"; readonly text: string };

/** Marks where the invalid bytes go in a delta; a private character that no script uses. */
export const badBytesMark = "\ue000";

/** Encodes an event as bytes. */
export function encodeFrame(frame: Frame, framing: Framing, damage?: Damage["type"]): Buffer {
  const lineEnd = framing.lineEnd ?? "\n";
  const lines = linesOf(frame, framing, damage);
  const bytes = Buffer.from(`${lines.join(lineEnd)}${lineEnd}${lineEnd}`);
  return damage === "bad-utf8" ? withBadBytes(bytes) : bytes;
}

/** The chunks in which bytes are sent. */
export function* chunksOf(bytes: Buffer, framing: Framing): Generator<Buffer> {
  const size = framing.chunkBytes ?? bytes.length;
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

function linesOf(frame: Frame, framing: Framing, damage: Damage["type"] | undefined): readonly string[] {
  if (frame.type === "comment") return [`: ${frame.text}`];
  const event = frame.event === undefined ? [] : [`event: ${frame.event}`];
  return [...event, ...dataOf(frame, framing, damage).map((line) => `data: ${line}`)];
}

function dataOf(
  frame: Extract<Frame, { readonly data: unknown }>,
  framing: Framing,
  damage: Damage["type"] | undefined,
): readonly string[] {
  const data = frame.type === "text" ? frame.data : JSON.stringify(frame.data);
  if (damage === "malformed") return [data.slice(0, Math.floor(data.length / 2))];
  if (damage === "doubled") return [data + data];
  return framing.isMultiLine === true && frame.type === "json"
    ? JSON.stringify(frame.data, null, 1).split("\n")
    : [data];
}

/** Replaces the mark with an overlong slash: two bytes that no decoder may accept. */
function withBadBytes(bytes: Buffer): Buffer {
  const mark = Buffer.from(badBytesMark);
  const at = bytes.indexOf(mark);
  if (at < 0) return bytes;
  return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xc0, 0xaf]), bytes.subarray(at + mark.length)]);
}
