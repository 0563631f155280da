/** What the two colours of every bar mean. */
export function SpendingLegend() {
  return (
    <div class="legend">
      <span>
        <i class="work" />
        work
      </span>
      <span>
        <i class="loops" />
        loops
      </span>
    </div>
  );
}
