/** What a loop costs if it continues for a night. */
export interface Night {
  /** "01:12" */
  readonly from: string;
  readonly to: string;
  readonly turnsPerMinute: number;
  readonly turns: number;
  readonly costNanoUsd: number;
}

const FROM_MINUTE = 72;
const TO_MINUTE = 400;
/** A turn of a large model with one call takes about ten seconds. The model of the demo is a script and much faster. */
const TURNS_PER_MINUTE = 6;

/** Extrapolates from the cost of one turn. A real loop costs more, because its requests grow from turn to turn. */
export function nightOf(turnNanoUsd: number): Night {
  const turns = (TO_MINUTE - FROM_MINUTE) * TURNS_PER_MINUTE;
  return {
    from: timeOfDay(FROM_MINUTE),
    to: timeOfDay(TO_MINUTE),
    turnsPerMinute: TURNS_PER_MINUTE,
    turns,
    costNanoUsd: turns * turnNanoUsd,
  };
}

function timeOfDay(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
