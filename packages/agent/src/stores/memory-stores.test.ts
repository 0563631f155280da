import { storesContract } from "../../test/stores-contract.ts";
import { memoryStores } from "./memory-stores.ts";

storesContract("memory", async () => ({ stores: memoryStores(), close: async () => undefined }));
