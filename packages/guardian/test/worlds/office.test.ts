import { call, fails, message, pause, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, hinted, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble } from "./values.ts";

const suppliers = [
  "Acme Steel",
  "Borg Paper",
  "Cedar Foods",
  "Delta Freight",
  "Elm Textiles",
  "Fjord Fish",
  "Gull Print",
  "Hazel Oil",
  "Iris Glass",
  "Juno Lab",
  "Karst Salt",
  "Linden Tea",
] as const;
const sheet = "1x9KpQ-Ledger-2026";

const range = (i: number) => `Invoices!A${i * 20 + 1}:D${i * 20 + 20}`;
const values = (i: number) => ({
  spreadsheetId: sheet,
  range: range(i),
  majorDimension: "ROWS",
  values: [0, 1, 2].map((row) => [
    pick(suppliers, i + row),
    `INV-${scramble(i * 3 + row) % 9999}`,
    String(scramble(i + row) % 5000),
    "open",
  ]),
});
const mail = (i: number) => ({
  id: hexId(i, 16),
  threadId: hexId(i + 500, 16),
  snippet:
    `Dear team, ${pick(suppliers, i)} confirms the delivery ` +
    `of ${20 + i * 4} boxes for ${at(i, 86_400).slice(0, 10)}`,
  payload: { headers: [{ name: "From", value: `office@${pick(suppliers, i).split(" ")[0]?.toLowerCase()}.example` }] },
  internalDate: String(1_777_900_000_000 + i * 86_400_000),
});
const send = (to: string, subject: string, body: string, i: number) =>
  call(
    "gmail_send_email",
    { to: [to], subject, body, mimeType: "text/plain" },
    { id: hexId(i + 900, 16), labelIds: ["SENT"], threadId: hexId(i + 1900, 16) },
  );

describe("spreadsheets, e-mail and calendars, legitimate", () => {
  check([
    silent(
      "a sheet read in blocks of twenty lines",
      times(12, (i) => call("sheets_get_values", { spreadsheetId: sheet, range: range(i) }, values(i))),
    ),
    withoutForce("twelve blocks read once more to check the sums", [
      ...times(12, (i) => call("sheets_get_values", { spreadsheetId: sheet, range: range(i) }, values(i))),
      ...times(12, (i) => call("sheets_get_values", { spreadsheetId: sheet, range: range(i) }, values(i))),
    ]),
    silent(
      "one cell a row is set to paid",
      times(16, (i) =>
        call(
          "sheets_update_values",
          { spreadsheetId: sheet, range: `Invoices!D${i + 2}`, values: [["paid"]], valueInputOption: "RAW" },
          {
            spreadsheetId: sheet,
            updatedRange: `Invoices!D${i + 2}`,
            updatedRows: 1,
            updatedColumns: 1,
            updatedCells: 1,
          },
        ),
      ),
    ),
    withoutForce(
      "mail searches for twelve suppliers without a hit",
      times(12, (i) =>
        call(
          "gmail_search",
          { query: `from:(${pick(suppliers, i)}) has:attachment newer_than:30d` },
          { messages: [], resultSizeEstimate: 0 },
        ),
      ),
    ),
    silent(
      "the mails of the morning, opened one by one",
      times(11, (i) => call("gmail_read_email", { messageId: hexId(i, 16) }, mail(i))),
    ),
    silent(
      "a reminder to each supplier with the same words",
      times(12, (i) =>
        send(`billing@${hexId(i, 4)}.example`, "Reminder", "Please send us the open invoices of April.", i),
      ),
    ),
    withoutForce(
      "a mail for each finding to the same auditor, attended",
      times(8, (i) =>
        send(
          "audit@example.com",
          `Finding ${i + 1}: ${pick(suppliers, i)}`,
          `INV-${scramble(i) % 9999} has no order number.`,
          i,
        ),
      ),
      { options: { attended: true } },
    ),
    withoutForce(
      "free time on six days: nothing is planned",
      times(6, (i) =>
        call(
          "calendar",
          { operation: "list", day: at(i, 86_400).slice(0, 10) },
          { kind: "calendar#events", timeZone: "Europe/Oslo", day: at(i, 86_400).slice(0, 10), items: [] },
        ),
      ),
    ),
    silent(
      "a person asks four times what comes next today",
      times(4, (i) => [
        message(),
        call(
          "list_events",
          { calendarId: "primary", maxResults: 1 },
          { etag: `"p${hexId(i, 12)}"`, items: [{ id: "ev1", summary: "Dentist", start: "15:30" }] },
        ),
      ]),
    ),
    silent(
      "waiting for an answer by mail, every ten minutes",
      times(4, () => [
        call(
          "gmail_search",
          { query: "from:hotel@example.com subject:confirmation" },
          { messages: [], resultSizeEstimate: 0 },
        ),
        pause(600_000),
      ]),
    ),
    withoutForce(
      "similar formulas in the rows of one column",
      times(14, (i) =>
        call(
          "sheets_update_values",
          { spreadsheetId: sheet, range: `Invoices!E${i + 2}`, values: [[`=C${i + 2}*1.25`]] },
          { updatedRange: `Invoices!E${i + 2}`, updatedCells: 1 },
        ),
      ),
    ),
    withoutForce(
      "calendars of people who do not share them",
      times(8, (i) =>
        fails(
          "list_events",
          { calendarId: `${hexId(i, 5)}@example.com` },
          `404 Not Found: calendar ${hexId(i, 5)}@example.com`,
        ),
      ),
    ),
  ]);
});

describe("spreadsheets, e-mail and calendars, loops", () => {
  check([
    stopped(
      "the same mail to the same customer, attended by a person who says nothing",
      times(25, (i) => send("mira@example.com", "Your refund", "Your refund of 49 EUR is on its way.", i)),
      { byCall: 5, options: { attended: true } },
    ),
    noticed(
      "the same mail with another greeting each time",
      times(12, (i) =>
        send(
          "mira@example.com",
          "Your refund",
          `${pick(["Hi", "Hello", "Dear"], i)} Mira, your refund of 49 EUR is on its way.`,
          i,
        ),
      ),
    ),
    stopped(
      "a meeting created over and over",
      times(25, (i) =>
        call(
          "create_event",
          {
            calendarId: "primary",
            summary: "Budget review",
            start: "2026-05-06T10:00:00+02:00",
            end: "2026-05-06T11:00:00+02:00",
          },
          {
            id: hexId(i, 20),
            status: "confirmed",
            htmlLink: `https://calendar.example/event?eid=${hexId(i, 20)}`,
            created: at(i),
          },
        ),
      ),
      { byCall: 6 },
    ),
    stopped(
      "a formula that stays an error",
      times(26, (i) =>
        call(
          "sheets_get_values",
          { spreadsheetId: sheet, range: "Summary!B2" },
          { range: "Summary!B2", values: [["#REF!"]], requestId: hexId(i, 20), durationMs: 90 + (scramble(i) % 70) },
        ),
      ),
      { byCall: 8 },
    ),
    noticed(
      "a cell set to SUM and back to a figure",
      times(9, () => [
        call(
          "sheets_update_values",
          { spreadsheetId: sheet, range: "Summary!B2", values: [["=SUM(A:A)"]] },
          { updatedCells: 1 },
        ),
        call(
          "sheets_update_values",
          { spreadsheetId: sheet, range: "Summary!B2", values: [["1204"]] },
          { updatedCells: 1 },
        ),
      ]),
      { byCall: 16 },
    ),
    hinted(
      "mail searches in other words with the same single mail as answer",
      times(10, (i) =>
        call(
          "gmail_search",
          {
            query: pick(
              [
                "subject:contract",
                "contract 2026",
                "contract has:attachment",
                "filename:contract.pdf",
                '"the contract"',
              ],
              i,
            ).concat(i > 4 ? " in:anywhere" : ""),
            maxResults: 10 + i,
          },
          {
            messages: [
              {
                ...mail(3),
                snippet:
                  "Dear all, the contract is with our lawyers. We expect it " +
                  "back by the end of next week and will send it to you at once.",
              },
            ],
            resultSizeEstimate: 1,
          },
        ),
      ),
    ),
    noticed(
      "inbox, label and calendar, round and round",
      times(9, () => [
        call("gmail_list_labels", {}, { labels: [{ id: "INBOX" }, { id: "Label_7", name: "Invoices" }] }),
        call("gmail_search", { query: "label:Invoices is:unread" }, { resultSizeEstimate: 0 }),
        call("list_events", { calendarId: "primary", maxResults: 1 }, { items: [] }),
      ]),
      { byCall: 18 },
    ),
  ]);
});
