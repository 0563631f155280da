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

window.addEventListener("popstate", () => {
  location.value = current();
});
window.addEventListener("hashchange", () => {
  location.value = current();
});

/** Goes to an address of this site. `isReplaced`: without a new entry in the history of the browser. */
export function navigate(to: string, { isReplaced = false }: { readonly isReplaced?: boolean } = {}): void {
  if (isReplaced) window.history.replaceState(null, "", to);
  else window.history.pushState(null, "", to);
  const before = location.value.path;
  location.value = current();
  if (before !== location.value.path && location.value.hash === "") window.scrollTo(0, 0);
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
