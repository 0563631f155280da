/** Narrow pages, and paper. */
export const narrow = `
@media (max-width: 1000px) {
  .two, .two.wide-first { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 760px) {
  .top { gap: var(--s-2); padding-right: 8px; }
  .nav { overflow-x: auto; scrollbar-width: none; }
  .nav a { padding: 9px 8px; }
  .made { display: none; }
  .btn { width: 36px; height: 36px; }
  main { padding-top: var(--s-5); }
  .parts { grid-template-columns: minmax(0, 1fr); }
  .tiles { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .tiles > div { padding: 12px; }
  .tiles > div:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .tiles .big { font-size: var(--t-20); }
  .chart { grid-template-columns: 40px minmax(0, 1fr); padding: 14px 12px 4px 4px; gap: 8px; }
  .chart .minor { display: none; }
  .wide { display: none; }
  .only-narrow { display: inline; }
  .tbl th, .tbl td { padding-left: 10px; padding-right: 10px; }
  .tbl.bars td:nth-child(2) { width: 42%; }
  .barcell { grid-template-columns: minmax(0, 1fr); gap: 3px; }
  .barcell .r { order: -1; text-align: left; }
  .worst > header { grid-template-columns: 26px minmax(0, 1fr); gap: 0 10px; padding: 14px 12px 12px; }
  .worst .amount { grid-column: 2; grid-row: 1; text-align: left; display: flex; gap: 6px;
    align-items: baseline; margin-bottom: 4px; }
  .worst .what { grid-column: 2; }
  .worst h3 { font-size: var(--t-14); }
  .lane { grid-template-columns: minmax(0, 1fr) auto; padding: 0 12px; }
  .lane-name { padding: 7px 0 4px; display: flex; gap: 6px; align-items: baseline; }
  .lane-value { padding: 7px 0 4px; display: flex; gap: 6px; align-items: baseline; }
  .lane .plot { grid-column: 1 / -1; grid-row: 2; }
  .lane.axis { grid-template-columns: minmax(0, 1fr); }
  .lane.axis > span:empty { display: none; }
  .loop-body { padding: 4px 12px 14px; }
  .ladder { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px 4px; }
  .calls .side { grid-template-columns: minmax(0, 1fr); }
  .calls .side > div + div { border-left: 0; border-top: 1px solid var(--line); }
  .command .file { margin-left: 0; text-align: left; }
  .filters, .field { width: 100%; }
  .field { height: 36px; }
  .fold > summary { min-height: 40px; padding-left: 12px; padding-right: 12px; }
  .all-runs .tbl td, .all-runs .tbl th { padding-left: 8px; padding-right: 8px; }
  .all-runs .what small code { display: none; }
}
@media print {
  :root { color-scheme: light; --page: none; --gutter: 0px; }
  body { background: none; font-size: 11px; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .top { position: static; border: 0; } .nav, .btn, .skip, .filters { display: none !important;
    } .made { margin-left: auto; }
  main { padding-top: 8px; }
  .worst { overflow: visible; }
  .many .worst { content-visibility: visible; }
  .panel, .lanes, .calls, .ladder, .said { break-inside: avoid; }
  .worst, .all-runs { break-inside: auto; }
  .worst > header, .phead, .section-head, summary { break-after: avoid; }
  tr { break-inside: avoid; }
  .calls pre { max-height: none; }
  .loop-fold::details-content, .more-runs::details-content { content-visibility: visible; block-size: auto; }
}
@media (forced-colors: active) { .plot, .bar, .legend i { forced-color-adjust: none; } }
`;
