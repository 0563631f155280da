import { visibleLines } from "../../../render/terminal/visible-lines.ts";
import type { CardLine } from "./card.ts";

const AROUND = 2;

/** What a change takes away and adds, with a few lines around it. What is equal at the beginning and at the end is left out. */
export function changeLines(before: string, after: string): CardLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")]; // as they are: what looks alike need not be equal
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  if (head === old.length && head === now.length) return [{ sign: "…", text: "nothing is changed" }];
  const left = now.length - tail + AROUND;
  const shown =
    (sign: CardLine["sign"]) =>
    (line: string): CardLine => ({ sign, text: visibleLines(line).join("") });
  return [
    ...(head > AROUND ? [skipped(head - AROUND)] : []),
    ...now.slice(Math.max(0, head - AROUND), head).map(shown(" ")),
    ...old.slice(head, old.length - tail).map(shown("-")),
    ...now.slice(head, now.length - tail).map(shown("+")),
    ...now.slice(now.length - tail, left).map(shown(" ")),
    ...(tail > AROUND ? [skipped(tail - AROUND)] : []),
  ];
}

function skipped(lines: number): CardLine {
  return { sign: "…", text: lines === 1 ? "1 equal line" : `${lines} equal lines` };
}
