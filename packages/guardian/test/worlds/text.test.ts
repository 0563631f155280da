import { streams } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, noticed, silent } from "./situation.ts";
import { at, hexId, pick, scramble } from "./values.ts";

const fence = (language: string, lines: string) => `\`\`\`${language}\n${lines}\`\`\`\n`;
const cities = ["Oslo", "Bergen", "Hamar", "Narvik", "Bod\u00f8", "Moss", "Voss", "Molde"] as const;
const lines = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${make(i)}\n`).join("");

describe("text that repeats and is fine", () => {
  check([
    silent("a fixture of equal readings that was asked for", [
      streams(
        `Here is the fixture.\n\n${fence(
          "json",
          lines(14, () => '  { "sensor": "s1", "celsius": 20.0 },'),
        )}`,
      ),
    ]),
    silent("a log of equal lines that kubectl gave", [
      streams(
        `The pod says:\n\n${fence(
          "",
          lines(9, () => "E0504 08:12:44 reflector.go:147] failed to list *v1.Secret: forbidden"),
        )}\nIt lacks a role.`,
      ),
    ]),
    silent("a table with one row a city", [
      streams(
        "| city | temperature | wind |\n|---|---|---|\n" +
          lines(24, (i) => `| ${pick(cities, i)} ${i} | ${scramble(i) % 30} degrees | ${scramble(i + 7) % 20} m/s |`),
      ),
    ]),
    silent("SQL inserts in a fence", [
      streams(
        fence(
          "sql",
          lines(40, (i) => `INSERT INTO parcels (id, ref, state) VALUES (${i}, '${hexId(i, 10)}', 'open');`),
        ),
      ),
    ]),
    silent("G-code that drills the same hole cycle", [
      streams(
        fence(
          "gcode",
          lines(20, () => "G81 Z-4.0 R1.0 F120\nG80"),
        ),
      ),
    ]),
    silent("a numbered list of the steps of a schedule", [
      streams(
        lines(
          30,
          (i) =>
            `${i + 1}. ${at(i, 900).slice(11, 16)}: call patient ` +
            `${hexId(i, 5)} and confirm the appointment in ${pick(cities, i)}.`,
        ),
      ),
    ]),
    silent("a refrain in a song that was asked for", [
      streams(
        lines(
          4,
          (i) =>
            `Verse ${i + 1}: the ${pick(cities, i)} train leaves at ${i + 5} and ` +
            `${hexId(i, 6)} is on board.\nRow, row, row your boat, gently down the stream.\n`,
        ),
      ),
    ]),
  ]);
});

describe("text that is a chant", () => {
  check([
    noticed("one sentence without an end, as text", [
      streams("I will now check the status of the deployment. ".repeat(80)),
    ]),
    noticed("a paragraph that comes again and again", [
      streams(
        (
          "Let me think about the schedule of the ward once more. The slot at " +
          "half past nine is free, but the doctor is in surgery until ten. " +
          "The slot at eleven is free, but the patient has to leave " +
          "at noon. So I have to look at the slot at half past nine. "
        ).repeat(20),
      ),
    ]),
    noticed("the same thought in the reasoning only", [
      streams("Wait, but the pod is not ready. Let me check the pod again. ".repeat(60), "thinking"),
    ]),
    noticed("one token without an end", [streams("ticket ".repeat(500))]),
    noticed("two lines in turn, outside of a fence", [
      streams("- Tap on Continue\n- Wait for the screen\n".repeat(60)),
    ]),
  ]);
});
