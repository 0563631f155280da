import { type Html, html, trusted } from "./html.ts";

/** The shapes of the icons, each on a grid of 16 by 16. They are those of the web pages. */
const shapes = {
  hint: '<circle cx="8" cy="8" r="5.6"/><path d="M8 7.6v3"/><path d="M8 5.2v.01"/>',
  warn: '<path d="M8 2.4 14.2 13H1.8Z"/><path d="M8 6.6v2.7"/><path d="M8 11.2v.01"/>',
  block: '<circle cx="8" cy="8" r="5.6"/><path d="M4.9 8h6.2" stroke-width="2.4"/>',
  halt:
    '<path class="solid" d="M5.3 1.7h5.4l3.6 3.6v5.4l-3.6 3.6H5.3l-3.6-3.6V5.3Z"/>' +
    '<path class="cross" d="M6 6l4 4M10 6l-4 4" stroke-width="1.7"/>',
  chev: '<path d="M6 3.8 10.2 8 6 12.2"/>',
  theme: '<circle cx="8" cy="8" r="5.6"/><path class="solid" d="M8 2.4a5.6 5.6 0 0 1 0 11.2Z"/>',
} as const;

/** The name of an icon; those of the levels are their names. */
export type IconName = keyof typeof shapes;

/** An icon. It carries no meaning of its own: the words beside it do. */
export function icon(name: IconName): Html {
  return html`<svg class="i i-${name}" viewBox="0 0 16 16" aria-hidden="true"><use href="#i-${name}"/></svg>`;
}

const levels = ["hint", "warn", "block", "halt"] as const;

/** The shapes that the icons of a page use, and the hatching of what would have happened. */
export function definitions(): Html {
  const symbols = Object.entries(shapes).map(
    ([name, shape]) => html`<symbol id="i-${name}" viewBox="0 0 16 16">${trusted(shape)}</symbol>`,
  );
  return html`
    <svg class="definitions" width="0" height="0" aria-hidden="true">
      <defs>${levels.map(hatching)}</defs>
      ${symbols}
    </svg>
  `;
}

function hatching(level: string): Html {
  return html`
    <pattern id="h-${level}" class="${level}" width="6" height="6" patternUnits="userSpaceOnUse"
      patternTransform="rotate(45)">
      <rect width="6" height="6" class="hatch-back"/>
      <rect width="1.6" height="6" class="hatch-line"/>
    </pattern>
  `;
}
