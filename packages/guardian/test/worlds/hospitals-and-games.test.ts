import { call, fails, message, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, knownMiss, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble } from "./values.ts";

const wards = [
  "cardiology",
  "surgery",
  "children",
  "eyes",
  "skin",
  "lungs",
  "nerves",
  "kidneys",
  "bones",
  "birth",
] as const;
const slot = (i: number) => ({
  resourceType: "Slot",
  id: hexId(i, 8),
  start: at(i, 1800),
  status: "free",
  serviceType: pick(wards, i),
});
const bundle = (entries: readonly unknown[]) => ({
  resourceType: "Bundle",
  type: "searchset",
  total: entries.length,
  entry: entries,
});
const patient = (i: number) => ({
  resourceType: "Patient",
  id: `p${i}`,
  name: hexId(i, 7),
  birthDate: `19${50 + (i % 49)}-0${(i % 9) + 1}-1${i % 9}`,
  ward: pick(wards, i),
});

describe("hospital scheduling, legitimate", () => {
  check([
    withoutForce(
      "no free slot in ten wards",
      times(10, (i) =>
        call(
          "fhir_search",
          { resource: "Slot", params: { "service-type": pick(wards, i), status: "free" } },
          bundle([]),
        ),
      ),
    ),
    silent(
      "appointments made for each patient of the list",
      times(14, (i) => [
        call(
          "fhir_create",
          { resource: "Appointment", body: { slot: slot(i).id, patient: `p${i}`, start: at(i, 1800) } },
          { id: hexId(i + 60, 10), status: "proposed" },
        ),
      ]),
    ),
    withoutForce("sixteen patients read, and read again for the handover", [
      ...times(16, (i) => call("fhir_read", { resource: "Patient", id: `p${i}` }, patient(i))),
      ...times(16, (i) => call("fhir_read", { resource: "Patient", id: `p${i}` }, patient(i))),
    ]),
    silent(
      "days of one doctor, one after the other",
      times(12, (i) =>
        call(
          "schedule",
          { action: "get", doctor: "dr-lie", date: at(i, 86_400).slice(0, 10) },
          { date: at(i, 86_400).slice(0, 10), appointments: [slot(i), slot(i + 30)] },
        ),
      ),
    ),
    silent(
      "a person at the desk asks again for the next free time",
      times(4, () => [
        message(),
        call("schedule", { action: "next_free", ward: "eyes" }, { start: "2026-05-07T09:30:00Z" }),
      ]),
    ),
    withoutForce(
      "Progress to the ward, attended",
      times(10, (i) => call("pager", { to: "ward-4", text: `Progress: ${i + 1} of 10 beds assigned` }, "delivered")),
      { options: { attended: true } },
    ),
  ]);
});

describe("hospital scheduling, loops", () => {
  check([
    stopped(
      "an appointment in a slot that is taken",
      times(25, (i) =>
        fails(
          "fhir_create",
          { resource: "Appointment", body: { slot: "ab12", patient: "p3" } },
          `409 Conflict: Slot/ab12 is busy. OperationOutcome id ${hexId(i, 12)}`,
        ),
      ),
      { byCall: 6 },
    ),
    stopped(
      "the same page to the doctor on duty",
      times(25, (i) =>
        call("pager", { to: "dr-lie", text: "Please call ward 4." }, { delivered: true, id: hexId(i, 6) }),
      ),
      { byCall: 5 },
    ),
    noticed(
      "an appointment made and cancelled",
      times(9, () => [
        call(
          "schedule",
          { action: "create", doctor: "dr-lie", start: "2026-05-07T09:30:00Z", patient: "p3" },
          { status: "proposed" },
        ),
        call(
          "schedule",
          { action: "cancel", doctor: "dr-lie", start: "2026-05-07T09:30:00Z", patient: "p3" },
          { status: "cancelled" },
        ),
      ]),
      { byCall: 16 },
    ),
    noticed(
      "three passes and a fourth over eleven patients",
      times(44, (i) => call("fhir_read", { resource: "Patient", id: `p${i % 11}` }, patient(i % 11))),
      { byCall: 44 },
    ),
  ]);
});

const room = (name: string, text: string, moves: number) =>
  `${name}\n${text}\n[Score: ${Math.floor(moves / 5) * 5}  Moves: ${moves}]`;

describe("games, legitimate", () => {
  check([
    silent(
      "go north through a long forest, each place another",
      times(12, (i) =>
        call(
          "game_command",
          { input: "north" },
          room(`Forest ${hexId(i, 4)}`, `You see ${pick(wards, i)} signs and ${scramble(i) % 40} trees.`, i),
        ),
      ),
    ),
    silent(
      "the same key in a maze, the position moves",
      times(18, (i) => call("press", { key: "ArrowRight" }, { x: i + 1, y: 4, tile: i % 6 === 5 ? "coin" : "floor" })),
    ),
    silent(
      "moves of a game of chess",
      times(14, (i) =>
        call(
          "chess_move",
          { game: "g1", move: `${String.fromCharCode(97 + (scramble(i) % 8))}${(scramble(i + 3) % 6) + 2}` },
          { ok: true, reply: `${String.fromCharCode(97 + (scramble(i + 20) % 8))}6`, ply: i * 2 + 2 },
        ),
      ),
    ),
    withoutForce(
      "words that the game does not know",
      times(8, (i) =>
        call("game_command", { input: `use ${pick(wards, i)}` }, `I don't know the word "${pick(wards, i)}".`),
      ),
    ),
    silent(
      "a dice asked for by a person, six times",
      times(6, (i) => [message(), call("roll", { dice: "1d6" }, { result: (scramble(i) % 6) + 1 })]),
    ),
  ]);
});

describe("games, loops", () => {
  check([
    knownMiss(
      noticed(
        "open the gate, which is locked",
        times(15, (i) => call("game_command", { input: "open gate" }, room("Castle Gate", "The gate is locked.", i))),
        { byCall: 12 },
      ),
    ),
    noticed(
      "north and south between two places",
      times(16, () => [
        call("game_command", { input: "north" }, "Bridge\nAn old bridge. A troll sleeps here."),
        call("game_command", { input: "south" }, "Meadow\nGrass. The bridge is in the north."),
      ]),
      { byCall: 20 },
    ),
    stopped(
      "a move that the rules forbid",
      times(25, () => fails("chess_move", { game: "g1", move: "Ke3" }, "Illegal move: Ke3 leaves the king in check")),
      { byCall: 5 },
    ),
  ]);
});
