import { clock } from "../format/times.ts";
import { useNow } from "../parts/use-now.ts";
import { connection, stream } from "./live.ts";

/** Says that the page is not live, below the top bar. Nothing is hidden meanwhile. */
export function ConnectionStrip() {
  const state = connection.value;
  const now = useNow(state.type === "lost" ? 500 : undefined);
  const secondsLeft = state.type === "lost" ? Math.max(0, Math.ceil((state.retryAt - now) / 1_000)) : 0;
  return (
    <section class="strip" aria-label="Connection" hidden={state.type !== "lost"}>
      <span role="status">{state.type === "lost" && `Not connected since ${clock(state.since)}.`}</span>
      <span>{secondsLeft === 0 ? "Trying again." : `Trying again in ${secondsLeft} s.`}</span>
      <span>What you see is not live.</span>
      <button class="btn small quiet" type="button" onClick={() => stream.value?.retry()}>
        Try now
      </button>
    </section>
  );
}
