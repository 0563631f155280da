import { serve } from "../measure/serve.ts";
import { contestantOf } from "./contestants/index.ts";
import { freshFolder, removeFolder } from "./folder.ts";
import { type Order, playOnce, type Taken } from "./play-once.ts";

// One process for each contestant, so that nobody pays for the garbage and the types of another.
await serve<Order, Taken>(async () => {
  const contestant = contestantOf(process.argv[2]);
  const prepare = await contestant.open();
  return async (order) => {
    const folder = freshFolder();
    try {
      return await playOnce(prepare, { ...order, folder, jsonBytes: contestant.jsonBytes });
    } finally {
      removeFolder(folder);
    }
  };
});
