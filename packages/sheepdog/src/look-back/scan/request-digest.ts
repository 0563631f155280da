import { hash } from "node:crypto";

/** Identifies a model request of an agent by 53 bits, which a number holds. A million of them hardly ever collide. */
export function requestDigest(source: string | undefined, request: string): number {
  const digest = hash("sha256", `${source ?? ""} ${request}`, "buffer");
  return digest.readUInt32BE(0) * 2 ** 21 + (digest.readUInt32BE(4) >>> 11);
}
