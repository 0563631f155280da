import { analyzeDoor } from "./analyze/analyze-door.ts";
import { budgetDoor } from "./budget/budget-door.ts";
import { chatDoor } from "./chat/chat-door.ts";
import { completionDoor } from "./completion/completion-door.ts";
import { configDoor } from "./config/config-door.ts";
import { costDoor } from "./cost/cost-door.ts";
import { demoDoor } from "./demo/demo-door.ts";
import { doctorDoor } from "./doctor/doctor-door.ts";
import type { Door } from "./door.ts";
import { initDoor } from "./init/init-door.ts";
import { memoryDoor } from "./memory/memory-door.ts";
import { stopDoor } from "./orders/stop-door.ts";
import { pruneDoor } from "./prune/prune-door.ts";
import { runDoor } from "./run/run-door.ts";
import { runsDoor } from "./runs/runs-door.ts";
import { showDoor } from "./show/show-door.ts";

/** The commands by what they are for, in the order help lists them. */
export const doors: Readonly<Record<string, readonly Door[]>> = {
  "Run an agent": [demoDoor, runDoor, chatDoor, stopDoor],
  "Look back": [runsDoor, showDoor, analyzeDoor],
  Money: [costDoor, budgetDoor],
  "Set-up": [initDoor, doctorDoor, configDoor, memoryDoor, pruneDoor, completionDoor],
};
