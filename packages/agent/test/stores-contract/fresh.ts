import { afterEach, beforeEach } from "vitest";
import type { Stores } from "../../src/stores/stores.ts";
import type { OpenedStores } from "../stores-contract.ts";

/** Opens empty stores before each test of the surrounding suite. */
export function freshStores(open: () => Promise<OpenedStores>): () => Stores {
  let opened: OpenedStores | undefined;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened?.close());
  return () => {
    if (opened === undefined) throw new Error("Expected to be called in a test.");
    return opened.stores;
  };
}
