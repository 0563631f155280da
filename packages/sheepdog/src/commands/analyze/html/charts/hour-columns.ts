import type { Group } from "../../../../look-back/groups.ts";
import type { Measure } from "../measure.ts";
import type { Column } from "./column-chart.ts";

/** A column for each hour of the day. */
export function hourColumns(hours: readonly Group[], measure: Measure): readonly Column[] {
  const byName = new Map(hours.map((hour) => [hour.name, hour]));
  return Array.from({ length: 24 }, (_, hour) => {
    const name = String(hour).padStart(2, "0");
    const group = byName.get(name);
    return {
      name: `${name}:00 to ${name}:59`,
      ...(hour % 3 === 0 ? { label: `${name}:00`, isMinor: hour % 6 !== 0 } : {}),
      all: group === undefined ? 0 : measure.all(group),
      stuck: group === undefined ? 0 : measure.stuck(group),
    };
  });
}
