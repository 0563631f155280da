import type { AssistantMessage } from "@sheepdog/agent";
import type { SavedTurn } from "./saved-run-turns.ts";

/**
 * The turn of each reply. A reply with calls has the turn in which its calls started. The others follow in order; a
 * turn may have no reply, because its request failed.
 */
export function turnsOfReplies(
  replies: readonly AssistantMessage[],
  turns: readonly SavedTurn[],
): ReadonlyMap<AssistantMessage, SavedTurn> {
  const turnOfCall = new Map(turns.flatMap((turn) => [...turn.callTimes.keys()].map((callId) => [callId, turn])));
  const placeOf = new Map(turns.map((turn, place) => [turn, place]));
  const found = new Map<AssistantMessage, SavedTurn>();
  let waiting: AssistantMessage[] = [];
  let free = 0;
  const settle = (end: number) => {
    placeInOrder(waiting, turns.slice(free, end), found);
    waiting = [];
  };
  for (const reply of replies) {
    const callId = reply.parts.find((part) => part.type === "call" && turnOfCall.has(part.id));
    const turn = callId?.type === "call" ? turnOfCall.get(callId.id) : undefined;
    const place = turn === undefined ? undefined : placeOf.get(turn);
    if (turn === undefined || place === undefined || place < free) {
      waiting.push(reply);
      continue;
    }
    settle(place);
    found.set(reply, turn);
    free = place + 1;
  }
  settle(turns.length);
  return found;
}

/** Gives each reply the newest turn that had started by then, and leaves enough turns for the replies after it. */
function placeInOrder(
  replies: readonly AssistantMessage[],
  turns: readonly SavedTurn[],
  found: Map<AssistantMessage, SavedTurn>,
): void {
  let place = 0;
  for (const [index, reply] of replies.entries()) {
    const lastPlace = turns.length - (replies.length - index);
    while (place < lastPlace && (turns[place + 1]?.at ?? Number.POSITIVE_INFINITY) <= reply.at) place++;
    const turn = turns[place];
    if (turn === undefined) return;
    found.set(reply, turn);
    place++;
  }
}
