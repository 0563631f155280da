import type { Check } from "../finding.ts";
import { attachedAgentsCheck } from "./attached-agents.ts";
import { channelsCheck } from "./channels.ts";
import { clockCheck } from "./clock.ts";
import { configurationCheck } from "./configuration.ts";
import { databaseCheck } from "./database.ts";
import { diskCheck } from "./disk.ts";
import { homeFolderCheck } from "./home-folder.ts";
import { keysCheck } from "./keys.ts";
import { logsCheck } from "./logs.ts";
import { mcpCheck } from "./mcp.ts";
import { modelCheck } from "./model.ts";
import { nodeCheck } from "./node.ts";
import { openTelemetryCheck } from "./opentelemetry.ts";
import { pricesCheck } from "./prices.ts";
import { programsCheck } from "./programs.ts";
import { providerCheck } from "./provider.ts";
import { runsCheck } from "./runs.ts";
import { sandboxCheck } from "./sandbox.ts";
import { terminalCheck } from "./terminal.ts";

/** All checks, in the order of the output. */
export const checks: readonly Check[] = [
  nodeCheck,
  configurationCheck,
  homeFolderCheck,
  diskCheck,
  databaseCheck,
  logsCheck,
  keysCheck,
  modelCheck,
  providerCheck,
  pricesCheck,
  openTelemetryCheck,
  channelsCheck,
  programsCheck,
  sandboxCheck,
  mcpCheck,
  attachedAgentsCheck,
  terminalCheck,
  clockCheck,
  runsCheck,
];
