import { serveTasks } from "../../../look-back/threads/serve-tasks.ts";
import { type ThreadProgram, threadProgram } from "../../../look-back/threads/work-thread.ts";
import { performTask } from "./analysis-task.ts";

const marker = "sheepdog-analysis";

serveTasks(marker, performTask);

/** This module as the program of a thread: also after it was bundled. */
export const analysisProgram: ThreadProgram | undefined = threadProgram(import.meta.url, marker);
