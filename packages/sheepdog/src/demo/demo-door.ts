import type { Door } from "../door.ts";
import type { DemoOptions } from "./demo-command.ts";

/** `sheepdog demo`. */
export const demoDoor: Door = (program, { io, end }) => {
  program
    .command("demo")
    .description("watch the guardian at work on two recorded agents")
    .option("--fast", "do not pause between turns")
    .action(async (options: DemoOptions) => {
      const { demoCommand } = await import("./demo-command.ts");
      end(await demoCommand(options, io));
    });
};
