import { isLimit } from "../../../render/timeline/is-limit.ts";
import { emptyEditor } from "../editor/editor.ts";
import type { ChatAction } from "./chat-action.ts";
import { type ChatState, emptyMeter, nothingLive, withLimit } from "./chat-state.ts";
import type { ChatEntry } from "./chat-entry.ts";
import { onKey } from "./on-key.ts";
import { type Transition, transition } from "./transition.ts";

/** How long after a key, or after a card came, a key is not yet taken for an answer, in milliseconds. */
export const TYPING_MS = 700;

/** What an action makes of a chat. It does nothing itself. */
export function reduce(state: ChatState, action: ChatAction): Transition {
  switch (action.type) {
    case "key":
      return onKey(state, action.key, action.at);
    case "say":
      return transition({ ...state, entries: [...state.entries, action.entry] });
    case "hint":
      return transition({ ...state, hint: action.text });
    case "spent-before":
      return transition({ ...state, meter: { ...state.meter, earlierNanoUsd: action.nanoUsd } });
    case "run-began":
      return transition(onRunBegan(state, action.at));
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
    case "card-gone":
      return transition(withoutCard(state, action));
    case "sessions":
      return transition({ ...withoutHint(state), panel: { type: "sessions", all: action.all, query: emptyEditor, at: 0 } });
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

/** A limit of the run before holds no more. */
function onRunBegan(state: ChatState, at: number): ChatState {
  const isOver = state.isRecovered || isLimit(state.interventions.at(-1)?.detector ?? "");
  const run = { isStopping: false, startedAt: at, now: at };
  return {
    ...withoutHint(state),
    run,
    isQueueHeld: false,
    isRecovered: isOver,
    meter: { ...state.meter, runNanoUsd: 0 },
  };
}

/** What the guardian has said, and whether that is over. */
function spokenIn(entries: readonly ChatEntry[]): Pick<ChatState, "interventions" | "isRecovered"> {
  const last = entries.findLast((entry) => entry.type === "guardian" || entry.type === "recovered");
  return {
    interventions: entries.flatMap((entry) => (entry.type === "guardian" ? [entry.intervention] : [])),
    isRecovered: last?.type === "recovered",
  };
}

function onProgress(state: ChatState, { items, live, meter }: Extract<ChatAction, { type: "progress" }>): ChatState {
  const { interventions: found, isRecovered } = spokenIn(items);
  const hasNews = found.length > 0 || isRecovered;
  return {
    ...state,
    entries: items.length === 0 ? state.entries : [...state.entries, ...items],
    live,
    meter: { ...state.meter, ...meter },
    interventions: found.length === 0 ? state.interventions : [...state.interventions, ...found],
    isRecovered: hasNews ? isRecovered : state.isRecovered,
  };
}

/** The next prompt follows an answer; after anything else it waits for a person. */
function onRunEnded(state: ChatState, { result, sessionNanoUsd }: Extract<ChatAction, { type: "run-ended" }>): Transition {
  const { run: _, reply: __, ...rest } = withoutHint(state);
  const isDone = result.state === "completed";
  const [next, ...queue] = state.queue;
  const ended: ChatState = {
    ...rest,
    live: nothingLive,
    cards: [],
    isCardReady: false,
    isLeaveAsked: false,
    meter: { ...state.meter, earlierNanoUsd: sessionNanoUsd, runNanoUsd: 0 },
    isQueueHeld: !isDone && state.queue.length > 0,
    ...(isDone || state.queue.length > 0
      ? {}
      : { hint: result.reason === "run_budget" ? "/budget sets the limit anew, /retry goes on." : "/retry goes on." }),
  };
  return isDone && next !== undefined ? transition({ ...ended, queue }, { type: "prompt", text: next }) : transition(ended);
}

function onCard(state: ChatState, { card, at }: Extract<ChatAction, { type: "card" }>): ChatState {
  const isFirst = state.cards.length === 0;
  const asked =
    card.type === "approval"
      ? [{ type: "asked", title: card.title, lines: card.lines, reason: card.reason } as const]
      : [];
  return {
    ...state,
    entries: [...state.entries, ...asked],
    cards: [...state.cards, card],
    ...(isFirst ? { isCardReady: false, keyAt: at } : {}),
  };
}

/** The next one waits for a pause: a key that was meant for the one that is gone does not answer it. */
function withoutCard(state: ChatState, { id, at }: Extract<ChatAction, { type: "card-gone" }>): ChatState {
  const cards = state.cards.filter((card) => card.id !== id);
  if (state.cards[0]?.id !== id) return { ...state, cards };
  const { reply: _, ...rest } = state;
  return { ...rest, cards, isCardReady: false, keyAt: at };
}

function onOpened(
  state: ChatState,
  { session, sessionNanoUsd, contextTokens, entries }: Extract<ChatAction, { type: "opened" }>,
): ChatState {
  const { panel: _, ...rest } = withoutHint(state);
  return {
    ...rest,
    session,
    entries: [...state.entries, ...entries],
    live: nothingLive,
    meter: { ...emptyMeter, earlierNanoUsd: sessionNanoUsd, contextTokens },
    ...(session.sessionId === state.session.sessionId && entries.length === 0 ? {} : spokenIn(entries)),
  };
}
