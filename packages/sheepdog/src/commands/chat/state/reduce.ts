import { isLimit } from "../../../render/timeline/is-limit.ts";
import { emptyEditor, insert } from "../editor/editor.ts";
import type { ChatAction } from "./chat-action.ts";
import type { ChatEntry } from "./chat-entry.ts";
import { type ChatState, emptyMeter, nothingLive, withLimit } from "./chat-state.ts";
import { withEntries, withHeldPrinted, withItems } from "./held-item.ts";
import { onKey } from "./on-key.ts";
import { type Transition, transition } from "./transition.ts";

/** Milliseconds after the last key, or after a card appeared, during which a key does not answer the card. */
export const TYPING_MS = 700;

/** The transition of a chat for an action. Pure: effects are returned, not performed. */
export function reduce(state: ChatState, action: ChatAction): Transition {
  switch (action.type) {
    case "key":
      return onKey(state, action.key, action.at);
    case "say":
      return transition(withEntries(state, action.entry));
    case "hint":
      return transition({ ...state, hint: action.text });
    case "insert":
      return transition({ ...state, editor: insert(state.editor, action.text) });
    case "earlier-cost":
      return transition({ ...state, meter: { ...state.meter, earlierNanoUsd: action.nanoUsd } });
    case "run-started":
      return transition(onRunStarted(state, action.at));
    case "tick":
      return transition(state.run === undefined ? state : { ...state, run: { ...state.run, now: action.at } });
    case "paused":
      return transition({ ...state, isCardReady: state.cards.length > 0 });
    case "progress":
      return transition(onProgress(state, action));
    case "limit-changed":
      return transition({ ...state, session: withLimit(state.session, action.limit, action.to) });
    case "run-ended":
      return onRunEnded(state, action);
    case "queued":
      return transition({ ...state, queue: [...state.queue, action.text] });
    case "card":
      return transition(onCard(state, action));
    case "card-withdrawn":
      return transition(onCardWithdrawn(state, action));
    case "sessions":
      return transition({
        ...withoutHint(state),
        panel: { type: "sessions", all: action.all, query: emptyEditor, selected: 0 },
      });
    case "evidence":
      return transition({
        ...withoutHint(state),
        panel: { type: "evidence", intervention: action.intervention, calls: action.calls, top: 0 },
      });
    case "opened":
      return transition(onOpened(state, action));
    default:
      return action satisfies never;
  }
}

function withoutHint(state: ChatState): ChatState {
  const { hint: _, ...rest } = state;
  return rest;
}

/** A limit that ended the previous run does not apply to the new one. */
function onRunStarted(state: ChatState, at: number): ChatState {
  const isRecovered = state.isRecovered || isLimit(state.interventions.at(-1)?.detector ?? "");
  const run = { isStopping: false, startedAt: at, now: at };
  return {
    ...withoutHint(state),
    run,
    isQueueHeld: false,
    isRecovered,
    meter: { ...state.meter, runNanoUsd: 0 },
  };
}

/** The interventions in the entries, and whether the run has recovered from the last one. */
function interventionsIn(entries: readonly ChatEntry[]): Pick<ChatState, "interventions" | "isRecovered"> {
  const last = entries.findLast((entry) => entry.type === "guardian" || entry.type === "recovered");
  return {
    interventions: entries.flatMap((entry) => (entry.type === "guardian" ? [entry.intervention] : [])),
    isRecovered: last?.type === "recovered",
  };
}

function onProgress(state: ChatState, { items, live, meter }: Extract<ChatAction, { type: "progress" }>): ChatState {
  const { interventions: added, isRecovered } = interventionsIn(items);
  const hasGuardianItems = added.length > 0 || isRecovered;
  return {
    ...withItems(state, items),
    live,
    meter: { ...state.meter, ...meter },
    interventions: added.length === 0 ? state.interventions : [...state.interventions, ...added],
    isRecovered: hasGuardianItems ? isRecovered : state.isRecovered,
  };
}

/** After an answer, the next prompt of the queue is sent. After anything else, the queue waits for the user. */
function onRunEnded(
  state: ChatState,
  { result, sessionNanoUsd }: Extract<ChatAction, { type: "run-ended" }>,
): Transition {
  const { run: _, reply: __, ...rest } = withoutHint(withHeldPrinted(state));
  const isDone = result.state === "completed";
  const [next, ...queue] = state.queue;
  const retryHint =
    result.reason === "run_budget" ? "/budget changes the limit, /retry resumes the run." : "/retry resumes the run.";
  const ended: ChatState = {
    ...rest,
    live: nothingLive,
    cards: [],
    isCardReady: false,
    isLeaveRequested: false,
    meter: { ...state.meter, earlierNanoUsd: sessionNanoUsd, runNanoUsd: 0 },
    isQueueHeld: !isDone && state.queue.length > 0,
    ...(isDone || state.queue.length > 0 ? {} : { hint: retryHint }),
  };
  return isDone && next !== undefined
    ? transition({ ...ended, queue }, { type: "prompt", text: next })
    : transition(ended);
}

function onCard(state: ChatState, { card, at }: Extract<ChatAction, { type: "card" }>): ChatState {
  const isFirst = state.cards.length === 0;
  const entries =
    card.type === "approval"
      ? [{ type: "approval", title: card.title, lines: card.lines, reason: card.reason } as const]
      : [];
  return {
    ...withEntries(state, ...entries),
    cards: [...state.cards, card],
    ...(isFirst ? { isCardReady: false, keyAt: at } : {}),
  };
}

/** The next card waits for a pause, so that a key for the withdrawn card cannot answer it. */
function onCardWithdrawn(state: ChatState, { id, at }: Extract<ChatAction, { type: "card-withdrawn" }>): ChatState {
  const cards = state.cards.filter((card) => card.id !== id);
  if (state.cards[0]?.id !== id) return { ...state, cards };
  const { reply: _, ...rest } = state;
  return { ...rest, cards, isCardReady: false, keyAt: at };
}

function onOpened(
  state: ChatState,
  { session, sessionNanoUsd, contextTokens, entries }: Extract<ChatAction, { type: "opened" }>,
): ChatState {
  const { panel: _, ...rest } = withoutHint(withEntries(state, ...entries));
  const isSameSession = session.sessionId === state.session.sessionId && entries.length === 0;
  return {
    ...rest,
    session,
    live: nothingLive,
    meter: { ...emptyMeter, earlierNanoUsd: sessionNanoUsd, contextTokens },
    ...(isSameSession ? {} : interventionsIn(entries)),
  };
}
