import { useMemo, useState } from "preact/hooks";
import { post } from "../../../api/client.ts";
import { useShortcuts } from "../../../app/keys.ts";
import type { InterventionView, RunDetail } from "../../../contract/index.ts";
import { CommandNote } from "../../../parts/command-note.tsx";
import { Icon } from "../../../parts/icon.tsx";
import { useCommand } from "../../../parts/use-command.ts";
import { isSameMute, type MuteTarget, mutesAbout, mutesIn, muteWords, type SentMute } from "../model/mutes.ts";
import type { RunModel } from "../model/run-model.ts";

interface MuteSectionProps {
  readonly view: InterventionView;
  readonly detail: RunDetail;
  readonly model: RunModel;
}

/** Mutes the detector of an intervention in a live run, and lifts the mutes that are in force. */
export function MuteSection({ view, detail, model }: MuteSectionProps) {
  const { isSending, result, send } = useCommand();
  const isLive = detail.accepts.includes("mute");
  const muted = useMutes(detail.run.id, model);
  const about = mutesAbout(muted.mutes, view);
  const isMuted = (choice: MuteTarget) => about.some((mute) => isSameMute(mute, choice));
  const choices: readonly MuteTarget[] = [
    { episode: view.episode },
    ...(view.tool === null ? [] : [{ detector: view.detector, tool: view.tool }]),
    { detector: view.detector },
  ];
  const change = async (type: "mute" | "unmute", target: MuteTarget) => {
    const sent = await send(() => post("command", { type, ...target }, { params: { id: detail.run.id } }));
    if (sent?.isDone === true) muted.note(type === "mute", target);
  };
  useShortcuts(
    "Intervention",
    isLive ? [{ keys: "m", label: "Mute, then choose for what", action: focusFirstChoice }] : [],
  );
  if (!isLive) return null;
  return (
    <>
      <h3 class="next">Mute {view.detector} for</h3>
      <div class="set" id="mute-choices">
        {choices.map((target, index) => (
          <button
            key={muteWords(target)}
            type="button"
            class="btn small"
            disabled={isSending || isMuted(target)} // in its place, so that a second press mutes nothing else
            onClick={() => void change("mute", target)}
          >
            {index === 0 && <Icon name="mute" />}
            {muteWords(target)}
          </button>
        ))}
      </div>
      {about.map((mute) => (
        <p key={muteWords(mute)} class="muted-now">
          <Icon name="mute" />
          <span class="grow">Muted for {muteWords(mute)}.</span>
          <button type="button" class="btn small" disabled={isSending} onClick={() => void change("unmute", mute)}>
            Unmute
          </button>
        </p>
      ))}
      {about.length > 0 && detail.run.waitsFor === "question" && (
        <p class="faint">The question that is open stays: it waits for your answer.</p>
      )}
      <CommandNote result={result} />
    </>
  );
}

function focusFirstChoice(): void {
  document.querySelector<HTMLElement>("#mute-choices button:enabled")?.focus();
}

/** The mutes in force. Those that this tab has sent are kept for its reloads, until their events are saved. */
function useMutes(runId: string, model: RunModel) {
  const key = `sheepdog.mutes.${runId}`;
  const [sent, setSent] = useState<readonly SentMute[]>(() => readSent(key));
  const mutes = useMemo(() => mutesIn(model.events, sent), [model, model.lastSeq, sent]);
  const note = (isMuted: boolean, target: MuteTarget) => {
    const next = [...sent, { isMuted, target, afterSeq: model.lastSeq }];
    setSent(next);
    window.sessionStorage.setItem(key, JSON.stringify(next));
  };
  return { mutes, note };
}

function readSent(key: string): readonly SentMute[] {
  return JSON.parse(window.sessionStorage.getItem(key) ?? "[]") as readonly SentMute[]; // only this page writes it
}
