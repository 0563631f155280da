import { serveTasks } from "../measure/serve-tasks.ts";
import { contestantNamed } from "./contestants/index.ts";
import { createFolder, removeFolder } from "./folder.ts";
import { type Measurement, runOnce, type Task } from "./run-once.ts";

// One process for each contestant, so that none pays for the garbage and the types of another.
await serveTasks<Task, Measurement>(async () => {
  const { load, jsonBytes } = contestantNamed(process.argv[2]);
  const open = await load();
  return async (task) => {
    const folder = createFolder();
    try {
      return await runOnce(open, { ...task, folder, jsonBytes });
    } finally {
      removeFolder(folder);
    }
  };
});
