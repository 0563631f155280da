import { randomUUID } from "node:crypto";
import { readChannels, targetOf } from "../../../channels/channel-settings.ts";
import { createDeliveryStarter } from "../../../channels/delivery/start-delivery.ts";
import type { Notice } from "../../../channels/notice.ts";
import { addToOutbox } from "../../../channels/outbox.ts";
import type { NoticeKind } from "../../../config/channel-keys.ts";
import { type Io, ringBell } from "../../../io.ts";
import type { SeenIntervention } from "../../../look-back/watch-recordings.ts";
import { plainText } from "../../../render/terminal/plain-text.ts";
import { isLimit } from "../../../render/timeline/is-limit.ts";
import { firstSentenceText } from "../../../sentences/first-sentence.ts";
import { plainSentence } from "../../../sentences/say.ts";
import type { LookBackInput } from "../look-back-input.ts";

export interface AnnouncerOptions {
  readonly io: Io;
  readonly bell?: boolean;
  readonly channels?: boolean;
}

/** Tells people about an intervention: by the bell from a warning on, and by the channels that want its kind. */
export function createAnnouncer(
  { config, home }: LookBackInput,
  { io, bell = true, channels: usesChannels = true }: AnnouncerOptions,
): (seen: SeenIntervention) => void {
  const { channels } = usesChannels ? readChannels(config, io.env) : { channels: [] };
  const startDelivery = createDeliveryStarter(home, channels, io.env);
  return (seen) => {
    if (bell && seen.level !== "hint") ringBell(io.stderr);
    const notice = noticeOf(seen);
    const wanting = channels.filter(({ type, events }) => type !== "bell" && events.includes(notice.kind));
    for (const channel of wanting) addToOutbox(home, { channel: targetOf(channel), notice });
    if (wanting.length > 0) startDelivery();
  };
}

function noticeOf({ run, detector, level, sentence }: SeenIntervention): Notice {
  const { costUsd } = run.report;
  return {
    id: `ntc_${randomUUID()}`,
    kind: kindOf(detector, level),
    at: Date.now(),
    run: {
      runId: run.id,
      sessionId: "",
      task: firstSentenceText(run.task ?? "", 100) || `a run of ${run.source}`,
      project: plainText(run.project ?? run.source).slice(0, 60),
    },
    sentence: `${plainText(plainSentence(sentence))}. The agent is not stopped: it runs without a guardian.`,
    details: [],
    ...(costUsd === null ? {} : { costNanoUsd: Math.round(costUsd * 1e9) }),
    command: `sheepdog show ${run.id}`,
  };
}

function kindOf(detector: SeenIntervention["detector"], level: SeenIntervention["level"]): NoticeKind {
  if (isLimit(detector)) return "budget";
  return level === "block" || level === "halt" ? "halt" : "hint";
}
