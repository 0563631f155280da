import { fit, widthOf } from "./width.ts";

const GAP = "  ";

/** A column of a table. In a narrow terminal the columns shrink down to `min`, and the optional ones are dropped, from the right. */
export interface Column {
  readonly title: string;
  readonly align: "left" | "right";
  readonly min: number;
  /** The higher, the sooner it gives way to others; 0 unless told. */
  readonly shrinkPriority?: number;
  readonly isOptional?: boolean;
}

/** Lays rows out under their titles so that they fit into `width` columns. The first line is the head. */
export function layOut(columns: readonly Column[], rows: readonly (readonly string[])[], width: number): string[] {
  const natural = columns.map((column, place) =>
    Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[place] ?? ""))),
  );
  const places = keptPlaces(columns, natural, width);
  const widths = shrunk(columns, natural, places, width);
  const line = (cells: readonly string[]) =>
    places
      .map((place) => fit(cells[place] ?? "", widths[place] ?? 0, columns[place]?.align))
      .join(GAP)
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}

function total(widths: readonly number[], places: readonly number[]): number {
  return places.reduce((sum, place) => sum + (widths[place] ?? 0), GAP.length * (places.length - 1));
}

function keptPlaces(columns: readonly Column[], natural: readonly number[], width: number): number[] {
  let places = columns.map((_, place) => place);
  const least = columns.map((column, place) => Math.min(column.min, natural[place] ?? 0));
  while (total(least, places) > width) {
    const dropped = places.findLast((place) => columns[place]?.isOptional);
    if (dropped === undefined) break;
    places = places.filter((place) => place !== dropped);
  }
  return places;
}

/** Takes columns from where they are missed least, until all fit. */
function shrunk(
  columns: readonly Column[],
  natural: readonly number[],
  places: readonly number[],
  width: number,
): number[] {
  const widths = [...natural];
  const givesWay = (place: number) => columns[place]?.shrinkPriority ?? 0;
  let over = total(widths, places) - width;
  for (const place of places.toSorted((a, b) => givesWay(b) - givesWay(a))) {
    const has = widths[place] ?? 0;
    const given = Math.min(Math.max(0, over), Math.max(0, has - (columns[place]?.min ?? 0)));
    widths[place] = has - given;
    over -= given;
  }
  return widths;
}
