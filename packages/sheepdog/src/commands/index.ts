import { analyzeDefinition } from "./analyze/definition.ts";
import { attachDefinition } from "./attach/definition.ts";
import { auditDefinition } from "./audit/definition.ts";
import { budgetDefinition } from "./budget/definition.ts";
import { chatDefinition } from "./chat/definition.ts";
import type { CommandDefinition } from "./command-definition.ts";
import { completionDefinition } from "./completion/definition.ts";
import { configDefinition } from "./config/definition.ts";
import { costDefinition } from "./cost/definition.ts";
import { demoDefinition } from "./demo/definition.ts";
import { detachDefinition } from "./detach/definition.ts";
import { doctorDefinition } from "./doctor/definition.ts";
import { gateDefinition } from "./gate/definition.ts";
import { hookDefinition } from "./hook/definition.ts";
import { initDefinition } from "./init/definition.ts";
import { mcpDefinition } from "./mcp/definition.ts";
import { mcpProxyDefinition } from "./mcp-proxy/definition.ts";
import { mcpServerDefinition } from "./mcp-server/definition.ts";
import { memoryDefinition } from "./memory/definition.ts";
import { notifyDefinition } from "./notify/definition.ts";
import { pruneDefinition } from "./prune/definition.ts";
import { runDefinition } from "./run/definition.ts";
import { runsDefinition } from "./runs/definition.ts";
import { serveDefinition } from "./serve/definition.ts";
import { showDefinition } from "./show/definition.ts";
import { statusLineDefinition } from "./status-line/definition.ts";
import { stopDefinition } from "./stop/definition.ts";
import { watchDefinition } from "./watch/definition.ts";

/** The command definitions by purpose, in the order of the help. */
export const commandGroups: Readonly<Record<string, readonly CommandDefinition[]>> = {
  "Run an agent": [demoDefinition, runDefinition, chatDefinition, stopDefinition],
  "Look back": [serveDefinition, runsDefinition, showDefinition, auditDefinition, analyzeDefinition],
  "Watch other agents": [attachDefinition, detachDefinition, watchDefinition],
  Money: [costDefinition, budgetDefinition],
  "Set-up": [
    initDefinition,
    doctorDefinition,
    configDefinition,
    gateDefinition,
    mcpDefinition,
    mcpServerDefinition,
    mcpProxyDefinition,
    memoryDefinition,
    notifyDefinition,
    hookDefinition,
    statusLineDefinition,
    pruneDefinition,
    completionDefinition,
  ],
};
