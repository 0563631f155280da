/** How much of a limit is used, with a tick at its warning. The numbers stand beside it: it is decoration. */
export function Meter({
  value,
  limit,
  warn = null,
}: {
  readonly value: number;
  readonly limit: number | null;
  readonly warn?: number | null;
}) {
  const share = limit === null || limit === 0 ? 0 : Math.min(1, Math.max(0, value / limit));
  const warnShare = limit === null || limit === 0 || warn === null ? null : Math.min(1, warn / limit);
  return (
    <span class="meter" aria-hidden="true">
      <i class={share >= (warnShare ?? 0.8) ? "near" : ""} style={{ width: `${share * 100}%` }} />
      {warnShare !== null && <u style={{ left: `${warnShare * 100}%` }} />}
    </span>
  );
}
