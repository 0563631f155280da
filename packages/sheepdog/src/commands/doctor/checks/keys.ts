import { keyVariable, knownProviders } from "../../../compose/provider/known-providers.ts";
import { type Check, ok, warn } from "../finding.ts";

/** Which keys there are. Their names only: not a letter of a key is ever said. */
export const keysCheck: Check = {
  name: "keys",
  async run({ io: { env } }) {
    const variables = knownProviders.map((known) => keyVariable(known, env)).filter((name) => name !== undefined);
    if (variables.length === 0) return [ok("None is set.")];
    const odd = variables.filter((name) => /[^\x21-\x7e]/.test((env[name] ?? "").trim()));
    return [
      ok(`Set: ${variables.join(", ")}.`),
      ...odd.map((name) =>
        warn(
          `${name} holds characters that no key has (a space, a line break, a quote from a document?).`,
          "Copy it again.",
        ),
      ),
    ];
  },
};
