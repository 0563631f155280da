import { DatabaseError, type RebuildReport, rebuildDatabase } from "@sheepdog/agent";
import { resolveLogFolder } from "../../compose/log-folder.ts";
import { loadConfig } from "../../config/load-config.ts";
import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { counted } from "../../render/terminal/amounts.ts";
import { plainText } from "../../render/terminal/plain-text.ts";

/** Rebuilds a damaged or missing database, and prints what the new one has and what is lost. */
export async function rebuildCommand(io: Io): Promise<number> {
  const home = resolveHome(io.env);
  const loaded = await loadConfig({ env: io.env, cwd: io.cwd, home });
  if (!loaded.ok) {
    for (const problem of loaded.problems) await writeMessage(io, plainText(problem));
    return exitCode.usage;
  }
  try {
    const report = await rebuildDatabase({ path: home.database, logDir: resolveLogFolder(loaded.config, home) });
    const lines = report === undefined ? [nothingToDo] : reportLines(report);
    await write(io.stdout, lines.map((line) => `${plainText(line)}\n`).join(""));
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await writeMessage(io, plainText(error.message));
    return exitCode.failed;
  }
}

const nothingToDo = "There is nothing to rebuild: the database is intact, or there was none. Nothing was changed.";

function reportLines(report: RebuildReport): readonly string[] {
  const { movedTo, sessions, runs, facts, runsFromLogs, lost, areAmountsLost } = report;
  return [
    `The database was rebuilt. It has ${counted(sessions, "session")} with ${counted(runs, "run")}, ` +
      `${runsFromLogs} of them from logs, and ${counted(facts, "fact")}.`,
    ...(movedTo === undefined ? [] : [`The old files are at ${movedTo}`]),
    ...lost.map((what) => `Lost: ${what}`),
    ...(areAmountsLost
      ? ["Amounts spent this month may be lost, too. To enter them: sheepdog cost --unconfirmed"]
      : []),
  ];
}
