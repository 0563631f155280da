/** The table of all runs. */
export const runs = `
.filters { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; margin-left: auto; }
.field { width: 280px; max-width: 100%; height: 30px; padding: 0 10px; border: 1px solid var(--line-2);
  border-radius: var(--r-2); background: var(--surface); }
.field::placeholder { color: var(--ink-3); }
.check { display: inline-flex; align-items: center; gap: 6px; min-height: 24px; color: var(--ink-2);
  cursor: pointer; }
.check input { width: 16px; height: 16px; margin: 0; accent-color: var(--ink); }
.all-runs .tbl th button { padding: 4px 0; margin: -4px 0; border: 0; background: none; cursor: pointer;
  font-weight: 500; }
.all-runs .tbl th button:hover { color: var(--ink); }
.all-runs .tbl th[aria-sort] { color: var(--ink); }
.all-runs .tbl th[aria-sort="ascending"] button::after { content: " ↑" / ""; }
.all-runs .tbl th[aria-sort="descending"] button::after { content: " ↓" / ""; }
.all-runs td { padding-top: 7px; padding-bottom: 7px; vertical-align: top; }
.all-runs .title { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.all-runs .title code { font-weight: 500; }
.all-runs .what small { display: flex; flex-wrap: wrap; gap: 0 10px; }
.all-runs .what small code { color: var(--ink-3); user-select: all; }
.all-runs tbody tr:hover td { background: var(--sunken); }
.only-narrow { display: none; }
.more-runs { margin-bottom: var(--s-5); }
.more-runs > summary { font-size: var(--t-13); }
.more-runs[open] > summary { margin-bottom: var(--s-3); }
.all-runs .model { max-width: 190px; color: var(--ink-2); }
`;
