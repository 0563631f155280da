import { exitCode } from "../exit-code.ts";
import { type Io, write, writeMessage } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { withStores } from "../saved-runs/with-stores.ts";
import { openBrowser } from "./open-browser.ts";
import { isLoopback } from "./security/allowed-hosts.ts";
import { createViewContext, type ServeOptions, serveHome } from "./serve-home.ts";

/** How `serve` and `show --web` start a server. */
export interface ForegroundOptions extends Omit<ServeOptions, "onProblem" | "program" | "pagesFolder"> {
  /** Whether to open a browser. */
  readonly open: boolean;
  /** Files and folders with recordings of other agents. */
  readonly recordings?: readonly string[];
  /** The page to open, such as `/runs/run_1`. */
  readonly path?: string;
  /** What is served and how it is ended, for a user at a terminal. */
  readonly purpose?: string;
}

const pagesPurpose =
  "this address shows your runs in the browser; Ctrl-C ends the server, and runs continue without it";

/** Serves the user's home until the process is interrupted, and returns the exit code. */
export async function serveUntilInterrupted(io: Io, options: ForegroundOptions): Promise<number> {
  return withStores(
    io,
    async (stores) => {
      const onProblem = (sentence: string) => void writeMessage(io, plainText(sentence)).catch(() => {});
      const context = createViewContext(stores, io, { recordings: options.recordings, onProblem });
      const served = await serveHome(context, { ...options, onProblem });
      if (!served.ok) {
        await writeMessage(io, plainText(served.problem));
        return exitCode.usage;
      }
      const { server, token } = served;
      let stopListening = () => {};
      const interrupted = new Promise<void>((resolve) => {
        stopListening = io.onInterrupt(() => resolve());
      });
      try {
        const url = pageUrl(server.origin, { path: options.path ?? "/", token });
        await write(io.stdout, `${url}\n`);
        if (io.stderr.isTTY === true) await writeMessage(io, options.purpose ?? pagesPurpose);
        if (!isLoopback(server.host))
          await writeMessage(io, "other machines can reach this server, and nothing it sends is encrypted");
        if (options.open) openBrowser(url, io.env);
        await interrupted;
      } finally {
        stopListening();
        await served.close();
      }
      return exitCode.done;
    },
    { createDatabase: true },
  );
}

/** The address of a page. The part after `#` is not sent to any server and not stored in logs. */
export function pageUrl(origin: string, { path, token }: { readonly path: string; readonly token: string }): string {
  return `${origin}${path}#token=${token}`;
}
