import { fit, widthOf } from "./width.ts";

const GAP = "  ";

/** A column of a table. To fit the width, columns shrink to `min`, and optional columns are dropped from the right. */
export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
  readonly min: number;
  /** Columns with a higher value shrink first. Defaults to 0. */
  readonly shrinkPriority?: number;
  readonly isOptional?: boolean;
}

/** Lays out rows under their titles so that they fit into `width` columns. The first line is the head. */
export function layOut(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const natural = naturalWidths(columns, rows);
  const shown = shownColumns(columns, natural, width);
  const widths = shrink(columns, natural, { shown, width });
  const line = (cells: readonly string[]) =>
    shown
      .map((index) => fit(cells[index] ?? "", widths[index] ?? 0, columns[index]?.align))
      .join(GAP)
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}

/** Whether all columns fit, each at its smallest width. */
export function fits(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): boolean {
  return shownColumns(columns, naturalWidths(columns, rows), width).length === columns.length;
}

function naturalWidths(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly number[] {
  return columns.map((column, index) =>
    Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[index] ?? ""))),
  );
}

function totalWidth(widths: readonly number[], shown: readonly number[]): number {
  return shown.reduce((sum, index) => sum + (widths[index] ?? 0), GAP.length * (shown.length - 1));
}

/** The indexes of the columns that fit at their smallest width. */
function shownColumns(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  let shown = columns.map((_, index) => index);
  const smallest = columns.map((column, index) => Math.min(column.min, natural[index] ?? 0));
  while (totalWidth(smallest, shown) > width) {
    const dropped = shown.findLast((index) => columns[index]?.isOptional);
    if (dropped === undefined) break;
    shown = shown.filter((index) => index !== dropped);
  }
  return shown;
}

/** The widths after the columns have shrunk by priority until all fit. */
function shrink(
  columns: readonly Column[],
  natural: readonly number[],
  { shown, width }: { readonly shown: readonly number[]; readonly width: number },
): number[] {
  const widths = [...natural];
  const priority = (index: number) => columns[index]?.shrinkPriority ?? 0;
  let excess = totalWidth(widths, shown) - width;
  for (const index of shown.toSorted((a, b) => priority(b) - priority(a))) {
    const current = widths[index] ?? 0;
    const removed = Math.min(Math.max(0, excess), Math.max(0, current - (columns[index]?.min ?? 0)));
    widths[index] = current - removed;
    excess -= removed;
  }
  return widths;
}
