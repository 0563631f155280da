import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

/** The address of the page. The fragment names an event of a run. */
export interface Location {
  readonly path: string;
  readonly search: string;
  readonly hash: string;
}

const current = (): Location => {
  const { pathname, search, hash } = window.location;
  return { path: pathname, search, hash };
};

/** The address in force; pages render from it. */
export const location = signal<Location>(current());

window.history.scrollRestoration = "manual"; // the browser would restore it before the page has its content
window.addEventListener("popstate", (event) => {
  const before = location.value.path;
  location.value = current();
  if (before !== location.value.path && location.value.hash === "") scrollBackTo(savedScroll(event.state));
});
window.addEventListener("hashchange", () => {
  location.value = current();
});

/** Goes to an address of this site. `isReplaced`: without a new entry in the history of the browser. */
export function navigate(to: string, { isReplaced = false }: { readonly isReplaced?: boolean } = {}): void {
  if (isReplaced) window.history.replaceState(window.history.state, "", to);
  else {
    window.history.replaceState({ scrollY: window.scrollY }, "");
    window.history.pushState(null, "", to);
  }
  const before = location.value.path;
  location.value = current();
  if (before !== location.value.path && location.value.hash === "") window.scrollTo(0, 0);
}

/** A part of an address in plain text; one that is not encoded well stays as it is. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // typed by hand, or cut when it was copied
  }
}

function savedScroll(state: unknown): number {
  return typeof state === "object" && state !== null && "scrollY" in state ? Number(state.scrollY) : 0;
}

/** Scrolls to where the reader was, as soon as the page is long enough again. */
function scrollBackTo(scrollY: number, framesLeft = 40): void {
  requestAnimationFrame(() => {
    window.scrollTo(0, scrollY);
    if (Math.abs(window.scrollY - scrollY) > 2 && framesLeft > 0) scrollBackTo(scrollY, framesLeft - 1);
  });
}

interface LinkProps {
  readonly href: string;
  readonly class?: string;
  readonly children?: ComponentChildren;
  readonly title?: string;
  readonly tabIndex?: number;
  readonly "aria-label"?: string;
  readonly "aria-current"?: "page" | "true";
  readonly onClick?: (event: MouseEvent) => void;
}

/** A link inside the site: a plain click changes the page without loading it again. */
export function Link({ href, children, onClick, ...rest }: LinkProps) {
  return (
    <a
      href={href}
      {...rest}
      onClick={(event) => {
        onClick?.(event);
        const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (event.defaultPrevented || !isPlain) return;
        event.preventDefault();
        navigate(href);
      }}
    >
      {children}
    </a>
  );
}
