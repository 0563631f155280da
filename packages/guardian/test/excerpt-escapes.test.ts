import { fails, play, times } from "@sheepdog/guardian/testing";
import { expect, test } from "vitest";

const esc = String.fromCharCode(27);
const bell = String.fromCharCode(7);

test("a message quotes no sequence for a terminal and no mark of direction", () => {
  const result = `error: ${esc}]52;c;aGVsbG8=${bell}no ${esc}[2Jrule\u202e to\u2066 make it${esc}]0;title`;
  const { interventions } = play(times(6, () => fails("bash", { command: "make" }, result)));
  const messages = interventions.map(({ message }) => message).join("\n");
  expect(messages).toContain("no rule to make it");
  expect(messages).not.toMatch(new RegExp(`[${esc}${bell}\u202a-\u202e\u2066-\u2069]|aGVsbG8|title`));
});
