import { post } from "../../api/client.ts";
import { Link } from "../../app/router.tsx";
import type { RunRow } from "../../contract/index.ts";
import { copyText } from "../../parts/copy-text.ts";
import { Icon, type IconName } from "../../parts/icon.tsx";
import { sentenceText } from "../../parts/sentence.tsx";
import type { CommandState } from "../../parts/use-command.ts";
import { type RowAction, rowAction } from "./row-look.ts";

interface RowActionsProps {
  readonly run: RunRow;
  readonly sent: CommandState;
  /** Opens the field of an action that needs a text or a number. */
  readonly onOpen: (what: "steer" | "raise" | "fork") => void;
}

const looks: Readonly<Record<RowAction, { readonly icon: IconName; readonly text: string }>> = {
  answer: { icon: "chev", text: "Answer" },
  review: { icon: "eye", text: "Review" },
  steer: { icon: "send", text: "Steer" },
  raise: { icon: "raise", text: "Raise" },
  resume: { icon: "play", text: "Resume" },
  fork: { icon: "fork", text: "Fork" },
  look: { icon: "eye", text: "Look" },
};

/** The one action that fits the state of a run; and to stop it, or to copy the command that resumes it. */
export function RowActions({ run, sent, onOpen }: RowActionsProps) {
  const action = rowAction(run);
  const params = { id: run.id };
  const { icon, text } = looks[action];
  const label = `${text}: ${sentenceText(run.sentence)}`;
  const content = (
    <>
      <Icon name={icon} />
      <span class="txt">{text}</span>
    </>
  );
  const press = () => {
    if (action === "steer" || action === "raise" || action === "fork") onOpen(action);
    else if (action === "resume") void sent.send(() => post("resume", {}, { params }));
  };
  const address = { answer: `/feed#${run.id}`, review: `/feed#${run.id}`, look: `/runs/${encodeURIComponent(run.id)}` };
  return (
    <div class="acts">
      {action === "answer" || action === "review" || action === "look" ? (
        <Link class="btn small" href={address[action]} aria-label={label}>
          {content}
        </Link>
      ) : (
        <button class="btn small" type="button" aria-label={label} disabled={sent.isSending} onClick={press}>
          {content}
        </button>
      )}
      <SecondAction run={run} sent={sent} />
    </div>
  );
}

function SecondAction({ run, sent }: Omit<RowActionsProps, "onOpen">) {
  const { resumeCommand, resumeProblem } = run;
  if (run.isLive && run.kind === "run")
    return (
      <button
        class="btn small quiet danger desk"
        type="button"
        aria-label="Stop this run"
        title="Stop this run"
        disabled={sent.isSending}
        onClick={() => sent.send(() => post("command", { type: "stop" }, { params: { id: run.id } }))}
      >
        <Icon name="stop" />
      </button>
    );
  if (resumeCommand === null)
    return (
      <span class="btn small quiet desk unseen">
        <Icon name="copy" />
      </span>
    );
  return (
    <button
      class="btn small quiet desk"
      type="button"
      data-act="copy"
      aria-label="Copy the command that resumes this run"
      title={resumeCommand}
      onClick={async () => {
        const copied = await copyText(resumeCommand);
        sent.show({ ...copied, text: [copied.text, resumeProblem].filter((part) => part !== null).join(". ") });
      }}
    >
      <Icon name="copy" />
    </button>
  );
}
