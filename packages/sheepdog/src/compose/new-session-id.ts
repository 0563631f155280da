import { randomBytes } from "node:crypto";

/** An id for a session that is begun. */
export function newSessionId(): string {
  return `ses_${randomBytes(8).toString("hex")}`;
}
