import { append, type CommandDefinition } from "../command-definition.ts";
import type { ServeCommandOptions } from "./serve-command.ts";

/** `sheepdog serve`. */
export const serveDefinition: CommandDefinition = (program, { io, setExitCode }) => {
  program
    .command("serve")
    .description("show runs, costs and findings in the browser, and steer runs from there")
    .option("-p, --port <n>", "the port; default: 4114, or the next free one")
    .option("--host <address>", "the address to listen on; default: 127.0.0.1")
    .option("--allow-remote", "allow an address that other machines can reach; nothing is encrypted")
    .option("--new-token", "log all browsers out")
    .option("--recordings <path>", "recordings of other agents to show: a file or a folder (repeatable)", append)
    .option("--no-open", "print the address only")
    .option("--openapi", "print the description of the HTTP API (OpenAPI 3.1) and exit")
    .action(async (options: ServeCommandOptions) => {
      const { serveCommand } = await import("./serve-command.ts");
      setExitCode(await serveCommand(options, io));
    });
};
