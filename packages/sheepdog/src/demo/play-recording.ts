import { createGuardian, defaultPolicy, type Guardian, type GuardianEvent, type Intervention, type Stop } from "@sheepdog/guardian";
import { maskSecrets, type RecordedCall, type RecordedRun, type RecordedStep, sha256 } from "@sheepdog/records";

/** What can be watched while a recording is played. Every moment may take its time. */
export interface Audience {
  turn(step: RecordedStep): Promise<void>;
  ran(call: RecordedCall, spentUsd: number): Promise<void>;
  refused(call: RecordedCall, message: string, spentUsd: number): Promise<void>;
  intervened(intervention: Intervention): Promise<void>;
  recovered(): Promise<void>;
}

/** How a recording went under the guardian. */
export interface Played {
  readonly run: RecordedRun;
  readonly interventions: readonly Intervention[];
  readonly ran: number;
  readonly refused: number;
  readonly spentUsd: number;
  readonly hasRecovered: boolean;
  /** Set where the guardian ended the run, with the place of the last step that was played. */
  readonly ended: { readonly stop: Stop; readonly lastStep: number } | undefined;
}

/** Plays a recorded agent through the guardian as a loop would: a refused call is not run, and a run that has to end ends. */
export async function playRecording(run: RecordedRun, audience: Audience): Promise<Played> {
  const events: GuardianEvent[] = [];
  const interventions: Intervention[] = [];
  let now = 0;
  const guardian = createGuardian({ policy: defaultPolicy, now: () => now, digest: sha256, redact: maskSecrets, emit: (event) => events.push(event) });
  const sums = { ran: 0, refused: 0, spentUsd: 0, hasRecovered: false };
  for (const [index, step] of run.steps.entries()) {
    now = step.at ?? now + 1;
    sums.spentUsd += step.usage?.costUsd ?? 0;
    tellTurn(guardian, step, sums.spentUsd, now);
    await audience.turn(step);
    for (const [place, call] of step.calls.entries()) {
      now = call.at ?? now + 1;
      const message = offer(guardian, `${index}.${place}`, call);
      sums[message === undefined ? "ran" : "refused"]++;
      await (message === undefined ? audience.ran(call, sums.spentUsd) : audience.refused(call, message, sums.spentUsd));
    }
    guardian.endTurn();
    for (const event of events.splice(0)) {
      if (event.type === "recovered") {
        sums.hasRecovered = true;
        await audience.recovered();
      }
      if (event.type !== "intervention" || event.intervention.denies !== undefined) continue; // a refusal was shown in place of its call
      interventions.push(event.intervention);
      await audience.intervened(event.intervention);
    }
    if (guardian.stop !== undefined) return { run, interventions, ...sums, ended: { stop: guardian.stop, lastStep: index } };
  }
  return { run, interventions, ...sums, ended: undefined };
}

function tellTurn(guardian: Guardian, step: RecordedStep, spentUsd: number, at: number): void {
  if (step.user) guardian.userMessage("person");
  guardian.observe({ type: "usage", at, used: { "run-cost": Math.round(spentUsd * 1e9) }, isPriced: true });
  if (step.calls.length === 0) guardian.message(step.text);
}

/** Asks the guardian, then runs the call by handing over its recorded result; gives back the guardian's words where it refuses. */
function offer(guardian: Guardian, id: string, call: RecordedCall): string | undefined {
  const verdict = guardian.beforeCall({ id, tool: call.name, args: call.args });
  if (!verdict.allow) {
    guardian.afterCall(id, { status: "denied", content: verdict.message });
    return verdict.message;
  }
  guardian.afterCall(id, { status: call.isError === true ? "error" : "ok", content: call.result });
  return undefined;
}
