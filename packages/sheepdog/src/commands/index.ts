import { analyzeDoor } from "./analyze/definition.ts";
import { budgetDoor } from "./budget/definition.ts";
import { chatDoor } from "./chat/definition.ts";
import type { Door } from "./command-definition.ts";
import { completionDoor } from "./completion/definition.ts";
import { configDoor } from "./config/definition.ts";
import { costDoor } from "./cost/definition.ts";
import { demoDoor } from "./demo/definition.ts";
import { doctorDoor } from "./doctor/definition.ts";
import { initDoor } from "./init/definition.ts";
import { memoryDoor } from "./memory/definition.ts";
import { pruneDoor } from "./prune/definition.ts";
import { runDoor } from "./run/definition.ts";
import { runsDoor } from "./runs/definition.ts";
import { showDoor } from "./show/definition.ts";
import { stopDoor } from "./stop/definition.ts";

/** The commands by what they are for, in the order help lists them. */
export const doors: Readonly<Record<string, readonly Door[]>> = {
  "Run an agent": [demoDoor, runDoor, chatDoor, stopDoor],
  "Look back": [runsDoor, showDoor, analyzeDoor],
  Money: [costDoor, budgetDoor],
  "Set-up": [initDoor, doctorDoor, configDoor, memoryDoor, pruneDoor, completionDoor],
};
