import { plainDigest } from "@sheepdog/guardian";
import type { HookAnswer } from "../hook-answer.ts";
import type { HookEvent } from "../hook-event.ts";
import type { AnsweredEvent } from "./session-state.ts";

const MAX_ANSWERED = 40;
/** Events without an id are the same one only if they follow each other within this time. */
const REPEAT_MS = 2_000;

/** What tells an event apart. The second delivery of one has the same. */
function eventKey(event: HookEvent): string | undefined {
  const owner = event.subagent ?? "";
  switch (event.type) {
    case "before-call":
    case "after-call":
      return `${event.type} ${owner} ${event.call.id}${event.key === undefined ? "" : ` ${event.key}`}`;
    case "turn-end":
      if (event.results.length === 0) return undefined; // to end a turn twice changes nothing
      return `${event.type} ${owner} ${event.results.map(({ call }) => call.id).join(" ")}`.slice(0, 400);
    case "prompt":
    case "stop":
      return `${event.type} ${owner} ${plainDigest.of(event.text)}`; // the text may have secrets
    case "subagent-start":
    case "subagent-end":
      return `${event.type} ${event.id}`;
    default:
      return undefined;
  }
}

/** Whether the event names what it is about, so that a repetition is the same event at any time. */
function hasId({ type }: HookEvent): boolean {
  return type === "before-call" || type === "after-call" || type === "turn-end";
}

/** The answer that this event was given before; undefined if it is new. */
export function repeatedAnswer(
  answered: readonly AnsweredEvent[],
  event: HookEvent,
  at: number,
): HookAnswer | undefined {
  const key = eventKey(event);
  const index = answered.findLastIndex((each) => each.key === key);
  const earlier = answered[index];
  if (earlier === undefined || key === undefined) return undefined;
  const later = answered.slice(index + 1);
  const isSame = hasId(event) ? !isIdUsedAgain(key, later) : later.length === 0 && at - earlier.at < REPEAT_MS;
  if (!isSame) return undefined;
  const { tell: _, notify: __, ...decision } = earlier.answer; // a message is said once
  return decision;
}

/**
 * Whether the call has gone on since the earlier event: then this event is about another call. Some servers of models
 * give each reply the same ids.
 */
function isIdUsedAgain(key: string, later: readonly AnsweredEvent[]): boolean {
  const [type, owner, ...ids] = key.split(" ");
  return later.some((event) => {
    const [laterType, laterOwner, ...laterIds] = event.key.split(" ");
    return laterType !== type && laterOwner === owner && laterIds.some((id) => ids.includes(id));
  });
}

export function withAnswered(
  answered: readonly AnsweredEvent[],
  event: HookEvent,
  { at, answer }: Pick<AnsweredEvent, "at" | "answer">,
): readonly AnsweredEvent[] {
  const key = eventKey(event);
  return key === undefined ? answered : [...answered, { key, at, answer }].slice(-MAX_ANSWERED);
}
