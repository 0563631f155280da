import { useState } from "preact/hooks";
import { post } from "../../../api/client.ts";
import { Link } from "../../../app/router.tsx";
import type { InterventionView, RunDetail } from "../../../contract/index.ts";
import { CommandNote } from "../../../parts/command-note.tsx";
import { CopyLine } from "../../../parts/copy-line.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { levelIcons } from "../../../parts/level-mark.tsx";
import { useCommand } from "../../../parts/use-command.ts";
import type { RunModel } from "../model/run-model.ts";
import { MuteSection } from "./mute-section.tsx";

interface JudgeSectionProps {
  readonly view: InterventionView;
  readonly detail: RunDetail;
  readonly model: RunModel;
  readonly onChanged: () => void;
}

/** The user's judgement about an intervention, the mute, and the rungs. */
export function JudgeSection({ view, detail, model, onChanged }: JudgeSectionProps) {
  const judgement = useCommand();
  const [isRight, setRight] = useState(view.isRight);
  const params = { id: detail.run.id };
  const judge = async (value: boolean) => {
    const next = isRight === value ? null : value;
    setRight(next);
    const sent = await judgement.send(() => post("judgement", { interventionId: view.id, isRight: next }, { params }));
    if (sent?.isDone !== true) setRight(view.isRight);
    onChanged();
  };
  if (view.isLimit && detail.run.kind === "recording") return null;
  return (
    <section>
      {detail.run.kind === "run" && (
        <>
          <h3>Was this right?</h3>
          <div class="set">
            <button
              type="button"
              class="btn small"
              aria-pressed={isRight === true}
              disabled={judgement.isSending}
              onClick={() => void judge(true)}
            >
              <Icon name="check" />
              {view.isLimit ? "Yes" : "Yes, it was stuck"}
            </button>
            <button
              type="button"
              class="btn small"
              aria-pressed={isRight === false}
              disabled={judgement.isSending}
              onClick={() => void judge(false)}
            >
              <Icon name="x" />
              {view.isLimit ? "No" : "No, it was working"}
            </button>
            <CommandNote result={judgement.result?.isDone === false ? judgement.result : undefined} />
          </div>
        </>
      )}
      {!view.isLimit && <MuteSection view={view} detail={detail} model={model} />}
      {!view.isLimit && <Rungs view={view} detail={detail} />}
    </section>
  );
}

const levels = ["hint", "warn", "block", "halt"] as const;

/** The rungs in force, and the lines of the configuration that change them. */
function Rungs({ view, detail }: Pick<JudgeSectionProps, "view" | "detail">) {
  const rungs = detail.rungs[view.detector];
  if (rungs === undefined) return null;
  const set = levels.filter((level) => rungs[level] > 0);
  const line = `${view.detector} = { ${set.map((level) => `${level} = ${rungs[level]}`).join(", ")} }`;
  const text = `[agent.guardian.detectors]\n${line}`;
  return (
    <details class="fold rungs-fold">
      <summary>
        <Icon name="chev" class="chev" />
        <b>Adjust</b>
        <span class="faint">from {set.map((level) => rungs[level]).join(", ")} equal calls on</span>
      </summary>
      <ul class="rungs">
        {levels.map((level) => (
          <li>
            <span class={`lvl ${level}`}>
              <Icon name={levelIcons[level]} />
              {level}
            </span>
            <b>{rungs[level] > 0 ? rungs[level] : "off"}</b>
          </li>
        ))}
      </ul>
      <p class="muted">
        To change when it acts, or to mute it in later runs with <code>{view.detector} = "off"</code>, put this into
        your configuration:
      </p>
      <CopyLine text={text} name="Copy these lines" />
      <Link class="btn quiet small" href="/findings">
        See what that changes
      </Link>
    </details>
  );
}
