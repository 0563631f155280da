import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storesContract } from "../../../test/stores-contract.ts";
import { sqliteStores } from "./sqlite-stores.ts";

storesContract("SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stores-"));
  const stores = await sqliteStores({ path: join(folder, "state", "x.db") });
  const close = async () => {
    await stores.close();
    await rm(folder, { recursive: true });
  };
  return { stores, close };
});
