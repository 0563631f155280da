import { createGuardian, type Digest, type Guardian } from "../../packages/guardian/dist/index.js";
import type { Contestant } from "../measure/rounds.ts";
import type { Input } from "./input.ts";

/** A guardian in one long session, one call a turn. `results: "ignored"` hides the results from it, as peers do that look at calls only. */
export function guarded(
  name: string,
  options: { readonly digest?: Digest; readonly results: "seen" | "ignored" },
): Contestant<Input> {
  const session = startSession(options.digest);
  return {
    name,
    run(batch) {
      for (const input of batch) session.call(options.results === "seen" ? input : { ...input, result: "" });
    },
  };
}

/** A guardian and the calls it was told of. */
export interface Session {
  readonly guardian: Guardian;
  call(input: Input): void;
}

/** Starts a guardian that is fed one call a turn, and holds it to letting all of them through: a refused call would cost nothing. */
export function startSession(digest: Digest | undefined): Session {
  let at = Date.UTC(2026, 0, 1);
  let calls = 0;
  const guardian = createGuardian({ now: () => (at += 500), ...(digest === undefined ? {} : { digest }) });
  return {
    guardian,
    call({ tool, args, result }) {
      const id = `call_${calls++}`;
      const verdict = guardian.beforeCall({ id, tool, args });
      if (!verdict.allow)
        throw new Error(`Expected the guardian to allow call ${calls} of fresh content; it said: ${verdict.message}`);
      guardian.afterCall(id, { status: "ok", content: result });
      guardian.endTurn();
    },
  };
}
