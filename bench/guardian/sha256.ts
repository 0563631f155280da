import { hash } from "node:crypto";
import type { Digest } from "../../packages/guardian/dist/index.js";

/** SHA-256 as a Node caller passes it to the guardian. */
export const sha256: Digest = { name: "sha256", of: (text) => hash("sha256", text) };
