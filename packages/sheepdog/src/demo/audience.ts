import type { RecordedCall } from "@sheepdog/records";
import { dollars } from "../terminal/amounts.ts";
import { describeCall } from "../terminal/describe-call.ts";
import { plainText } from "../terminal/plain-text.ts";
import { cut, fit, widthOf } from "../terminal/width.ts";
import { wrap } from "../terminal/wrap.ts";
import type { Audience } from "./play-recording.ts";
import type { Stage } from "./stage.ts";

const TURN_MS = 380;
const WORDS_MS = 1_000;
const REFUSAL_MS = 500;
const COST_WIDTH = 7;

/** Shows a recording on the stage: a line for what the agent says, a line for each call, and the guardian's words set apart. */
export function watchOn(stage: Stage): Audience {
  const { style, marks, width } = stage;

  async function call(made: RecordedCall, mark: string, outcome: string, spentUsd: number): Promise<void> {
    const room = width - COST_WIDTH - 4 - widthOf(mark) - 1;
    const asked = cut(describeCall(made), Math.max(12, Math.floor(room * 0.55)));
    const rest = room - widthOf(asked) - 2;
    const told = rest < 8 ? " ".repeat(Math.max(0, rest + 2)) : `  ${style.dim(fit(outcome, rest))}`;
    const painted = mark === marks.good ? style.green(mark) : style.red(mark);
    await stage.print(`  ${painted} ${asked}${told} ${fit(dollars(spentUsd), COST_WIDTH, "right")}`);
  }

  async function words(title: string, lines: readonly string[], ms: number): Promise<void> {
    const bar = style.yellow(marks.bar);
    const painted = [style.bold(style.yellow(cut(title, width - 4))), ...lines.map(style.yellow)];
    await stage.print(...painted.map((line) => `  ${bar} ${line}`));
    await stage.pause(ms);
  }

  return {
    async turn(step) {
      const text = plainText(step.text);
      const lines = step.calls.length === 0 ? wrap(text, width - 2) : [cut(text, width - 2)];
      await stage.print(...lines.map((line) => `  ${line}`));
      await stage.pause(TURN_MS);
    },
    ran: (made, spentUsd) => call(made, made.isError === true ? marks.bad : marks.good, firstLine(made.result), spentUsd),
    async refused(made, message, spentUsd) {
      await call(made, marks.bad, "refused, not run", spentUsd);
      await words("sheepdog: refused", [cut(plainText(message), width - 4)], REFUSAL_MS);
    },
    intervened: ({ detector, level, message }) => words(`sheepdog: ${level} (${detector})`, wrap(plainText(message), width - 4), WORDS_MS),
    recovered: () => stage.print(`  ${style.green(marks.bar)} ${style.bold(style.green("sheepdog: recovered"))}`),
  };
}

function firstLine(result: unknown): string {
  const text = typeof result === "string" ? result : (JSON.stringify(result) ?? "");
  return plainText(text.split("\n").find((line) => line.trim() !== "") ?? "");
}
