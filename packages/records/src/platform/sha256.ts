import { hash } from "node:crypto";
import type { Digest } from "@sheepdog/guardian";

/** The SHA-256 digest for prints on Node. */
export const sha256: Digest = { name: "sha256", of: (text) => hash("sha256", text) };
