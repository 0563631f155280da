import { serveTasks } from "../threads/serve-tasks.ts";
import { type ThreadProgram, threadProgram } from "../threads/work-thread.ts";
import { performReadTask } from "./read-task.ts";

const marker = "sheepdog-read";

serveTasks(marker, performReadTask);

/** This module as the program of a thread: also after it was bundled. */
export const readProgram: ThreadProgram | undefined = threadProgram(import.meta.url, marker);
