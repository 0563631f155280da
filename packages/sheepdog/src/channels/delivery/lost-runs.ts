import type { Home } from "../../home.ts";
import { closeRequests } from "../answers/requests.ts";
import type { Notice } from "../notice.ts";
import { addToOutbox, removeQuestions } from "../outbox.ts";
import { isAlive, unwatchRun, type WatchedRun, watchedRuns } from "../watched-runs.ts";

/** Tells people about runs whose process was killed: nobody else can. Returns the runs that are alive. */
export function tellLostRuns(home: Home, isOurs: (account: string) => boolean, now: number): readonly WatchedRun[] {
  const watched = watchedRuns(home);
  for (const lost of watched.filter((each) => !isAlive(each))) {
    const channels = lost.channels.filter(({ events }) => events.includes("end"));
    if (!lost.channels.some(({ account }) => isOurs(account))) continue; // another process tells it
    unwatchRun(home, lost.run.runId);
    closeRequests(home, lost.run.runId);
    for (const { account } of lost.channels) removeQuestions(home, account, { runId: lost.run.runId });
    for (const channel of channels) addToOutbox(home, { channel, notice: lostNotice(lost, now) });
  }
  return watched.filter(isAlive);
}

function lostNotice({ run, command }: WatchedRun, at: number): Notice {
  return {
    id: `ntc_lost_${run.runId}`,
    kind: "end",
    at,
    run,
    sentence: `Its process ended before it was done: ${run.task}`,
    details: [],
    ...(command === undefined ? {} : { command }),
  };
}
