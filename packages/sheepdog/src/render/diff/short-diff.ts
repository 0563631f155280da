import { counted } from "../terminal/amounts.ts";
import { type DiffLine, note } from "./diff-line.ts";

/**
 * A diff of at most about `max` lines, with notes about everything that is not shown. Removed lines are left out first:
 * the user approves the new content, and must see it.
 */
export function shortDiff(lines: readonly DiffLine[], max: number): readonly DiffLine[] {
  if (lines.length <= max) return lines;
  const rest = withoutRemoved(lines);
  const hidden = rest.length - max;
  return hidden <= 0 ? rest : [...rest.slice(0, max), note(`not shown: ${counted(hidden, "more line")}`)];
}

/** Leaves out the removed lines: replaces those that follow each other by one note. */
export function withoutRemoved(lines: readonly DiffLine[]): readonly DiffLine[] {
  const shown: DiffLine[] = [];
  let removed = 0;
  const endRemoved = () => {
    if (removed > 0) shown.push(note(`not shown: ${counted(removed, "removed line")}`));
    removed = 0;
  };
  for (const line of lines) {
    if (line.sign === "-") {
      removed += 1;
      continue;
    }
    endRemoved();
    shown.push(line);
  }
  endRemoved();
  return shown;
}
