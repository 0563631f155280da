import type { Stores } from "../stores.ts";

/**
 * How often this process has each database open. Nothing else may read the files of a database that is open here:
 * closing such a file would release SQLite's locks on it.
 */
const openCounts = new Map<string, number>();

/** Whether this process has the database open. */
export function isOpenHere(path: string): boolean {
  return (openCounts.get(path) ?? 0) > 0;
}

/** Counts the database as open until the stores are closed. */
export function countAsOpen(path: string, stores: Stores): Stores {
  const add = (count: number) => openCounts.set(path, (openCounts.get(path) ?? 0) + count);
  add(1);
  let isOpen = true;
  const close = async () => {
    await stores.close();
    if (isOpen) add(-1);
    isOpen = false;
  };
  return { ...stores, close };
}
