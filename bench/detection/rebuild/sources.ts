import type { Source } from "./source.ts";
import { agentErrorBench } from "./sources/agent-error-bench.ts";
import { agentdojo } from "./sources/agentdojo.ts";
import { autoCodeRover } from "./sources/auto-code-rover.ts";
import { intercode } from "./sources/intercode.ts";
import { luna } from "./sources/luna.ts";
import { mastMagentic } from "./sources/mast-magentic.ts";
import { mastOpenManus } from "./sources/mast-openmanus.ts";
import { mlgym } from "./sources/mlgym.ts";
import { multiSweBench } from "./sources/multi-swe-bench.ts";
import { tauBench } from "./sources/tau-bench.ts";
import { tau2Bench } from "./sources/tau2-bench.ts";
import { terminalBench } from "./sources/terminal-bench.ts";
import { trail } from "./sources/trail.ts";
import { whoAndWhen } from "./sources/who-and-when.ts";

/** All sources, in the order in which they are rebuilt. */
export const sources: readonly Source[] = [
  agentdojo,
  agentErrorBench,
  autoCodeRover,
  intercode,
  luna,
  mastMagentic,
  mastOpenManus,
  mlgym,
  multiSweBench,
  tauBench,
  tau2Bench,
  terminalBench,
  trail,
  whoAndWhen,
];
