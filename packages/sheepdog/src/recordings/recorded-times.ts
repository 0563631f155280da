import type { RecordedCall } from "@sheepdog/records";

/** How long a call took; undefined where the recording does not have both of its times. */
export function callMs({ at, endedAt }: RecordedCall): number | undefined {
  return isTime(at) && isTime(endedAt) && endedAt >= at ? endedAt - at : undefined;
}

/** Whether a number is a time. */
export function isTime(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value > 0;
}
