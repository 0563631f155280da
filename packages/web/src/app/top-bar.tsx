import { usd } from "../format/amounts.ts";
import { Icon } from "../parts/icon.tsx";
import { KeysHint } from "../parts/keys-hint.tsx";
import { Meter } from "../parts/meter.tsx";
import { openDialog } from "./dialogs.ts";
import { overview } from "./overview.ts";
import { Link } from "./router.tsx";
import { sitePageAt, sitePages } from "./site-map.ts";
import { switchTheme } from "./theme.ts";

/** The bar at the top; on phones the navigation is at the bottom. */
export function TopBar({ path }: { readonly path: string }) {
  const current = sitePageAt(path);
  const waiting = overview.value?.waiting.length ?? 0;
  return (
    <header class="top">
      <Link class="brand" href="/runs" aria-label="Sheepdog: all runs">
        <svg viewBox="0 0 20 20" aria-hidden="true" fill="none">
          <path d="M15.6 6.3A7 7 0 1 0 17 10.6" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
          <circle cx="10" cy="10.3" r="2.3" fill="currentColor" />
        </svg>
        <span>Sheepdog</span>
      </Link>
      <nav class="nav" aria-label="Main">
        {sitePages.map((page) => (
          <Link key={page.path} href={page.path} {...(page === current ? { "aria-current": "page" } : {})}>
            <Icon name={page.icon} />
            {page.name}
            {page.path === "/feed" && waiting > 0 && (
              <span class="count">
                {waiting}
                <span class="vh"> waiting for you</span>
              </span>
            )}
          </Link>
        ))}
      </nav>
      <span class="grow" />
      <SpentToday />
      <button
        class="seek"
        type="button"
        aria-keyshortcuts="Control+K"
        onClick={() => {
          openDialog.value = "search";
        }}
      >
        <Icon name="search" />
        <span class="t grow">Search or jump to</span>
        <KeysHint keys="Ctrl+k" />
      </button>
      <button class="btn quiet icon" type="button" aria-label="Switch between light and dark" onClick={switchTheme}>
        <Icon name="theme" />
      </button>
      <button
        class="btn quiet icon desk"
        type="button"
        aria-label="Keyboard shortcuts"
        onClick={() => {
          openDialog.value = "keys";
        }}
      >
        <kbd>?</kbd>
      </button>
    </header>
  );
}

function SpentToday() {
  const today = overview.value?.today;
  if (today === undefined) return null;
  return (
    <Link class="today" href="/budgets">
      <span>
        <b>{usd(today.spentUsd)}</b> {today.limitUsd === null ? "today" : `of ${usd(today.limitUsd)} today`}
      </span>
      {today.limitUsd !== null && <Meter value={today.spentUsd} limit={today.limitUsd} warn={today.warnUsd} />}
    </Link>
  );
}
