/** The answer, its numbers, the charts and the tables of parts. */
export const charts = `
.answer { margin: 0 0 var(--s-6); }
.answer h1 { font-size: clamp(1.35rem, 1rem + 1.25vw, 2.05rem); line-height: 1.22; font-weight: 600;
  letter-spacing: -.024em; text-wrap: balance; max-width: 34em; font-variant-numeric: normal; }
.answer h1 b { font-weight: 600; white-space: nowrap; box-shadow: inset 0 -.34em var(--differs); }
.lede { margin-top: 8px; color: var(--ink-2); font-size: var(--t-14); max-width: 96ch; text-wrap: pretty; }
.lede code { padding: .05em .35em; border-radius: var(--r-1); background: var(--raised); }
.unpriced-note { display: flex; gap: 8px; margin-top: 10px; color: var(--l); max-width: 110ch; }
.unpriced-note .i { margin-top: 3px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); overflow: hidden; }
.tiles > div { padding: 14px 16px; min-width: 0; box-shadow: 1px 0 var(--line), 0 1px var(--line); }
.tiles h2 { color: var(--ink-2); font-weight: 500; font-size: var(--t-12); }
.tiles .big { font-size: var(--t-26); line-height: 1.2; font-weight: 600; letter-spacing: -.03em; margin-top: 4px; }
.tiles .big small { font-size: var(--t-13); font-weight: 400; letter-spacing: 0; color: var(--ink-3); }
.tiles .bar { margin: 10px 0 8px; }
.tiles p:not(.big) { color: var(--ink-2); font-size: var(--t-12); text-wrap: pretty; }
.bar .back { fill: var(--line); }
.bar .work, .plot .work { fill: var(--kind-mutate); }
.bar .loop, .plot .loop { fill: color-mix(in srgb, var(--block-fill) 30%, var(--surface));
  stroke: var(--block-fill); }
.bar .loop.thin, .plot .loop.thin { fill: var(--block-fill); stroke: none; }
.bar .loop-full { fill: var(--block-fill); }
.two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: var(--s-5);
  margin-bottom: var(--s-5); }
.two.wide-first { grid-template-columns: minmax(0, 1.55fr) minmax(0, 1fr); }
.two > .panel { margin-bottom: 0; }
.parts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr));
  gap: 0 var(--s-5); align-items: start; }
.parts .panel { break-inside: avoid; }
.chart { display: grid; grid-template-columns: 52px minmax(0, 1fr); gap: 10px; padding: 16px 16px 6px 6px; }
.chart svg { overflow: visible; }
.chart text { fill: var(--ink-3); font-size: 11px; }
.plot .grid { stroke: var(--line); }
.plot .base { stroke: var(--line-2); }
.plot .slot { fill: transparent; }
.col:hover .slot { fill: var(--raised); }
.numbers { border-top: 1px solid var(--line); }
.numbers > summary { color: var(--ink-2); font-size: var(--t-12); }
.numbers[open] > summary { border-bottom: 1px solid var(--line); }
.barcell { display: grid; grid-template-columns: minmax(40px, 1fr) 64px; gap: 10px; align-items: center; }
.tbl.bars td:nth-child(2) { width: 44%; }
.tbl.bars td:nth-child(n+2) { padding-left: 0; }
.tbl.bars th:nth-child(n+2) { padding-left: 0; }
.tbl.bars .name { line-height: 1.35; }
.tbl.bars td { padding-top: 7px; padding-bottom: 7px; }
.notes { padding: 12px 14px 12px 30px; list-style: disc; color: var(--ink-2); }
.notes li { max-width: 110ch; text-wrap: pretty; margin: 3px 0; }
.notes li::marker { color: var(--ink-3); }
.notes b { color: var(--ink); font-weight: 550; }
.notes + .scroll-x { border-top: 1px solid var(--line); }
.tbl td .unpriced { color: var(--warn); }
.skipped li { display: flex; flex-wrap: wrap; gap: 0 12px; padding: 5px 14px; border-bottom: 1px solid var(--line); }
.skipped li:last-child { border-bottom: 0; }
.skipped span { color: var(--ink-2); }
`;
