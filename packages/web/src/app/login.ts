import { post } from "../api/client.ts";

/**
 * Trades the token in the fragment of the address for a cookie, and removes it from the address, so that it stays
 * neither in the history of the browser nor in a copied link. Resolves with a sentence if that fails.
 */
export async function logIn(): Promise<string | undefined> {
  const token = new URLSearchParams(window.location.hash.slice(1)).get("token");
  if (token === null) return undefined;
  const { pathname, search } = window.location;
  window.history.replaceState(null, "", `${pathname}${search}`);
  try {
    await post("login", { token });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
