import { Option } from "commander";
import type { CommandDefinition } from "../command-definition.ts";
import type { ShowOptions } from "./show-command.ts";

/** `sheepdog show`. */
export const showDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("show")
    .description("show one run: turns, calls, costs, what the guardian did, and the plan of a director")
    .argument("[run]", "the id of a run, a session or a recording (rec_…), the beginning of an id, or last", "last")
    .option("--full", "show thinking, more of each output, and each repeated call")
    .addOption(new Option("--mermaid", "print only the plan of a director, as a Mermaid flowchart").conflicts("json"))
    .addOption(new Option("--web", "open the page of the run in the browser").conflicts(["json", "mermaid"]))
    .option("--json", "print one JSON document")
    .action(async (id: string, options: ShowOptions) => {
      const { showCommand } = await import("./show-command.ts");
      setExitCode(await showCommand(id, options, io));
    });
};
