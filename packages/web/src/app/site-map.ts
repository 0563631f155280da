import type { IconName } from "../parts/icon.tsx";

export interface SitePage {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** The key after `g`. */
  readonly key: string;
}

/** The pages of the navigation, in their order. */
export const sitePages: readonly SitePage[] = [
  { path: "/runs", name: "Runs", icon: "runs", key: "r" },
  { path: "/feed", name: "Feed", icon: "feed", key: "f" },
  { path: "/budgets", name: "Budgets", icon: "wallet", key: "b" },
  { path: "/findings", name: "Findings", icon: "find", key: "i" },
  { path: "/settings", name: "Settings", icon: "gear", key: "s" },
];

/** The page of the navigation to which an address belongs. */
export function sitePageAt(path: string): SitePage {
  const [first] = sitePages;
  const found = sitePages.find((page) => path === page.path || path.startsWith(`${page.path}/`)) ?? first;
  if (found === undefined) throw new Error("The site has no pages.");
  return found;
}
