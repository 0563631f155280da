import { call, fails, message, pause, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble } from "./values.ts";

const services = [
  "cart",
  "search",
  "mailer",
  "auth",
  "ledger",
  "gateway",
  "images",
  "ranking",
  "tax",
  "audit",
] as const;
const parts = ["Wool socks", "Rain hat", "Tin mug", "Camp stove", "Head lamp", "Dry bag", "Tent pegs"] as const;
const name = (i: number) => `${pick(services, i)}-${hexId(i, 4)}`;

describe("the same complaint about many different things", () => {
  check([
    withoutForce(
      "sixteen tickets that were deleted",
      times(16, (i) =>
        fails(
          "zendesk_get_ticket",
          { ticket_id: 91_000 + i * 7 },
          `RecordNotFound: Couldn't find ticket ${91_000 + i * 7}`,
        ),
      ),
    ),
    withoutForce(
      "fifteen devices that are offline",
      times(15, (i) =>
        fails(
          "ha_call_service",
          { service: "turn_on", entity_id: `light.${name(i)}` },
          `light.${name(i)} is unavailable`,
        ),
      ),
    ),
    withoutForce(
      "fourteen pods in which kubectl exec and grep find nothing",
      times(14, (i) =>
        fails(
          "bash",
          { command: `kubectl -n shop exec ${name(i)} -- grep -R LEGACY_URL /app` },
          "command terminated with exit code 1",
        ),
      ),
    ),
  ]);
});

describe("many different questions without a result", () => {
  check([
    withoutForce(
      "sixteen settings that rg does not find behind timeout",
      times(16, (i) => fails("shell", { command: `timeout 20 rg -n ${name(i)} /opt/app` }, "")),
    ),
    withoutForce(
      "sixteen names that Notion does not know",
      times(16, (i) =>
        call("notion_search", { query: `${pick(parts, i)} ${name(i)}` }, { results: [], has_more: false }),
      ),
    ),
    withoutForce(
      "sixteen messages to one customer, each about another part",
      times(16, (i) =>
        call(
          "telegram",
          { to: "@mira", text: `${pick(parts, i)} (${name(i)}): in stock, leaves on ${at(i, 86_400).slice(0, 10)}.` },
          { ok: true, message_id: 50 + i },
        ),
      ),
    ),
  ]);
});

describe("one action many times, and each time the world has moved", () => {
  check([
    withoutForce(
      "sixty-five steps of a debugger",
      times(65, (i) =>
        call(
          "debug_step_over",
          { threadId: 1 },
          { line: 40 + (i % 9), locals: { i: String(i), acc: `[${i}, ${i * 2}]` } },
        ),
      ),
    ),
    withoutForce(
      "sixty-five swipes through a list of contacts",
      times(65, (i) =>
        call(
          "mobile_swipe",
          { direction: "up" },
          [0, 1, 2].map((row) => `${pick(parts, i + row)} ${name(i * 3 + row)}`),
        ),
      ),
    ),
    withoutForce(
      "sixty lines of a G-code program",
      times(60, (i) =>
        call("grbl_send", { line: `G1 X${(i * 3.7).toFixed(2)} Y${(scramble(i) % 400) / 10} F600` }, "ok"),
      ),
    ),
  ]);
});

describe("a tool that is named after a message", () => {
  const inbox = call("message", { action: "read", channel: "team" }, "2 messages: Ada: hi, Leo: call me");
  check([
    silent(
      "a person asks five times for the messages",
      times(5, () => [message(), inbox]),
    ),
    silent(
      "the inbox, looked at every ten minutes",
      times(4, () => [inbox, pause(600_000)]),
    ),
    stopped(
      "the inbox, looked at without a pause",
      times(25, () => inbox),
      { byCall: 6 },
    ),
  ]);
});
