import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useShortcuts } from "../../app/keys.ts";
import { decodePart, location, navigate } from "../../app/router.tsx";
import type { FeedItem } from "../../contract/index.ts";
import { cardKey, nextOpenCard, type WaitingCard } from "../../questions/waiting-cards.ts";
import { itemId, itemPath } from "./activity-item.tsx";

interface SelectionInput {
  readonly cards: readonly WaitingCard[];
  readonly items: readonly FeedItem[];
  readonly onPause: () => void;
}

interface FeedSelection {
  readonly cardKey: string | undefined;
  /** Whether the person selected it; else the page did. */
  readonly isChosen: boolean;
  readonly itemKey: string | undefined;
  readonly selectCard: (key: string) => void;
  readonly selectItem: (key: string) => void;
  /** Selects the next open card after an answer. */
  readonly selectNext: (answeredKey: string) => void;
}

type Selected = { readonly type: "card" | "item"; readonly key: string; readonly isChosen: boolean } | undefined;

/** What is selected in the feed: the first card at the start, then what the user chooses among cards and items. */
export function useFeedSelection({ cards, items, onPause }: SelectionInput): FeedSelection {
  const [selected, setSelected] = useState<Selected>(undefined);
  const isThere =
    selected?.type === "item"
      ? items.some(({ key }) => key === selected.key)
      : cards.some(({ waiting, answered }) => answered === undefined && cardKey(waiting) === selected?.key);
  const firstOpen = cards.find(({ answered }) => answered === undefined);
  useEffect(() => {
    if (isThere) return;
    if (firstOpen === undefined) setSelected(undefined);
    else setSelected({ type: "card", key: cardKey(firstOpen.waiting), isChosen: false });
  }, [isThere, firstOpen]);
  useCardOfAddress(cards, setSelected);

  const select = (type: "card" | "item", key: string) => setSelected({ type, key, isChosen: true });
  const move = (step: 1 | -1) => {
    const order = [
      ...cards
        .filter(({ answered }) => answered === undefined)
        .map(({ waiting }) => ({ type: "card" as const, key: cardKey(waiting) })),
      ...items.map(({ key }) => ({ type: "item" as const, key })),
    ];
    const index = order.findIndex(({ type, key }) => type === selected?.type && key === selected.key);
    const next = order[Math.max(0, Math.min(order.length - 1, index + step))];
    if (next === undefined) return;
    select(next.type, next.key);
    focusOn(next);
  };
  useShortcuts("Feed", [
    { keys: "j", label: "Next", action: () => move(1) },
    { keys: "k", label: "Previous", action: () => move(-1) },
    {
      keys: "Enter",
      label: "Open the event",
      action: () => {
        const item = items.find(({ key }) => selected?.type === "item" && key === selected.key);
        if (item !== undefined) navigate(itemPath(item));
      },
    },
    { keys: ".", label: "Pause the feed", action: onPause },
  ]);
  return {
    cardKey: selected?.type === "card" ? selected.key : undefined,
    isChosen: selected?.isChosen === true,
    itemKey: selected?.type === "item" ? selected.key : undefined,
    selectCard: useCallback((key: string) => keepOrSelect(setSelected, "card", key), []),
    selectNext: (answeredKey) => {
      const key = nextOpenCard(cards, answeredKey);
      if (selected?.type !== "card" || selected.key !== answeredKey) return;
      setSelected(key === undefined ? undefined : { type: "card", key, isChosen: false });
    },
    selectItem: useCallback((key: string) => keepOrSelect(setSelected, "item", key), []),
  };
}

type SetSelected = (change: (before: Selected) => Selected) => void;

function keepOrSelect(setSelected: SetSelected, type: "card" | "item", key: string): void {
  const isSame = (before: Selected) => before?.type === type && before.key === key && before.isChosen;
  setSelected((before) => (isSame(before) ? before : { type, key, isChosen: true }));
}

function focusOn({ type, key }: { readonly type: "card" | "item"; readonly key: string }): void {
  const element = document.getElementById(type === "card" ? `ask-${key}` : itemId(key));
  const focused = type === "card" ? element : element?.querySelector<HTMLElement>(".anchor");
  focused?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: "nearest" });
}

/** Selects the card of the run in the address, once: `/feed#run_…`. */
function useCardOfAddress(cards: readonly WaitingCard[], setSelected: SetSelected): void {
  const isDone = useRef(false);
  const runId = decodePart(location.value.hash.slice(1));
  useEffect(() => {
    const card = cards.find(({ waiting }) => waiting.runId === runId);
    if (isDone.current || card === undefined) return;
    isDone.current = true;
    const key = cardKey(card.waiting);
    setSelected(() => ({ type: "card", key, isChosen: false }));
    document.getElementById(`ask-${key}`)?.scrollIntoView({ block: "nearest" });
  }, [cards, runId]);
}
