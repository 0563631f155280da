import type { Stores } from "@sheepdog/agent";
import { exitCode } from "../../exit-code.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { jsonText } from "../../render/terminal/json-text.ts";
import { columnsOf, styleFor } from "../../render/terminal/style.ts";
import type { Item } from "../../render/timeline/item.ts";
import { keptItems } from "../../render/timeline/kept-items.ts";
import { marksFor } from "../../render/timeline/marks.ts";
import { findRun } from "../../saved-runs/find-run.ts";
import type { ResumeContext } from "../../saved-runs/resume-command.ts";
import type { RunSummary } from "../../saved-runs/run-summary.ts";
import { withStores } from "../../saved-runs/with-stores.ts";
import { countedCalls, heedOf, toldOf } from "./notice-effect.ts";
import { showDocument } from "./show-document.ts";
import { type Shown, showText } from "./show-text.ts";
import { turnCosts } from "./turn-costs.ts";

export interface ShowOptions {
  readonly json?: boolean;
  readonly full?: boolean;
}

/** Tells one run from its prompt to its end. */
export async function showCommand(id: string, { json = false, full = false }: ShowOptions, io: Io): Promise<number> {
  return withStores(io, async ({ stores, config }) => {
    const found = await findRun(stores, id, Date.now());
    if (!found.ok) {
      await writeMessage(io, found.problem);
      return exitCode.usage;
    }
    const shown = await shownOf(stores, found.summary, { cwd: io.cwd, config });
    if (json) await write(io.stdout, `${jsonText(showDocument(shown))}\n`);
    else {
      const frame = {
        style: styleFor(io.stdout, io.env),
        width: columnsOf(io.stdout, io.env),
        marks: marksFor(io.env),
        isFull: full,
      };
      await write(io.stdout, `${showText(shown, frame).join("\n")}\n`);
    }
    return exitCode.done;
  });
}

async function shownOf(stores: Stores, kept: RunSummary, here: ResumeContext): Promise<Shown> {
  const { sessionId, run } = kept;
  const saved = await stores.sessions.load(sessionId);
  const events = await stores.events.after(sessionId, 0);
  const calls = countedCalls(saved.messages);
  const told = toldOf(events, run.runId, calls);
  return {
    kept,
    here,
    items: keptItems(saved, events, run.runId).map((item) => withSubAgents(item, kept)),
    costs: turnCosts(events, run.runId),
    calls,
    heedOf: (intervention) => heedOf(intervention, told),
  };
}

/** As the books have it: an end that was told may know less. */
function withSubAgents(item: Item, { subagents, costNanoUsd }: RunSummary): Item {
  return item.type !== "end" || subagents.length === 0
    ? item
    : { ...item, result: { ...item.result, costWithSubagentsNanoUsd: costNanoUsd } };
}
