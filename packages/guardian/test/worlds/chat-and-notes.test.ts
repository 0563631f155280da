import { call, fails, message, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, hinted, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble, uuid } from "./values.ts";

const channels = [
  "C01GENERAL",
  "C02OPS",
  "C03SALES",
  "C04RANDOM",
  "C05DESIGN",
  "C06LEGAL",
  "C07HIRING",
  "C08PLATFORM",
] as const;
const people = ["Ada", "Bo", "Cy", "Dilan", "Eve", "Femi", "Grit"] as const;
const topics = [
  "the invoice run",
  "the offsite",
  "a broken webhook",
  "holiday cover",
  "the price list",
  "two-factor login",
] as const;

const wordings = ["How do I", "What is the way to", "Where is it written how to", "Please explain how to"] as const;
const history = (i: number) => ({
  ok: true,
  messages: [0, 1, 2].map((row) => ({
    type: "message",
    user: `U${hexId(i * 3 + row, 8).toUpperCase()}`,
    text: `${pick(people, i + row)} writes about ${pick(topics, i * 2 + row)}`,
    ts: `17779${scramble(i * 3 + row) % 100_000}.0${row}`,
  })),
  has_more: false,
});
const post = (text: string, i: number, channel = "C02OPS") =>
  call(
    "slack_post_message",
    { channel_id: channel, text },
    { ok: true, channel, ts: `1777900${100 + i}.${scramble(i) % 1_000_000}`, message: { bot_id: "B07", text } },
  );
const notionPage = (i: number) => ({
  object: "page",
  id: uuid(i),
  last_edited_time: at(i, 86_400),
  properties: { Name: { title: [{ plain_text: `Runbook for ${pick(topics, i)}` }] }, Owner: pick(people, i) },
});
const emptyList = (i: number) => ({
  object: "list",
  results: [],
  next_cursor: null,
  has_more: false,
  request_id: uuid(i),
});

describe("Slack and Notion, legitimate", () => {
  check([
    silent(
      "a summary of eight channels",
      times(8, (i) => call("slack_get_channel_history", { channel_id: pick(channels, i), limit: 3 }, history(i))),
    ),
    silent(
      "a tool named message that reads one thread after the other",
      times(10, (i) =>
        call(
          "message",
          { action: "read", channel: "slack", target: "C02OPS", threadId: `1777${scramble(i) % 10_000}` },
          history(i),
        ),
      ),
    ),
    withoutForce(
      "Progress: n of 20 to the channel of the operators",
      times(20, (i) => post(`Progress: ${i + 1} of 20`, i)),
    ),
    withoutForce(
      "a direct message for each overdue expense, attended",
      times(9, (i) =>
        post(`Expense EX-${310 + i} over ${40 + i * 13} EUR (${pick(topics, i)}) has no receipt.`, i, "D09LEAD"),
      ),
      { options: { attended: true } },
    ),
    withoutForce(
      "Notion searches for ten different names without a result",
      times(10, (i) =>
        call(
          "notion_search",
          { query: `${pick(people, i)} ${pick(topics, i)}`, filter: { value: "page", property: "object" } },
          emptyList(i),
        ),
      ),
    ),
    silent(
      "each page of a database updated with its own owner",
      times(14, (i) =>
        call(
          "notion_update_page_properties",
          { page_id: uuid(i), properties: { Owner: { people: [{ name: pick(people, i) }] } } },
          { ...notionPage(i), request_id: uuid(100 + i) },
        ),
      ),
    ),
    silent(
      "a person asks three times who is in the channel",
      times(3, (i) => [
        message(),
        call(
          "slack_get_users",
          { limit: 50 },
          { ok: true, members: people.map((name) => ({ name })), cache_ts: 1_777_900_000 + i * 61 },
        ),
      ]),
    ),
    silent("database pages by cursor, then each row of the last page", [
      ...times(6, (i) =>
        call(
          "notion_query_database",
          { database_id: uuid(900), page_size: 2, ...(i > 0 ? { start_cursor: uuid(i * 2) } : {}) },
          { results: [notionPage(i * 2), notionPage(i * 2 + 1)], next_cursor: uuid(i * 2 + 2), has_more: i < 5 },
        ),
      ),
      ...times(2, (i) => call("notion_retrieve_page", { page_id: uuid(10 + i) }, notionPage(10 + i))),
    ]),
    withoutForce(
      "blocks that are not there, each another one",
      times(8, (i) =>
        fails(
          "notion_retrieve_block_children",
          { block_id: uuid(40 + i) },
          `object_not_found: Could not find block with ID: ${uuid(40 + i)}. Share it with your integration.`,
        ),
      ),
    ),
  ]);
});

describe("Slack and Notion, loops", () => {
  check([
    stopped(
      "the same announcement to one channel",
      times(25, (i) => post("The migration is finished. Thanks for your patience!", i)),
      { byCall: 5 },
    ),
    noticed(
      "the same text by telegram, once between other things",
      times(6, (i) => [
        call("telegram", { to: "@ops_lead", text: "Backup verified, all good." }, { ok: true, message_id: 8100 + i }),
        call("slack_get_channel_history", { channel_id: pick(channels, i), limit: 3 }, history(i)),
      ]),
    ),
    stopped(
      "a tool named message that reads the same thread for ever",
      times(28, (i) =>
        call(
          "message",
          { action: "read", channel: "slack", target: "C02OPS", threadId: "1777900100.42" },
          { ...history(1), response_metadata: { trace_id: hexId(i, 16), elapsed_ms: 40 + (scramble(i) % 90) } },
        ),
      ),
      { byCall: 8 },
    ),
    hinted(
      "a question to the workspace in ten wordings, the same long page each time",
      times(10, (i) =>
        call(
          "notion_ask",
          {
            question: `${pick(wordings, i)} rotate keys (${i})?`,
          },
          "Key rotation. Owner: platform. 1. Open the vault and " +
            "create version n+1. 2. Deploy the services that read it. " +
            "3. Wait until the old version has no reads for 24 hours. " +
            "4. Disable the old version. 5. Note the date here. " +
            "Exceptions: the payment terminals read their key once a " +
            "week; ask Grit before step 4. Last review: 2026-03-02.",
        ),
      ),
    ),
    stopped(
      "append to a page that is archived",
      times(25, (i) =>
        fails(
          "notion_append_block_children",
          { block_id: uuid(7), children: [{ paragraph: { rich_text: [{ text: { content: "Done." } }] } }] },
          `validation_error: Can't edit block that is archived. request_id: ${uuid(200 + i)}`,
        ),
      ),
      { byCall: 6 },
    ),
    noticed(
      "status set to done and back",
      times(9, () => [
        call(
          "notion_update_page_properties",
          { page_id: uuid(3), properties: { Status: "Done" } },
          { id: uuid(3), Status: "Done" },
        ),
        call(
          "notion_update_page_properties",
          { page_id: uuid(3), properties: { Status: "Open" } },
          { id: uuid(3), Status: "Open" },
        ),
      ]),
      { byCall: 14 },
    ),
    noticed(
      "a reaction, a typing mark and a presence, round and round",
      times(10, () => [
        call(
          "slack_add_reaction",
          { channel_id: "C02OPS", timestamp: "1777900100.42", reaction: "eyes" },
          { ok: true },
        ),
        call("slack_set_presence", { presence: "auto" }, { ok: true }),
        call(
          "slack_remove_reaction",
          { channel_id: "C02OPS", timestamp: "1777900100.42", reaction: "eyes" },
          { ok: true },
        ),
      ]),
      { byCall: 24 },
    ),
  ]);
});
