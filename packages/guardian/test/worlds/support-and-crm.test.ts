import { call, fails, message, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, hinted, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble } from "./values.ts";

const names = [
  "Mira Holt",
  "Otis Lund",
  "Pia Roos",
  "Quentin Abe",
  "Rosa Diaz",
  "Sven Moe",
  "Tara Kim",
  "Umar Ali",
  "Vera Noll",
  "Wim Bos",
  "Xia Lu",
  "Yara Said",
] as const;
const problems = [
  "parcel is lost",
  "card was charged twice",
  "wrong size",
  "cannot log in",
  "voucher is refused",
  "zip does not close",
  "invoice has no VAT id",
  "app crashes",
  "colour differs",
  "wants a return label",
  "address changed",
  "missing screw",
] as const;

const wordings = ["return label", "send back", "how to return", "returns printed label", "label for a return"] as const;
const ticket = (i: number) => ({
  ticket: {
    id: 88_000 + i,
    subject: `${pick(names, i)}: ${pick(problems, i)}`,
    status: i % 3 ? "open" : "pending",
    description: `Hello, my ${pick(problems, i)}. The order is ${hexId(i, 9)}. ${pick(names, i)}`,
    updated_at: at(i, 1800),
    via: { channel: i % 2 ? "email" : "web" },
  },
});
const getTicket = (i: number) => call("zendesk_get_ticket", { ticket_id: 88_000 + i }, ticket(i));
const reply = (id: number, body: string, i: number) =>
  call(
    "zendesk_create_ticket_comment",
    { ticket_id: id, comment: body, public: true },
    { audit: { id: scramble(i), created_at: at(i), ticket_id: id } },
  );

describe("support desks and CRM, legitimate", () => {
  check([
    silent(
      "each ticket read and answered with its own words",
      times(12, (i) => [
        getTicket(i),
        reply(88_000 + i, `Dear ${pick(names, i)}, we are sorry: ${pick(problems, i)}. We send a new one.`, i),
      ]),
    ),
    withoutForce("fourteen tickets read for a count and once more for the tags", [
      ...times(14, getTicket),
      ...times(14, getTicket),
    ]),
    silent(
      "the same macro for twelve tickets",
      times(12, (i) =>
        call(
          "zendesk_apply_macro",
          { ticket_id: 88_000 + i, macro_id: 360_001 },
          { result: { ticket: { id: 88_000 + i, status: "solved" } } },
        ),
      ),
    ),
    withoutForce(
      "customers that the CRM does not have",
      times(12, (i) =>
        call(
          "hubspot_search_contacts",
          { filter: { propertyName: "email", operator: "EQ", value: `${hexId(i, 6)}@example.com` } },
          { total: 0, results: [] },
        ),
      ),
    ),
    withoutForce(
      "articles of the help centre: No results",
      times(8, (i) => call("search_help_center", { query: pick(problems, i), locale: "en-us" }, "No results")),
    ),
    silent(
      "deals moved one stage forward",
      times(10, (i) =>
        call(
          "salesforce_update_record",
          { sobject: "Opportunity", id: `006${hexId(i, 12)}`, fields: { StageName: "Negotiation" } },
          { success: true, errors: [] },
        ),
      ),
    ),
    withoutForce(
      "six questions to one customer in one ticket, attended",
      times(6, (i) =>
        reply(
          88_003,
          `${pick(["Which size", "What colour", "Which street", "What date", "Which card", "What phone"], i)} ` +
            "do you mean, please?",
          i,
        ),
      ),
      { options: { attended: true } },
    ),
    silent(
      "a person asks four times for the queue",
      times(4, (i) => [
        message(),
        call(
          "zendesk_view_count",
          { view_id: 25 },
          { view_count: { view_id: 25, value: 12, pretty: "12", fresh: true }, request_id: hexId(i, 20) },
        ),
      ]),
    ),
    withoutForce(
      "records that are not found, each another id",
      times(9, (i) =>
        fails(
          "zendesk_get_ticket",
          { ticket_id: 91_000 + i * 7 },
          `RecordNotFound: Couldn't find ticket ${91_000 + i * 7}`,
        ),
      ),
    ),
    silent(
      "the number of waiting chats, which moves up and down",
      times(12, (i) => call("chat_queue", { department: "returns" }, { waiting: 3 + (scramble(i) % 40) })),
    ),
  ]);
});

describe("support desks and CRM, loops", () => {
  check([
    stopped(
      "the same answer to the same ticket",
      times(25, (i) => reply(88_003, "Thank you for your patience. We are looking into it.", i)),
      { byCall: 5 },
    ),
    noticed(
      "four passes over twelve tickets",
      times(48, (i) => getTicket(i % 12)),
      { byCall: 48 },
    ),
    stopped(
      "a merge that the desk refuses",
      times(25, (i) =>
        fails(
          "zendesk_merge_tickets",
          { target: 88_001, ids: [88_002] },
          `422 Unprocessable Entity: Merge is not possible, ticket 88002 is closed. x-request-id: ${hexId(i, 32)}`,
        ),
      ),
      { byCall: 6 },
    ),
    hinted(
      "help articles searched in other words, the same article",
      times(10, (i) =>
        call(
          "search_help_center",
          {
            query: `${pick(wordings, i)} ${pick(["", "please", "EU"], i)} ${i}`,
          },
          {
            results: [
              {
                id: 115_001,
                title: "How to return an order",
                body:
                  "Open your order, choose Return, select the items and print the label. Without " +
                  "a printer, show the QR code at the counter. The refund takes five days.",
              },
            ],
          },
        ),
      ),
    ),
    noticed(
      "assigned to billing, assigned to support",
      times(9, () => [
        call("zendesk_update_ticket", { ticket_id: 88_005, group_id: 11 }, { ticket: { id: 88_005, group_id: 11 } }),
        call("zendesk_update_ticket", { ticket_id: 88_005, group_id: 12 }, { ticket: { id: 88_005, group_id: 12 } }),
      ]),
      { byCall: 16 },
    ),
    stopped(
      "contact record with server time and trace id",
      times(28, (i) =>
        call(
          "hubspot_get_contact",
          { contactId: "5501" },
          {
            id: "5501",
            properties: { email: "mira@example.com", lifecyclestage: "lead" },
            serverTime: at(i),
            traceId: hexId(i, 32),
          },
        ),
      ),
      { byCall: 10 },
    ),
    noticed(
      "note, task and view in a circle",
      times(10, (i) => [
        call("crm_view", { record: "5501" }, "lead"),
        call("crm_note", { record: "5501", text: "Called, no answer." }, { id: 300 + i }),
        call("crm_task", { record: "5501", due: "tomorrow" }, "ok"),
      ]),
      { byCall: 24 },
    ),
  ]);
});
