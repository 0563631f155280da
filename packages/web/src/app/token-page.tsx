import { overview } from "./overview.ts";

/** Shown instead of everything else when the server does not accept the cookie of the page. */
export function TokenPage() {
  return (
    <main id="main" class="alone">
      <h1>This page has no valid token.</h1>
      <p>
        Run <code>{overview.value?.program ?? "sheepdog"} serve</code> again and open the address it prints.
      </p>
    </main>
  );
}
