import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A package below bench/peers, which is installed by name: `node bench/install.mjs <name>`. */
export interface Peer {
  readonly isInstalled: boolean;
  /** For the name of a test that is skipped without it. */
  readonly hint: string;
  /** The URL of a file of its node_modules. */
  url(file: string): string;
}

export function peer(name: string): Peer {
  const modules = new URL(`../../../bench/peers/${name}/node_modules/`, import.meta.url);
  const isInstalled = existsSync(fileURLToPath(new URL(".installed-lock.json", modules)));
  const hint = isInstalled ? "" : ` (run: node bench/install.mjs ${name})`;
  return { isInstalled, hint, url: (file) => new URL(file, modules).href };
}
