/** The worst runs: their heads, timelines, loops and evidence. */
export const worst = `
.worst { overflow: hidden; }
.many .worst { content-visibility: auto; contain-intrinsic-size: auto 480px; }
.worst > header { display: grid; grid-template-columns: 26px minmax(0, 1fr) auto; gap: 0 var(--s-3);
  padding: 16px 16px 14px 14px; }
.worst .place { width: 24px; height: 24px; border-radius: 50%; background: var(--raised); color: var(--ink-2);
  font-size: var(--t-12); line-height: 24px; font-weight: 600; text-align: center; }
.worst h3 { font-size: var(--t-16); font-weight: 600; line-height: 1.4; letter-spacing: -.012em; text-wrap: pretty; }
.worst h3 code { font-size: .9em; font-weight: 500; padding: .08em .35em; border-radius: var(--r-1);
  background: var(--raised);
  box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.facts { display: flex; flex-wrap: wrap; gap: 0 6px; margin-top: 4px; color: var(--ink-2); font-size: var(--t-12); }
.facts span:not(:last-child)::after { content: "·"; margin-left: 6px; color: var(--ink-3); }
.task { margin-top: 3px; color: var(--ink-2); font-size: var(--t-12); max-width: 110ch; }
.stop { margin-top: 6px; }
.amount { text-align: right; white-space: nowrap; }
.amount b { display: block; font-size: var(--t-20); line-height: 1.2; letter-spacing: -.025em; }
.amount small { color: var(--ink-3); }
.lanes { --label: 7.5rem; --value: 10rem; border-top: 1px solid var(--line); background: var(--sunken); }
.lane { display: grid; grid-template-columns: var(--label) minmax(0, 1fr) var(--value);
  border-bottom: 1px solid var(--line); }
.lane b { display: block; font-size: var(--t-12); font-weight: 600; line-height: 16px; }
.lane small { display: block; color: var(--ink-3); line-height: 14px; }
.lane-name { padding: 9px 0 6px 14px; }
.lane-value { padding: 9px 14px 6px 10px; text-align: right; }
.lane .plot { overflow: visible; }
.lane.axis { min-height: 26px; align-items: center; }
.lane.axis .ends { display: flex; justify-content: space-between; gap: 12px; color: var(--ink-3);
  font-size: var(--t-11); }
.hatch-back { fill: var(--lb); }
.hatch-line { fill: color-mix(in srgb, var(--lf) 62%, transparent); }
.step-top { fill: var(--lf); }
.glyph { overflow: visible; color: var(--l); }
.glyph circle { fill: var(--sunken); }
.glyph use { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
.end-line { stroke: var(--halt); stroke-width: 1.5; stroke-dasharray: 4 3; }
.lane path { vector-effect: non-scaling-stroke; fill: none; }
.lane .call { stroke: var(--kind-run); }
.lane .repeat { stroke: var(--block-fill); }
.lane .failed { stroke: var(--fail); }
.lane .line { stroke: var(--ink); stroke-width: 1.5; }
.lane .area { fill: color-mix(in srgb, var(--ink) 6%, transparent); }
.lane .line-after { stroke: var(--block-fill); stroke-width: 1.5; }
.lane .area-after { fill: color-mix(in srgb, var(--block-fill) 16%, transparent); }
.lane .note { fill: var(--ink-2); font-size: 11px; paint-order: stroke; stroke: var(--sunken);
  stroke-width: 4px; stroke-linejoin: round; }
.lane .note.end { fill: var(--halt); font-weight: 600; }
.loop-fold { border-top: 1px solid var(--line); }
.lanes + .loops-of-run > .loop-fold:first-child { border-top: 0; }
.loop-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 8px; flex: 1; min-width: 0; }
.loop-name { font-weight: 500; min-width: 0; }
.loop-head .num { margin-left: auto; font-size: var(--t-12); }
.loop-body { padding: 4px 14px 16px 36px; display: grid; gap: 14px; }
.ladder { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 4px; }
.ladder li { padding-top: 11px; border-top: 5px solid var(--lf); padding-top: 6px; }
.ladder li:first-child { border-top-left-radius: 3px; border-bottom-left-radius: 3px; }
.ladder .lvl { display: inline-flex; align-items: center; gap: 5px; color: var(--l); font-weight: 550;
  font-size: var(--t-12); }
.ladder small { display: block; color: var(--ink-2); line-height: 15px; }
.ladder .not-reached { border-color: var(--line-2); }
.ladder .not-reached .lvl, .ladder .not-reached small { color: var(--ink-3); font-weight: 400; }
.calls { border: 1px solid var(--line); border-radius: var(--r-2); overflow: hidden; background: var(--sunken); }
.calls h4 { display: flex; flex-wrap: wrap; gap: 2px 10px; align-items: baseline; padding: 7px 10px;
  border-bottom: 1px solid var(--line);
  background: var(--surface); }
.calls .part { padding: 7px 10px 9px; border-bottom: 1px solid var(--line); }
.calls .part:last-child { border-bottom: 0; }
.calls .side { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); padding: 0; }
.calls .side > div { padding: 7px 10px 9px; min-width: 0; }
.calls .side > div + div { border-left: 1px solid var(--line); }
.calls .side > p { grid-column: 1 / -1; padding: 5px 10px; border-top: 1px solid var(--line);
  font-size: var(--t-11); }
.calls pre { font-size: 11.5px; line-height: 1.6; white-space: pre-wrap; max-height: 15.2em; overflow: auto;
  margin-top: 2px; }
.none { font-style: italic; }
.said { padding: 9px 12px; border-left: 2px solid var(--l); border-radius: 0 var(--r-2) var(--r-2) 0;
  background: var(--lb); }
.said h4 { color: var(--l); font-weight: 550; }
.said p { white-space: pre-wrap; max-width: 110ch; }
.loops-of-run .more { padding: 8px 14px 8px 36px; border-top: 1px solid var(--line); }
.command { display: flex; flex-wrap: wrap; gap: 2px 8px; align-items: baseline; padding: 9px 14px;
  border-top: 1px solid var(--line);
  font-size: var(--t-12); }
.command code { user-select: all; font-weight: 500; }
.command .file { margin-left: auto; text-align: right; min-width: 0; }
`;
