import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** A key of the page. `keys` is as KeyboardEvent.key, or two keys in a row such as "g r"; "Shift+d" for capitals. */
export interface Shortcut {
  readonly keys: string;
  readonly label: string;
  readonly action: (event: KeyboardEvent) => void;
  /** Works also while a field has the focus. */
  readonly isGlobal?: boolean;
}

interface Group {
  readonly title: string;
  readonly shortcuts: () => readonly Shortcut[];
}

const groups = signal<readonly Group[]>([]);
const SEQUENCE_MS = 1_200;
/** Keys that act again while they are held down. The others act once, so that nothing is approved by accident. */
const repeated: ReadonlySet<string> = new Set(["j", "k", "[", "]", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"]);
const SETTING = "sheepdog.single-keys";

/** Whether single keys act; people who dictate switch them off. */
export const areKeysOn = signal(window.localStorage.getItem(SETTING) !== "off");

/** Switches single keys on or off, and remembers it. */
export function setKeysOn(isOn: boolean): void {
  areKeysOn.value = isOn;
  window.localStorage.setItem(SETTING, isOn ? "on" : "off");
  showKeyHints();
}

/** Shows the keys beside their actions, or hides them where they do nothing. */
export function showKeyHints(): void {
  document.documentElement.dataset["keys"] = areKeysOn.value ? "on" : "off";
}

/** All keys in force, by group, for the list behind `?`. */
export function shortcutGroups(): readonly { readonly title: string; readonly shortcuts: readonly Shortcut[] }[] {
  const byTitle = new Map<string, readonly Shortcut[]>();
  for (const { title, shortcuts } of groups.value) byTitle.set(title, [...shortcuts(), ...(byTitle.get(title) ?? [])]);
  return [...byTitle].map(([title, shortcuts]) => ({ title, shortcuts }));
}

/** Registers keys while a component is shown. The newest component comes first where keys are the same. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const group: Group = { title, shortcuts: () => latest.current };
    groups.value = [group, ...groups.value];
    return () => {
      groups.value = groups.value.filter((each) => each !== group);
    };
  }, [title]);
}

let prefix: { readonly key: string; readonly at: number } | undefined;

/** Handles a key press of the window. */
export function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const key = nameOf(event);
  if (event.repeat && !repeated.has(key)) return;
  if ((key === "Enter" || key === " ") && isControl(event.target)) return; // presses the control that has the focus
  const isTyping = isField(event.target);
  const isBehindDialog = document.querySelector("dialog[open]") !== null;
  const sequence = prefix !== undefined && event.timeStamp - prefix.at < SEQUENCE_MS ? `${prefix.key} ${key}` : key;
  prefix = undefined;
  const all = groups.value.flatMap(({ shortcuts }) => shortcuts());
  const isAllowed = (shortcut: Shortcut) =>
    shortcut.isGlobal === true || (!isTyping && !isBehindDialog && areKeysOn.value);
  const found = all.find((each) => each.keys === sequence && isAllowed(each));
  const single = found ?? all.find((each) => each.keys === key && isAllowed(each));
  if (single !== undefined) {
    event.preventDefault();
    single.action(event);
    return;
  }
  if (!isTyping && all.some(({ keys }) => keys.startsWith(`${key} `))) prefix = { key, at: event.timeStamp };
}

function nameOf(event: KeyboardEvent): string {
  const { key, shiftKey } = event;
  const isCharacter = event.getModifierState("AltGraph"); // many keyboards write "[" with it
  const [ctrlKey, metaKey, altKey] = isCharacter ? [] : [event.ctrlKey, event.metaKey, event.altKey];
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const name = isLetter ? key.toLowerCase() : key;
  const modifiers = [ctrlKey || metaKey ? "Ctrl" : "", altKey ? "Alt" : "", shiftKey && isLetter ? "Shift" : ""];
  return [...modifiers.filter((modifier) => modifier !== ""), name].join("+");
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("a[href], button, summary, input, select, textarea") !== null;
}

function isField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !["checkbox", "radio", "range", "button"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable;
}
