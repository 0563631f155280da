import { usd } from "../../format/amounts.ts";

interface SplitBarProps {
  readonly workUsd: number;
  readonly loopUsd: number;
  /** The amount that fills the whole bar. */
  readonly mostUsd: number;
}

/** An amount, with a bar split into work and loops. The bar is decoration: the numbers stand beside it. */
export function SplitBar({ workUsd, loopUsd, mostUsd }: SplitBarProps) {
  const width = (amount: number) => `${mostUsd <= 0 ? 0 : (amount / mostUsd) * 100}%`;
  return (
    <div class="barcell">
      <span class="meter" aria-hidden="true">
        <i class="work" style={{ width: width(workUsd + loopUsd) }} />
        {loopUsd > 0 && <i class="loops" style={{ left: width(workUsd), width: width(loopUsd) }} />}
      </span>
      <span class="num r">{usd(workUsd + loopUsd)}</span>
    </div>
  );
}
