/** Colours, type and space, as in the web pages. The system chooses between light and dark; the button overrides. */
export const tokens = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fafaf8, #0e0f11);
  --surface: light-dark(#ffffff, #15161a);
  --raised: light-dark(#f4f3f0, #1c1e22);
  --sunken: light-dark(#f6f5f2, #111215);
  --line: light-dark(#e7e5e0, #26282d);
  --line-2: light-dark(#d3d0c9, #393c43);
  --ink: light-dark(#1a1a18, #ececea);
  --ink-2: light-dark(#55544f, #aeafb4);
  --ink-3: light-dark(#6b6a64, #92949b);
  --accent: light-dark(#4a45c4, #a8a6ff);
  --hint: light-dark(#0b66ad, #74b7f5);
  --hint-bg: light-dark(#e9f3fb, #12283b);
  --hint-fill: light-dark(#6fb1e4, #3f87c4);
  --warn: light-dark(#855600, #f0c04a);
  --warn-bg: light-dark(#fdf4dc, #33290e);
  --warn-fill: light-dark(#f0bb3c, #d9a62c);
  --block: light-dark(#b03a06, #ff9560);
  --block-bg: light-dark(#fdeee5, #3a1f12);
  --block-fill: light-dark(#e2692c, #e2703a);
  --halt: light-dark(#8c1035, #ff7d95);
  --halt-bg: light-dark(#fbe9ee, #3a1420);
  --halt-fill: light-dark(#8c1035, #d8385c);
  --kind-mutate: light-dark(#6672a3, #95a2dc);
  --kind-run: light-dark(#8f97ab, #6d7588);
  --fail: light-dark(#b3261e, #ff8a80);
  --differs: light-dark(#ffe9a8, #574610);
  --sans: Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
  --mono: ui-monospace, "SF Mono", "JetBrains Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  --t-11: 0.6875rem;
  --t-12: 0.75rem;
  --t-13: 0.8125rem;
  --t-14: 0.875rem;
  --t-16: 1rem;
  --t-20: 1.25rem;
  --t-26: 1.625rem;
  --s-2: 8px;
  --s-3: 12px;
  --s-5: 20px;
  --s-6: 24px;
  --s-7: 32px;
  --r-1: 4px;
  --r-2: 6px;
  --r-3: 10px;
  --page: 1360px;
  --gutter: clamp(16px, 2.4vw, 40px);
  --top: 48px;
}
:root[data-theme="light"] {
  color-scheme: light;
}
:root[data-theme="dark"] {
  color-scheme: dark;
}
`;
