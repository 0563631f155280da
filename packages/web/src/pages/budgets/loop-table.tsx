import { Link } from "../../app/router.tsx";
import type { Budgets } from "../../contract/index.ts";
import { counted, usd } from "../../format/amounts.ts";
import { Icon } from "../../parts/icon.tsx";
import { LevelMark } from "../../parts/level-mark.tsx";
import { loopAddress } from "./loop-address.ts";

type Loop = Budgets["loops"][number];

/** The dearest loops, each with a link to its first event. */
export function LoopTable({ loops }: { readonly loops: readonly Loop[] }) {
  return (
    <section class="panel" aria-labelledby="loops">
      <div class="phead">
        <h2 id="loops">What loops cost</h2>
        {loops.length > 0 && <p class="grow">the {counted(loops.length, "dearest one", "dearest")} of this time</p>}
      </div>
      {loops.length === 0 && <p class="muted pad">No run repeated itself in this time.</p>}
      {loops.length > 0 && (
        <table class="tbl">
          <thead>
            <tr>
              <th scope="col">What was repeated</th>
              <th scope="col" class="r">
                Times
              </th>
              <th scope="col" class="r">
                Cost
              </th>
              <th scope="col" class="r wide">
                Ended by
              </th>
            </tr>
          </thead>
          <tbody>
            {loops.map((loop) => (
              <tr key={`${loop.runId} ${loop.seq}`}>
                <td class="name">
                  <Link class="link" href={loopAddress(loop)}>
                    {loop.isCommand ? <code>{loop.what}</code> : loop.what}
                  </Link>
                </td>
                <td class="r num">×{loop.times}</td>
                <td class="r num">{usd(loop.usd)}</td>
                <td class="r wide">
                  <EndedBy endedBy={loop.endedBy} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function EndedBy({ endedBy }: Pick<Loop, "endedBy">) {
  switch (endedBy) {
    case "guardian":
      return <LevelMark level="halt" text="guardian" />;
    case "recovered":
      return <LevelMark level="recovered" text="recovered" />;
    case "limit":
      return <Quiet icon="limit" text="limit" />;
    case "user":
      return <Quiet icon="person" text="you" />;
    case "running":
      return (
        <span class="lvl">
          <span class="pulse" />
          still running
        </span>
      );
    case "run ended":
      return <span class="muted">end of the run</span>;
    default:
      return endedBy satisfies never;
  }
}

function Quiet({ icon, text }: { readonly icon: "limit" | "person"; readonly text: string }) {
  return (
    <span class="lvl quiet">
      <Icon name={icon} />
      {text}
    </span>
  );
}
