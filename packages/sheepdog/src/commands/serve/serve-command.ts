import { exitCode } from "../../exit-code.ts";
import { resolveHome } from "../../home.ts";
import { buildMark } from "../../hook/build-mark.ts";
import { startHookServer } from "../../hook/hook-server.ts";
import { type Io, write, writeMessage } from "../../io.ts";
import { packageVersion } from "../../package-version.ts";
import { openApiDocument } from "../../server/open-api.ts";
import { type ForegroundOptions, serveUntilInterrupted } from "../../server/serve-until-interrupted.ts";

/** The options of `sheepdog serve`. */
export interface ServeCommandOptions {
  readonly port?: string;
  readonly host?: string;
  readonly allowRemote?: true;
  readonly newToken?: true;
  readonly open: boolean;
  readonly openapi?: true;
  readonly recordings?: readonly string[];
}

/** Serves the user's runs until it is interrupted. */
export async function serveCommand(options: ServeCommandOptions, io: Io): Promise<number> {
  const { port, host, allowRemote = false, newToken = false, open, openapi, recordings = [] } = options;
  if (openapi) {
    await write(io.stdout, `${JSON.stringify(openApiDocument(packageVersion()), null, 2)}\n`);
    return exitCode.done;
  }
  if (port !== undefined && !isPort(port)) {
    await writeMessage(io, `"${port}" is not a port; it must be a number from 0 to 65535, and 0 is any free port`);
    return exitCode.usage;
  }
  const hooks = await startHookServer(resolveHome(io.env), buildMark());
  try {
    return await serveUntilInterrupted(io, foregroundOptions());
  } finally {
    await hooks?.close();
  }

  function foregroundOptions(): ForegroundOptions {
    return {
      ...(port === undefined ? {} : { port: Number(port) }),
      ...(host === undefined ? {} : { host }),
      allowRemote,
      newToken,
      open,
      recordings,
      onHook: async (request) => {
        const { receiveHook } = await import("./receive-hook.ts");
        return receiveHook(request, io);
      },
    };
  }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}
