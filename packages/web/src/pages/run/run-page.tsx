import { Link } from "../../app/router.tsx";
import { useTitle } from "../../app/title.ts";
import { FramePanel, Loaded } from "../../parts/loaded.tsx";
import { sentenceText } from "../../parts/sentence.tsx";
import { RunView } from "./components/run-view.tsx";
import { useRun } from "./use-run.ts";

/** The page of one run, `/runs/<id>`. */
export default function RunPage({ id }: { readonly id: string }) {
  const run = useRun(id);
  const { value, status } = run.detail;
  useTitle(value === undefined ? undefined : sentenceText(value.run.sentence));
  if (value === undefined && status === 404)
    return (
      <div class="panel empty">
        <h1>No run begins with “{id}”.</h1>
        <p>It may have been pruned.</p>
        <Link class="btn" href="/runs">
          All runs
        </Link>
      </div>
    );
  return (
    <Loaded document={run.detail} frame={<RunFrame />}>
      {(detail) => <RunView detail={detail} loaded={run} />}
    </Loaded>
  );
}

/** Grey lines in the layout of the page. */
function RunFrame() {
  return (
    <div class="run-frame">
      <FramePanel lines={2} />
      <FramePanel lines={6} height="430px" />
      <div class="cols">
        <FramePanel lines={8} />
        <FramePanel lines={6} />
      </div>
    </div>
  );
}
