import { type Scale, scaleTo, shareOf } from "../../charts/scale.ts";
import { type Measure, type SweepPoint, savedAt } from "./sweep-words.ts";

/** Where a limit stands in the chart. All places are percentages from the left and from the top. */
interface SweepColumn {
  readonly x: number;
  readonly savedY: number;
  readonly barTop: number;
  readonly stopped: number;
}

/** The shapes of the chart and the places of its words. */
export interface SweepLayout {
  readonly scale: Scale;
  readonly columns: readonly SweepColumn[];
  readonly halfWidth: number;
  /** Above the first bar, or right of the last one if the line is in the way; absent without bars. */
  readonly stoppedName: { readonly x: number; readonly y: number; readonly isAboveBar: boolean } | undefined;
  readonly savedName: { readonly x: number; readonly y: number } | undefined;
}

/** Good runs stopped use the lower part of the chart, so that the line of what is saved stays above them. */
const BARS_SHARE = 50;
/** With fewer good runs stopped the bars are low: one run must not look like many. */
const LEAST_HIGHEST = 5;
const MOST_HALF_WIDTH = 1.6;
/** The room that the words above the first bar take. */
const NAME_WIDTH = 25;
const NAME_HEIGHT = 15;

/** Places the points of a comparison in the chart. */
export function sweepLayout(points: readonly SweepPoint[], measure: Measure): SweepLayout {
  const scale = scaleTo(Math.max(0, ...points.map((point) => savedAt(point, measure))), {
    count: 5,
    minStep: measure === "calls" ? 1 : 0,
  });
  const mostStopped = Math.max(LEAST_HIGHEST, ...points.map(({ stoppedGood }) => stoppedGood.length));
  const columns = points.map((point, index) => ({
    x: ((index + 0.5) / points.length) * 100,
    savedY: 100 - shareOf(scale, savedAt(point, measure)),
    barTop: 100 - (point.stoppedGood.length / mostStopped) * BARS_SHARE,
    stopped: point.stoppedGood.length,
  }));
  const halfWidth = Math.min(MOST_HALF_WIDTH, 40 / points.length);
  const savedNameAt = columns[Math.round((columns.length - 1) * 0.8)];
  return {
    scale,
    columns,
    halfWidth,
    stoppedName: placeStoppedName(columns, halfWidth),
    savedName: savedNameAt && { x: savedNameAt.x, y: savedNameAt.savedY },
  };
}

function placeStoppedName(columns: readonly SweepColumn[], halfWidth: number): SweepLayout["stoppedName"] {
  const first = columns.find(({ stopped }) => stopped > 0);
  const lastAt = columns.findLastIndex(({ stopped }) => stopped > 0);
  const afterLast = columns[lastAt + 1];
  if (first === undefined) return undefined;
  const isInTheWay = columns.some(
    ({ x, savedY }) => x >= first.x && x <= first.x + NAME_WIDTH && savedY > first.barTop - NAME_HEIGHT,
  );
  if (isInTheWay && afterLast !== undefined && afterLast.x + NAME_WIDTH <= 100) {
    return { x: afterLast.x - halfWidth, y: 100, isAboveBar: false };
  }
  return { x: first.x - halfWidth, y: first.barTop, isAboveBar: true };
}
