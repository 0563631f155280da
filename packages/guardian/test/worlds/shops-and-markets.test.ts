import { call, fails, message, pause, times } from "@sheepdog/guardian/testing";
import { describe } from "vitest";
import { check, hinted, noticed, silent, stopped, withoutForce } from "./situation.ts";
import { at, hexId, pick, scramble, uuid } from "./values.ts";

const tickers = ["ABB", "DNB", "EQNR", "MOWI", "NHY", "ORK", "SALM", "TEL", "TOM", "YAR"] as const;
const products = [
  "Wool socks",
  "Rain hat",
  "Tin mug",
  "Camp stove",
  "Rope 20 m",
  "Head lamp",
  "Dry bag",
  "Tent pegs",
  "Map case",
  "Whistle",
  "Fire steel",
  "Spork",
] as const;

const wordings = ["Yara results", "Yara quarter", "YAR earnings", "fertiliser results Yara", "Yara Q1 report"] as const;
const order = (i: number) => ({
  order: {
    id: 450_000 + i,
    name: `#${1900 + i}`,
    financial_status: i % 4 ? "paid" : "pending",
    line_items: [{ title: pick(products, i), quantity: 1 + (i % 3), price: `${(scramble(i) % 9000) / 100}` }],
    created_at: at(i, 700),
  },
});
const quote = (symbol: string, price: number) => ({ symbol, price: price.toFixed(2), currency: "NOK" });

describe("shops, legitimate", () => {
  check([
    silent(
      "orders looked up one by one",
      times(13, (i) => call("shopify_get_order", { order_id: 450_000 + i }, order(i))),
    ),
    silent(
      "stock set for each product",
      times(12, (i) =>
        call(
          "shopify_adjust_inventory",
          { inventory_item_id: 7700 + i, location_id: 3, delta: (i % 5) - 2 },
          { available: 14 + i, updated_at: at(i) },
        ),
      ),
    ),
    withoutForce(
      "article numbers that the shop does not sell",
      times(10, (i) =>
        call(
          "shopify_search_products",
          { query: `sku:${hexId(i, 6).toUpperCase()}` },
          { products: [], page_info: null },
        ),
      ),
    ),
    withoutForce("ten orders, each looked at again after the list is complete", [
      ...times(10, (i) => call("shopify_get_order", { order_id: 450_000 + i }, order(i))),
      ...times(10, (i) => call("shopify_get_order", { order_id: 450_000 + i }, order(i))),
    ]),
    withoutForce(
      "messages to one customer about each part of an order",
      times(8, (i) =>
        call(
          "telegram",
          { to: "@mira", text: `${pick(products, i)}: in stock, leaves on ${at(i, 86_400).slice(0, 10)}.` },
          { ok: true, message_id: 50 + i },
        ),
      ),
    ),
    silent(
      "pages of a web shop with a browser tool",
      times(9, (i) =>
        call(
          "browser",
          { method: "GET", url: `https://shop.example/c/camping?page=${i + 1}` },
          `<h1>Camping</h1><p>Page ${i + 1}</p><li>${pick(products, i)}</li><li>${pick(products, i + 5)}</li>`,
        ),
      ),
    ),
  ]);
});

describe("shops, loops", () => {
  check([
    stopped(
      "the same refund, refused",
      times(25, (i) =>
        fails(
          "shopify_refund",
          { order_id: 450_003, amount: "49.00" },
          `422: Refund amount exceeds the refundable amount. request_id=${uuid(i)}`,
        ),
      ),
      { byCall: 6 },
    ),
    stopped(
      "a cart page fetched with a new ETag",
      times(26, (i) =>
        call(
          "browser",
          { method: "GET", url: "https://shop.example/cart" },
          {
            status: 200,
            headers: { etag: `"${hexId(i, 16)}"`, date: at(i, 2) },
            body: "<h1>Your cart</h1><p>It is empty. Continue shopping.</p>",
          },
        ),
      ),
      { byCall: 10 },
    ),
    noticed(
      "price up, price down",
      times(9, () => [
        call("update_price", { sku: "TM-01", price: "12.00" }, { ok: true }),
        call("update_price", { sku: "TM-01", price: "11.50" }, { ok: true }),
      ]),
      { byCall: 16 },
    ),
  ]);
});

describe("paper trading, legitimate", () => {
  check([
    silent(
      "one price that moves, asked for each minute",
      times(16, (i) => [
        call("get_quote", { symbol: "EQNR" }, quote("EQNR", 301 + (scramble(i) % 500) / 100)),
        pause(60_000),
      ]),
    ),
    silent(
      "a quote for each paper",
      times(10, (i) =>
        call("get_quote", { symbol: pick(tickers, i) }, quote(pick(tickers, i), 40 + (scramble(i) % 9000) / 30)),
      ),
    ),
    silent(
      "an order in twelve planned instalments, each at its own price",
      times(12, (i) => [
        call(
          "place_order",
          { symbol: "TEL", side: "buy", qty: 10, type: "limit", limit_price: (118.4 - i * 0.1).toFixed(2) },
          { id: uuid(i), status: "accepted", submitted_at: at(i) },
        ),
        call(
          "get_position",
          { symbol: "TEL" },
          { symbol: "TEL", qty: (i + 1) * 10, avg_entry_price: (118.4 - i * 0.05).toFixed(2) },
        ),
      ]),
    ),
    withoutForce(
      "papers without a dividend",
      times(9, (i) =>
        call(
          "get_corporate_actions",
          { symbol: pick(tickers, i), types: ["dividend"] },
          { corporate_actions: {}, next_page_token: null },
        ),
      ),
    ),
    silent(
      "a person asks five times for her balance",
      times(5, () => [
        message(),
        call("get_account", { account: "paper" }, { cash: "10400.00", equity: "10400.00", status: "ACTIVE" }),
      ]),
    ),
  ]);
});

describe("paper trading, loops", () => {
  check([
    stopped(
      "an order that the account cannot pay",
      times(25, () =>
        fails(
          "place_order",
          { symbol: "YAR", side: "buy", qty: 900, type: "market" },
          '{"code":40310000,"message":"insufficient buying power","buying_power":"10400"}',
        ),
      ),
      { byCall: 5 },
    ),
    noticed(
      "buy and sell the same ten",
      times(10, (i) => [
        call("place_order", { symbol: "TOM", side: "buy", qty: 10 }, { id: uuid(i), status: "filled" }),
        call("place_order", { symbol: "TOM", side: "sell", qty: 10 }, { id: uuid(i + 50), status: "filled" }),
      ]),
      { byCall: 18 },
    ),
    hinted(
      "news in other words, the same single report",
      times(10, (i) =>
        call(
          "search_news",
          {
            query: `${pick(wordings, i)}${i > 4 ? " latest" : ""}`,
            limit: 5 + i,
          },
          [
            {
              id: 771,
              headline: "Yara reports a weaker quarter",
              summary:
                "Deliveries fell by four percent; the board keeps the dividend. Gas " +
                "prices in Europe remain the largest risk, says the chief executive.",
            },
          ],
        ),
      ),
    ),
  ]);
});
