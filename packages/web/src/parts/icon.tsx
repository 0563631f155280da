import type { ComponentChildren, JSX } from "preact";

/** The shapes of the icons, each on a grid of 16 by 16. */
const shapes = {
  bash: (
    <>
      <path d="M3.3 4.8 6.5 8l-3.2 3.2M8.3 11.3h4.4" />
    </>
  ),
  block: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path d="M4.9 8h6.2" stroke-width="2.4" />
    </>
  ),
  check: (
    <>
      <path d="M3.5 8.5l3 3 6-6.8" />
    </>
  ),
  chev: (
    <>
      <path d="M6 3.8 10.2 8 6 12.2" />
    </>
  ),
  copy: (
    <>
      <rect x="5.5" y="5.5" width="7.5" height="7.5" rx="1.5" />
      <path d="M10.5 3H4.5A1.5 1.5 0 0 0 3 4.5v6" />
    </>
  ),
  down: (
    <>
      <path d="M4 6l4 4 4-4" />
    </>
  ),
  edit: (
    <>
      <path d="M3 13l.7-3L10.5 3.2l2.3 2.3L6 12.3Z" />
    </>
  ),
  eye: (
    <>
      <path d="M1.8 8S4.2 3.8 8 3.8 14.2 8 14.2 8 11.8 12.2 8 12.2 1.8 8 1.8 8Z" />
      <circle cx="8" cy="8" r="1.8" />
    </>
  ),
  feed: (
    <>
      <path d="M2 8h3l1.8-4.5 2.6 9L11.2 8H14" />
    </>
  ),
  find: (
    <>
      <path d="M2.5 13V9M6.2 13V5.5M9.8 13V8M13.5 13V3" />
    </>
  ),
  fold: (
    <>
      <path d="M4.5 5.5 8 2.5l3.5 3M4.5 10.5 8 13.5l3.5-3M3 8h10" />
    </>
  ),
  fork: (
    <>
      <circle cx="4.5" cy="3.8" r="1.6" />
      <circle cx="11.5" cy="3.8" r="1.6" />
      <circle cx="8" cy="12.4" r="1.6" />
      <path d="M4.5 5.4c0 2.4 3.5 2.2 3.5 5.4 0-3.2 3.5-3 3.5-5.4" />
    </>
  ),
  gate: (
    <>
      <path d="M8 2.2 13 4v4.2c0 2.7-2 4.7-5 5.6-3-.9-5-2.9-5-5.6V4Z" />
    </>
  ),
  gear: (
    <>
      <circle cx="8" cy="8" r="2.2" />
      <path d="M8 2v2M8 12v2M2 8h2M12 8h2M3.8 3.8l1.4 1.4M10.8 10.8l1.4 1.4M12.2 3.8l-1.4 1.4M5.2 10.8l-1.4 1.4" />
    </>
  ),
  halt: (
    <>
      <path class="solid" d="M5.3 1.7h5.4l3.6 3.6v5.4l-3.6 3.6H5.3l-3.6-3.6V5.3Z" />
      <path d="M6 6l4 4M10 6l-4 4" style={{ stroke: "var(--surface)" }} stroke-width="1.7" />
    </>
  ),
  hint: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path d="M8 7.6v3" />
      <path d="M8 5.2v.01" />
    </>
  ),
  limit: (
    <>
      <path d="M2.2 11.5a6 6 0 1 1 11.6 0" />
      <path d="M8 9.6l2.8-3.2" />
    </>
  ),
  link: (
    <>
      <path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.7.7" />
      <path d="M9.2 6.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.7-.7" />
    </>
  ),
  mute: (
    <>
      <path d="M3 6.4v3.2h2.2L8 12V4L5.2 6.4Z" />
      <path d="M10.6 6.4l3 3.2M13.6 6.4l-3 3.2" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.4" r="2.6" />
      <path d="M3 13.6c.6-2.7 2.5-4.1 5-4.1s4.4 1.4 5 4.1" />
    </>
  ),
  play: (
    <>
      <path d="M5 3.2 12.4 8 5 12.8Z" />
    </>
  ),
  raise: (
    <>
      <path d="M8 13V4M4.5 7.3 8 3.8l3.5 3.5" />
    </>
  ),
  read: (
    <>
      <path d="M4 2.4h5.2L12 5.2v8.4H4Z" />
      <path d="M6.2 8h3.6M6.2 10.6h3.6" />
    </>
  ),
  recovered: (
    <>
      <path d="M13.4 8A5.4 5.4 0 1 1 8 2.6c1.5 0 2.9.6 3.9 1.6" />
      <path d="M5.4 7.9l2.1 2.1 5.3-5.6" />
    </>
  ),
  runs: (
    <>
      <path d="M2.5 4h11M2.5 8h11M2.5 12h7" />
    </>
  ),
  search: (
    <>
      <circle cx="7" cy="7" r="4.2" />
      <path d="M10.2 10.2 13.5 13.5" />
    </>
  ),
  send: (
    <>
      <path d="M13.5 2.5 7 9M13.5 2.5 9.3 13.5 7 9 2.5 6.7Z" />
    </>
  ),
  stop: (
    <>
      <rect x="4" y="4" width="8" height="8" rx="1.2" />
    </>
  ),
  text: (
    <>
      <path d="M3 4.5h10M3 8h10M3 11.5h6" />
    </>
  ),
  theme: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path class="solid" d="M8 2.4a5.6 5.6 0 0 1 0 11.2Z" />
    </>
  ),
  up: (
    <>
      <path d="M4 10l4-4 4 4" />
    </>
  ),
  wait: (
    <>
      <circle cx="8" cy="8" r="5.6" />
      <path d="M8 4.8V8l2.2 1.5" />
    </>
  ),
  wallet: (
    <>
      <rect x="2.5" y="4" width="11" height="8.5" rx="1.5" />
      <path d="M10.5 8.3h.01M2.5 6.5h11" />
    </>
  ),
  warn: (
    <>
      <path d="M8 2.4 14.2 13H1.8Z" />
      <path d="M8 6.6v2.7" />
      <path d="M8 11.2v.01" />
    </>
  ),
  x: (
    <>
      <path d="M4.2 4.2l7.6 7.6M11.8 4.2l-7.6 7.6" />
    </>
  ),
} as const satisfies Record<string, ComponentChildren>;

export type IconName = keyof typeof shapes;

/** An icon. It carries no meaning of its own: the words beside it, or the label of its button, do. */
export function Icon({
  name,
  class: className = "",
  ...rest
}: { readonly name: IconName } & JSX.IntrinsicElements["svg"]) {
  return (
    <svg class={`i ${className}`} viewBox="0 0 16 16" aria-hidden="true" {...rest}>
      {shapes[name]}
    </svg>
  );
}
