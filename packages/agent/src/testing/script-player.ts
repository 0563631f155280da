import { checkTurn } from "./check-turn.ts";
import type { AfterLast, Script, ScriptedRequest, ScriptedTurn, TurnFor } from "./script.ts";

/** Returns the turn that answers a request. */
export type ScriptPlayer<Request extends ScriptedRequest> = (request: Request) => Promise<ScriptedTurn>;

/** Creates a player of a script: request number `index` gets turn number `index`. */
export function createScriptPlayer<Request extends ScriptedRequest>(
  script: Script<Request>,
  afterLast: AfterLast<Request>,
): ScriptPlayer<Request> {
  script.forEach((turn, index) => {
    if (typeof turn !== "function") checkTurn(turn, index);
  });
  return async (request) => {
    const turn = await resolve(turnAt(script, afterLast, request.index), request);
    checkTurn(turn, request.index);
    return turn;
  };
}

function turnAt<Request extends ScriptedRequest>(
  script: Script<Request>,
  afterLast: AfterLast<Request>,
  index: number,
): TurnFor<Request> {
  const turn = script[index];
  if (turn !== undefined) return turn;
  if (afterLast !== "error") return afterLast;
  throw new Error(
    `The script has ${script.length} turns, and this is request ${index + 1}. ` +
      'Add a turn, or set "afterLast" to the turn for all further requests.',
  );
}

async function resolve<Request extends ScriptedRequest>(
  turn: TurnFor<Request>,
  request: Request,
): Promise<ScriptedTurn> {
  return typeof turn === "function" ? turn(request) : turn;
}
