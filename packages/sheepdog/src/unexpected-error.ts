import { redactSecrets } from "@sheepdog/guardian";
import type { Io } from "./io.ts";
import { plainText } from "./render/terminal/plain-text.ts";

/** What no command has made a sentence of: a database that cannot be had, or a mistake of ours. Where it happened is for those who ask. */
export function describeUnexpectedError(error: unknown, { env }: Pick<Io, "env">): string {
  const { message = String(error), name, stack } = error instanceof Error ? error : {};
  const isDebugging = env["DEBUG"]?.split(",").includes("sheepdog") ?? false;
  const more = isDebugging
    ? `\n${stack}`
    : name === "DatabaseError"
      ? ""
      : "\n(This should not have happened; DEBUG=sheepdog shows where it did.)";
  return redactSecrets(`${message}${more}`).split("\n").map(plainText).join("\n");
}
