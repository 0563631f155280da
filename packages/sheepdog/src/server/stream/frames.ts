import type { StreamMessage } from "@sheepdog/web/contract";

/** A message in the format of server-sent events. Saved ones carry their position as their id. */
export function frame(message: StreamMessage): Uint8Array {
  const id = "position" in message ? `id: ${message.position}\n` : "";
  return Buffer.from(`${id}data: ${JSON.stringify(message)}\n\n`);
}
