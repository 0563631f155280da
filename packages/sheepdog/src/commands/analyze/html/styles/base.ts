/** Elements, the frame of the page, and small parts. */
export const base = `
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: calc(var(--top) + 16px); }
body {
  margin: 0; background: var(--bg); color: var(--ink);
  font: 400 var(--t-13)/1.5 var(--sans); font-variant-numeric: tabular-nums;
  -webkit-font-smoothing: antialiased; overflow-wrap: anywhere;
}
h1, h2, h3, h4, h5, p, ul, ol, dl, dd, pre { margin: 0; padding: 0; }
ul, ol { list-style: none; }
a { color: inherit; text-decoration: none; }
button, input { font: inherit; color: inherit; }
code, pre { font-family: var(--mono); font-size: .925em; font-variant-ligatures: none; unicode-bidi: isolate; }
h2 { font-size: var(--t-13); font-weight: 600; letter-spacing: -.005em; }
h4 { font-size: var(--t-12); font-weight: 600; }
h5 { font-size: var(--t-11); font-weight: 500; color: var(--ink-2); }
b { font-weight: 600; }
small { font-size: var(--t-11); }
svg { display: block; }
mark { background: var(--differs); color: var(--ink); border-radius: 2px; }
.i { width: 14px; height: 14px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.5;
  stroke-linecap: round; stroke-linejoin: round; }
.solid { fill: currentColor; stroke: none; }
.cross { stroke: var(--surface); }
.definitions { position: absolute; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: var(--r-1); }
.vh { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.muted { color: var(--ink-2); }
.faint { color: var(--ink-3); font-weight: 400; }
.num { white-space: nowrap; }
.hint { --l: var(--hint); --lb: var(--hint-bg); --lf: var(--hint-fill); }
.warn { --l: var(--warn); --lb: var(--warn-bg); --lf: var(--warn-fill); }
.block { --l: var(--block); --lb: var(--block-bg); --lf: var(--block-fill); }
.halt { --l: var(--halt); --lb: var(--halt-bg); --lf: var(--halt-fill); }
.skip { position: absolute; left: 12px; top: -60px; z-index: 99; padding: 8px 12px; background: var(--ink);
  color: var(--bg); border-radius: var(--r-2); }
.skip:focus { top: 8px; }
.top { position: sticky; top: 0; z-index: 30; height: var(--top); display: flex; align-items: center;
  gap: var(--s-5); padding: 0 max(var(--gutter), (100% - var(--page)) / 2 + var(--gutter));
  background: var(--bg); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 8px; font-weight: 600; font-size: var(--t-14);
  letter-spacing: -.015em; }
.brand svg { width: 20px; height: 20px; }
.nav { display: flex; gap: 2px; flex: 1; }
.nav a { padding: 5px 10px; border-radius: var(--r-2); color: var(--ink-2); font-weight: 500; white-space: nowrap; }
.nav a:hover { background: var(--raised); color: var(--ink); }
.made { color: var(--ink-3); font-size: var(--t-12); white-space: nowrap; }
.btn { display: inline-grid; place-items: center; width: 30px; height: 30px; padding: 0; border: 0;
  border-radius: var(--r-2); background: none; color: var(--ink-2); cursor: pointer; }
.btn:hover { background: var(--raised); color: var(--ink); }
main { max-width: var(--page); margin: 0 auto; padding: var(--s-7) var(--gutter) var(--s-7); }
.foot { max-width: var(--page); margin: 0 auto; padding: 0 var(--gutter) 64px; color: var(--ink-3);
  font-size: var(--t-12); }
.foot p { max-width: 96ch; text-wrap: pretty; }
.panel { background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-3);
  margin-bottom: var(--s-5); }
.phead { display: flex; align-items: center; gap: 6px 10px; padding: 11px 14px; border-bottom: 1px solid var(--line);
  flex-wrap: wrap; }
.phead p { color: var(--ink-3); font-size: var(--t-12); }
.section-head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 6px 20px;
  margin: var(--s-6) 2px var(--s-3); }
.section-head h2 { font-size: var(--t-16); letter-spacing: -.012em; }
.pad { padding: 11px 14px; text-wrap: pretty; }
.tbl + .pad { border-top: 1px solid var(--line); }
.tag { display: inline-block; padding: 0 6px; border-radius: var(--r-1); background: var(--raised);
  color: var(--ink-2);
  font-size: var(--t-11); line-height: 17px; font-weight: 500; white-space: nowrap; }
.tbl { width: 100%; border-collapse: collapse; }
.tbl th { text-align: left; color: var(--ink-3); font-size: var(--t-11); font-weight: 500; padding: 8px 14px 7px;
  white-space: nowrap; border-bottom: 1px solid var(--line); vertical-align: bottom; }
.tbl td { padding: 8px 14px; border-bottom: 1px solid var(--line); vertical-align: middle; }
.tbl tbody:last-child tr:last-child td, .tbl tfoot tr:last-child td { border-bottom: 0; }
.tbl .r { text-align: right; }
.tbl tfoot td { color: var(--ink-2); }
.tbl td small { display: block; line-height: 15px; color: var(--ink-3); }
.scroll-x { overflow-x: auto; }
.scroll-x .tbl td:first-child { min-width: 9em; }
.legend { display: flex; gap: 4px 14px; flex-wrap: wrap; color: var(--ink-2); font-size: var(--t-11);
  margin-left: auto; }
.legend span { display: inline-flex; align-items: center; gap: 5px; }
.legend i { width: 8px; height: 8px; border-radius: 2px; }
.legend .work { background: var(--kind-mutate); }
.legend .loops { background: color-mix(in srgb, var(--block-fill) 28%, transparent);
  box-shadow: inset 0 0 0 1px var(--block-fill); }
.legend .call { background: var(--kind-run); }
.legend .repeat { background: var(--block-fill); }
.legend .failed { background: var(--fail); height: 5px; }
.fold > summary { display: flex; align-items: center; gap: 8px; min-height: 36px; padding: 6px 14px; list-style: none;
  cursor: pointer; }
.fold > summary::-webkit-details-marker { display: none; }
.fold > summary .i-chev { color: var(--ink-3); }
.fold > summary:hover { background: var(--sunken); }
.fold[open] > summary .i-chev { transform: rotate(90deg); }
`;
