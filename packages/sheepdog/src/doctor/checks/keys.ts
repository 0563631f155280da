import { keyVariable, knownProviders } from "../../compose/provider/known-providers.ts";
import { type Check, ok, warn } from "../finding.ts";

/** Lists the keys in the environment by the names of their variables. Never prints a character of a key. */
export const keysCheck: Check = {
  name: "keys",
  async run({ io: { env } }) {
    const variables = knownProviders.map((known) => keyVariable(known, env)).filter((name) => name !== undefined);
    if (variables.length === 0) return [ok("No key is set.")];
    const suspicious = variables.filter((name) => /[^\x21-\x7e]/.test((env[name] ?? "").trim()));
    return [
      ok(`Set: ${variables.join(", ")}.`),
      ...suspicious.map((name) =>
        warn(`${name} contains characters that no key has, such as a space or a line break.`, "Copy the key again."),
      ),
    ];
  },
};
