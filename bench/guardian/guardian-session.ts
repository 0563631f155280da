import { createGuardian, type Digest, type Guardian } from "../../packages/guardian/dist/index.js";
import type { Contestant } from "../measure/rounds.ts";
import type { Input } from "./input.ts";

/** A guardian in one long session, one call a turn. `results: "ignored"` hides the results, as peers ignore them. */
export function guardianContestant(
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

/** A guardian and its session. */
export interface Session {
  readonly guardian: Guardian;
  /** Reports a call and its result to the guardian, as one turn. */
  call(input: Input): void;
}

/** Starts a session. It throws when the guardian refuses a call, because a refused call costs nothing. */
export function startSession(digest: Digest | undefined): Session {
  let at = Date.UTC(2026, 0, 1);
  let calls = 0;
  const guardian = createGuardian({ now: () => (at += 500), ...(digest === undefined ? {} : { digest }) });
  return {
    guardian,
    call({ tool, args, result }) {
      const id = `call_${calls++}`;
      const decision = guardian.beforeCall({ id, tool, args });
      if (!decision.allow)
        throw new Error(`Expected the guardian to allow call ${calls} with new content; got: ${decision.message}`);
      guardian.afterCall(id, { status: "ok", content: result });
      guardian.endTurn();
    },
  };
}
