import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isTokenValid } from "../api/token.ts";
import { Announcer } from "./announcer.tsx";
import { ConnectionStrip } from "./connection-strip.tsx";
import { openDialog } from "./dialogs.ts";
import { type Shortcut, useShortcuts } from "./keys.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { NewRunDialog } from "./new-run-dialog.tsx";
import { overview, useOverviewUpdates } from "./overview.ts";
import { Link, location, navigate } from "./router.tsx";
import { SearchDialog } from "./search-dialog.tsx";
import { sitePageAt, sitePages } from "./site-map.ts";
import { useWindowTitle } from "./title.ts";
import { TokenPage } from "./token-page.tsx";
import { TopBar } from "./top-bar.tsx";

/** The frame of every page: the bar at the top, and the page below it. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { path } = location.value;
  const dialog = openDialog.value;
  const main = useFocusOnNewPage(path);
  useOverviewUpdates();
  useWindowTitle(sitePageAt(path).name, overview.value?.waiting.length ?? 0);
  useShortcuts("Everywhere", frameShortcuts);
  if (!isTokenValid.value) return <TokenPage />;
  return (
    <>
      <Link
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault(); // the fragment belongs to the page
          main.current?.focus();
        }}
      >
        Skip to content
      </Link>
      <TopBar path={path} />
      <ConnectionStrip />
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <Announcer />
      {dialog === "search" && <SearchDialog />}
      {dialog === "keys" && <KeysDialog />}
      {dialog === "new-run" && <NewRunDialog />}
    </>
  );
}

const frameShortcuts: readonly Shortcut[] = [
  { keys: "?", label: "List of keys", action: () => showDialog("keys") },
  { keys: "Ctrl+k", label: "Search or jump", isGlobal: true, action: () => showDialog("search") },
  ...sitePages.map(({ key, name, path }) => ({
    keys: `g ${key}`,
    label: name,
    action: () => navigate(path),
  })),
];

function showDialog(dialog: "search" | "keys"): void {
  const isOtherOpen = document.querySelector("dialog[open]") !== null && openDialog.value !== dialog;
  if (isOtherOpen) return; // it may hold a half-written text
  openDialog.value = openDialog.value === dialog ? undefined : dialog;
}

/** Moves the focus to the content after a change of the page, so that reading continues there. */
function useFocusOnNewPage(path: string) {
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  return main;
}
