import { randomBytes } from "node:crypto";

/** Creates the id of a new session. */
export function newSessionId(): string {
  return `ses_${randomBytes(8).toString("hex")}`;
}

/** Whether a text can be the id of a session or a run. Ids are parts of file names and of commands that users copy. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(text);
}

/** The start of an id, long enough to tell it from others. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

const demoPrefix = "ses_demo_";

/** Creates the id of a session of `sheepdog demo`. */
export function demoSessionId(story: string): string {
  return `${demoPrefix}${story}_${randomBytes(4).toString("hex")}`;
}

/** Whether a session belongs to `sheepdog demo`: nothing was paid for it. */
export function isDemoSession(sessionId: string): boolean {
  return sessionId.startsWith(demoPrefix);
}
