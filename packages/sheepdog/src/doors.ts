import { analyzeDoor } from "./analyze/analyze-door.ts";
import { demoDoor } from "./demo/demo-door.ts";
import type { Door } from "./door.ts";

/** The commands, in the order help lists them. */
export const doors: readonly Door[] = [demoDoor, analyzeDoor];
