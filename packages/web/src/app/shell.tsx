import type { ComponentChildren } from "preact";

/** The frame of every page: the bar at the top, and the page below it. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  return <main id="main">{children}</main>;
}
