import { createRedact } from "@sheepdog/agent";
import { secretsInEnvironment } from "./compose/secret-values.ts";
import type { Io } from "./io.ts";
import { plainText } from "./render/terminal/plain-text.ts";

const bugHint = "\n(This is a bug in Sheepdog. Set DEBUG=sheepdog to see where it happened.)";

/** Describes an error that no command handled: a database that cannot be opened, or a bug. */
export function describeUnexpectedError(error: unknown, { env }: Pick<Io, "env">): string {
  const { message = String(error), name, stack } = error instanceof Error ? error : {};
  const isDebugging = env["DEBUG"]?.split(",").includes("sheepdog") ?? false;
  const hint = name === "DatabaseError" ? "" : bugHint;
  const details = isDebugging ? `\n${stack}` : hint;
  const redact = createRedact(knownSecrets(env));
  return redact(`${message}${details}`).split("\n").map(plainText).join("\n");
}

/** The environment may be the cause of the error. */
function knownSecrets(env: Io["env"]): readonly string[] {
  try {
    return secretsInEnvironment(env);
  } catch {
    return [];
  }
}
