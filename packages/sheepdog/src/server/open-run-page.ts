import { exitCode } from "../exit-code.ts";
import { resolveHome } from "../home.ts";
import { type Io, write } from "../io.ts";
import { openBrowser } from "./open-browser.ts";
import { hostInUrl, localHost } from "./security/allowed-hosts.ts";
import { createLoginCode } from "./security/credentials.ts";
import { pageUrl, serveUntilInterrupted } from "./serve-until-interrupted.ts";
import { openServerFile, type ServerEntry } from "./server-file.ts";

const answerMs = 2_000;

/** Prints and opens the page of a run, on a server that runs already, or else on a new one until it is interrupted. */
export async function openRunPage(runId: string, io: Io): Promise<number> {
  const path = `/runs/${runId}`;
  const running = await openServerFile(resolveHome(io.env)).running();
  for (const entry of running) {
    const origin = `http://${hostInUrl(localHost(entry.host))}:${entry.port}`;
    if (!(await isAnswering(origin, entry))) continue;
    await write(io.stdout, `${pageUrl(origin, { path, token: entry.token })}\n`);
    openBrowser(pageUrl(origin, { path, token: createLoginCode(entry.token, Date.now()) }), io.env);
    return exitCode.done;
  }
  const purpose =
    "no server was running, so this command serves the page; Ctrl-C ends it, and runs continue without it";
  return serveUntilInterrupted(io, { open: true, path, purpose });
}

/** Whether the server of an entry still accepts its token. */
async function isAnswering(origin: string, { token }: ServerEntry): Promise<boolean> {
  try {
    const { status } = await fetch(`${origin}/api/openapi.json`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(answerMs),
    });
    return status === 200;
  } catch {
    return false; // its process hangs, or another process has its id
  }
}
