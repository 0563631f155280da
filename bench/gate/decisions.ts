import { bigScript, deepSubstitutions } from "../../packages/agent/test/gate/large-scripts.ts";
import { readCorpus } from "../../packages/agent/test/gate/read-corpus.ts";
import { createWorkspaceFixture } from "../../packages/agent/test/gate/workspace-fixture.ts";
import { type AsyncContestant, runAsyncRounds } from "../measure/async-rounds.ts";
import { baselineName, baselineRoot, oursName, ownRoot } from "../measure/baseline.ts";
import { type Row, row } from "../measure/row.ts";
import { gateContestant, parserContestant } from "./contestants.ts";

/** Microseconds of processor time for each command. */
export interface DecisionCost {
  readonly what: string;
  readonly parsing: number;
  readonly deciding: number;
}

interface Measured {
  readonly rows: readonly Row[];
  readonly costs: readonly DecisionCost[];
}

const parserName = "parsing alone";

/** The commands of each row, how often a round repeats them, and the goal against parsing alone. */
const inputs = [
  { what: "everyday commands", commands: commandsOf("everyday"), rounds: 30, goal: 100 },
  { what: "dangerous commands", commands: commandsOf("dangerous"), rounds: 20 },
  { what: "a script of 150 kB", commands: [bigScript], rounds: 10 },
  { what: "3,000 nested substitutions", commands: [deepSubstitutions("ls")], rounds: 10 },
] as const;

/** The cost of a decision against parsing the command only, and against the other build if there is one. */
export async function measureDecisions(): Promise<Measured> {
  const fixture = createWorkspaceFixture();
  try {
    const contestants: AsyncContestant[] = [
      await parserContestant(parserName),
      await gateContestant(oursName, ownRoot, fixture.workspace),
    ];
    if (baselineRoot !== undefined)
      contestants.push(await gateContestant(baselineName, baselineRoot, fixture.workspace));
    const measured: Measured[] = [];
    for (const input of inputs) measured.push(await measureInput(contestants, input));
    return { rows: measured.flatMap(({ rows }) => rows), costs: measured.flatMap(({ costs }) => costs) };
  } finally {
    fixture.remove();
  }
}

interface Input {
  readonly what: string;
  readonly commands: readonly string[];
  readonly rounds: number;
  readonly goal?: number;
}

async function measureInput(contestants: readonly AsyncContestant[], input: Input): Promise<Measured> {
  const { what, commands, rounds, goal } = input;
  const times = await runAsyncRounds({ contestants, warmUps: 3, rounds, inputs: commands });
  const toBaseline =
    baselineRoot === undefined ? [] : [row(`deciding, ${what}`, baselineName, times.ratio(oursName, baselineName))];
  return {
    rows: [row(`deciding, ${what}`, parserName, times.ratio(oursName, parserName), goal), ...toBaseline],
    costs: [{ what, parsing: times.micros(parserName), deciding: times.micros(oursName) }],
  };
}

function commandsOf(folder: "everyday" | "dangerous"): readonly string[] {
  return readCorpus(folder).map(({ command }) => command);
}
