import type { CommandDefinition } from "../command-definition.ts";
import type { DemoOptions } from "./demo-command.ts";

/** `sheepdog demo`. */
export const demoDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("demo")
    .description("watch two agents repeat themselves: one recovers, one is stopped")
    .option("--fast", "do not pause between turns")
    .option("--web", "then open the page of the second run in the browser")
    .action(async (options: DemoOptions) => {
      const { demoCommand } = await import("./demo-command.ts");
      setExitCode(await demoCommand(options, io));
    });
};
