import { visibleLines } from "../../../render/terminal/visible-lines.ts";
import type { CardLine } from "./card.ts";

const CONTEXT_LINES = 2;

/** The removed and added lines of a change, with a few lines around them. Equal lines before and after are left out. */
export function changeLines(before: string, after: string): CardLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")]; // compared as they are: visible lines may look equal
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  if (head === old.length && head === now.length) return [{ sign: "…", text: "no change" }];
  const contextEnd = now.length - tail + CONTEXT_LINES;
  const cardLine =
    (sign: CardLine["sign"]) =>
    (line: string): CardLine => ({ sign, text: visibleLines(line).join("") });
  return [
    ...(head > CONTEXT_LINES ? [skipped(head - CONTEXT_LINES)] : []),
    ...now.slice(Math.max(0, head - CONTEXT_LINES), head).map(cardLine(" ")),
    ...old.slice(head, old.length - tail).map(cardLine("-")),
    ...now.slice(head, now.length - tail).map(cardLine("+")),
    ...now.slice(now.length - tail, contextEnd).map(cardLine(" ")),
    ...(tail > CONTEXT_LINES ? [skipped(tail - CONTEXT_LINES)] : []),
  ];
}

function skipped(count: number): CardLine {
  return { sign: "…", text: count === 1 ? "1 equal line" : `${count} equal lines` };
}
