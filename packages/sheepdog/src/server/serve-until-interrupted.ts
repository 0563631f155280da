import { openStoresForReading } from "../compose/open-stores.ts";
import { exitCode } from "../exit-code.ts";
import { type Io, write, writeMessage } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { withStores } from "../saved-runs/with-stores.ts";
import { createCurrentStores } from "./current-stores.ts";
import { openBrowser } from "./open-browser.ts";
import { isLoopback } from "./security/allowed-hosts.ts";
import { createLoginCode } from "./security/credentials.ts";
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
  return withStores(io, async ({ home, logDir, stores: first }) => {
    const onProblem = (sentence: string) => void writeMessage(io, plainText(sentence)).catch(() => {});
    const stores = createCurrentStores(first, {
      path: home.database,
      open: async () => (await openStoresForReading(home, logDir)).stores,
      onProblem,
    });
    const context = createViewContext({ home, stores }, io, { recordings: options.recordings, onProblem });
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
      const { path = "/" } = options;
      await write(io.stdout, `${pageUrl(server.origin, { path, token })}\n`);
      if (io.stderr.isTTY === true) await writeMessage(io, options.purpose ?? pagesPurpose);
      if (!isLoopback(server.host))
        await writeMessage(io, "other machines can reach this server, and nothing it sends is encrypted");
      const loginCode = createLoginCode(token, Date.now());
      if (options.open) openBrowser(pageUrl(server.origin, { path, token: loginCode }), io.env);
      await interrupted;
    } finally {
      stopListening();
      await served.close();
      await stores.close();
    }
    return exitCode.done;
  });
}

/** The address of a page. The part after `#` is not sent to any server and not stored in logs. */
export function pageUrl(origin: string, { path, token }: { readonly path: string; readonly token: string }): string {
  return `${origin}${path}#token=${token}`;
}
