import type { Sandbox } from "../e2e/sandbox.ts";

/** A running `sheepdog serve`. */
export interface Served {
  /** The address that it prints, with the token. */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  /** An address of the same site with the token, for a first visit. */
  at(path: string): string;
  /** Ends it with a signal, and waits for its end. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the server of a sandbox, on a free port or on a given one. */
export async function serve(sandbox: Sandbox, { port = 0, args = [] as readonly string[] } = {}): Promise<Served> {
  const serving = sandbox.start(["serve", "--no-open", "--port", String(port), ...args]);
  let output = "";
  serving.child.stdout?.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  serving.child.stderr?.on("data", (chunk: Buffer) => {
    output += chunk.toString("utf8");
  });
  await serving.says("#token=");
  const [url = ""] = /http:\/\/\S+#token=\S+/.exec(output) ?? [];
  const { origin, port: usedPort, hash } = new URL(url);
  return {
    url,
    origin,
    port: Number(usedPort),
    at: (path) => `${origin}${path}${hash}`,
    async kill(signal = "SIGKILL") {
      serving.child.kill(signal);
      await serving.ended;
    },
  };
}
