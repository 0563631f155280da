// The runs of one night and the day before it, in a few projects.

/** `hh:mm` on a day of the story, as milliseconds after the first midnight. */
export const at = (text, day = 1) => {
  const [hours, minutes] = text.split(":").map(Number);
  return ((day * 24 + hours) * 60 + minutes) * 60_000;
};

const time = (now) => new Date(now).toISOString().slice(11, 19);
const read = (path, result = `… ${path} …`) => ({ tool: "read", input: { path }, result, secs: 0.3 });
const bash = (command, result, rest = {}) => ({ tool: "bash", input: { command }, result, secs: 8, ...rest });

const migrationSql = [
  "ALTER TABLE orders ADD COLUMN tenant_id uuid;",
  "UPDATE orders o SET tenant_id = c.tenant_id",
  "  FROM customers c WHERE c.id = o.customer_id;",
  "ALTER TABLE orders ALTER COLUMN tenant_id SET NOT NULL;",
  "",
].join("\n");

const failedMigration = (now, pid) =>
  [
    `[${time(now)}] pid ${pid}`,
    "apply 0042_add_tenant_id",
    "backfill: 1,184 rows left",
    'error: column "tenant_id" of relation "orders" contains null values',
    `exit 1 after ${(65 + (pid % 30) / 10).toFixed(1)} s`,
  ].join("\n");

/** A migration that cannot work, run again and again; the user lets it continue and goes to bed. */
export const migration = {
  name: "4c1fe20b",
  startAt: at("00:46"),
  project: "api-server",
  prompt:
    "Add `tenant_id` to `orders`, backfill it from the customer, make it `NOT NULL`, and run the migration. " +
    "Tests must pass.",
  limitUsd: 40,
  maxContextTokens: 48_000,
  opinion: {
    verdict: "stuck",
    advice:
      "1,184 orders have no customer, so the backfill can never fill them. Running it again cannot help: decide what " +
      "happens to these orders first",
  },
  answer: (question, { clock }) => {
    if (question.intervention.level === "halt") return { type: "stop" };
    [migration.mutedEpisode] = question.intervention.id.split("/");
    clock.pass(40);
    return { type: "continue" };
  },
  script: [
    {
      secs: 9,
      text: "I look at how migrations are written here.",
      calls: [
        {
          tool: "glob",
          input: { pattern: "migrations/*.sql" },
          result: "migrations/0040_refunds.sql\nmigrations/0041_tax.sql",
        },
      ],
    },
    { secs: 14, calls: [read("migrations/0041_tax.sql", "ALTER TABLE orders ADD COLUMN tax_cents integer;")] },
    { secs: 16, calls: [read("src/models/order.ts"), read("src/models/customer.ts")] },
    {
      secs: 20,
      calls: [
        { tool: "grep", input: { pattern: "tenant_id", path: "src" }, result: "src/models/customer.ts:9: tenantId" },
      ],
    },
    { secs: 25, calls: [read("package.json", '{ "scripts": { "migrate": "node scripts/migrate.js" } }')] },
    { secs: 30, calls: [read("scripts/migrate.js")] },
    { secs: 22, calls: [bash("git log --oneline -5", "a1b2c3d tax\n9f8e7d6 refunds", { secs: 1 })] },
    {
      secs: 70,
      text:
        "Every order has a `customer_id`, and every customer has a tenant. So:\n\n1. add `tenant_id`, nullable\n" +
        "2. backfill it with one `UPDATE … FROM customers`\n3. set `NOT NULL` and add the foreign key",
      calls: [
        {
          tool: "write",
          input: { path: "migrations/0042_add_tenant_id.sql", content: migrationSql },
          result: "Wrote 4 lines.",
        },
      ],
    },
    ...Array.from({ length: 3 }, (_, n) => ({
      secs: 70,
      text: n === 0 ? "Now the tests of orders." : "I run them again.",
      calls: [
        bash(
          "npm test -- orders",
          "FAIL test/orders.test.ts\nError: Cannot find module '../src/models/tenant'\n1 failed",
          {
            isError: true,
            secs: 34,
          },
        ),
      ],
    })),
    {
      secs: 40,
      text: "The import is wrong; I fix it.",
      calls: [
        {
          tool: "edit",
          input: {
            path: "test/orders.test.ts",
            old: 'from "../src/models/tenant"',
            new: 'from "../src/models/customer"',
          },
          result: "Replaced 1 line.",
        },
      ],
    },
    { secs: 30, calls: [bash("npm test -- orders", "PASS test/orders.test.ts\n48 passed", { secs: 31 })] },
    {
      secs: 45,
      calls: [
        {
          tool: "edit",
          input: {
            path: "src/models/order.ts",
            old: '  total: integer("total_cents"),',
            new: '  tenantId: uuid("tenant_id").notNull(),\n  total: integer("total_cents").notNull(),',
          },
          result: "Replaced 1 line.",
        },
      ],
    },
    { secs: 30, calls: [read("src/models/order.ts"), read("src/db/schema.ts")] },
    { secs: 60, calls: [bash("npm run typecheck", "ok", { secs: 40 })] },
  ],
  afterLast: ({ index, clock, run }) => {
    if (new Date(clock.now()).getTime() >= migration.unmuteAt && !migration.isUnmuted) {
      migration.isUnmuted = true;
      run().control({ type: "unmute", episode: migration.mutedEpisode });
    }
    const texts = [
      "Now the migration.",
      "The backfill may simply need another pass.",
      "It is still backfilling; once more.",
      "I try the migration again.",
    ];
    return {
      secs: 14 + (index % 7),
      text: texts[Math.min(index - 16, 1)] ?? texts[index % texts.length],
      calls: [
        bash("npm run migrate", (now) => failedMigration(now, 48_213 + index * 61), {
          isError: true,
          secs: 66 + (index % 5) / 2,
        }),
      ],
      usage: { input: 21_000 + ((index * 640) % 24_000), cacheRead: 0, output: 240 },
    };
  },
};

const done = (text) => ({ secs: 20, text, calls: [] });

/** Work without a word from the guardian: reads, edits, tests, an answer. */
const plainWork = ({ files, test, passed, answer, count = 8, secs = 30 }) => [
  ...Array.from({ length: count }, (_, n) => ({
    secs,
    calls: [read(files[n % files.length].replace("*", String(n)))],
  })),
  ...files.slice(0, 3).map((path, n) => ({
    secs,
    calls: [
      {
        tool: "edit",
        input: { path: path.replace("*", "1"), old: `const limit = ${n};`, new: `const limit = ${n + 1};` },
        result: "Replaced 1 line.",
      },
    ],
  })),
  { secs, calls: [bash(test, passed, { secs: 45 })] },
  done(answer),
];

/** All stories, oldest first. */
export const stories = [
  {
    name: "1b7702aa",
    startAt: at("10:12", 0),
    project: "infra",
    model: "gpt-5-codex",
    provider: "openai",
    prompt: "Upgrade the cache module.",
    cancelAfterTurns: 3,
    script: [
      { secs: 14, calls: [bash("git checkout release-3", "Switched to branch 'release-3'", { secs: 1 })] },
      { secs: 18, calls: [read("modules/cache/main.tf")] },
      ({ run }) => {
        run().cancel();
        return { secs: 12, calls: [read("modules/cache/variables.tf")] };
      },
    ],
    afterLast: done("Stopped."),
  },
  {
    name: "2f80c3d1",
    startAt: at("11:30", 0),
    project: "api-server",
    limitUsd: 5,
    prompt: "Why is login slow after a cold start?",
    script: plainWork({
      files: ["src/auth/login.ts", "src/auth/session.ts", "src/db/pool.ts"],
      test: "npm test -- auth",
      passed: "31 passed",
      answer:
        "Login is slow after a cold start because the pool opens its first connection inside the request. I open it " +
        "when the server starts; the first login now takes 90 ms instead of 2.1 s.",
      secs: 16,
    }),
    afterLast: done("Done."),
  },
  {
    name: "3a91d7e4",
    startAt: at("14:05", 0),
    project: "web-shop",
    model: "claude-haiku-4-5",
    limitUsd: 1,
    prompt: "Post the release notes of 4.2 to #releases.",
    script: [
      { secs: 10, calls: [read("CHANGELOG.md")] },
      ...Array.from({ length: 4 }, () => ({
        secs: 9,
        text: "I post the notes.",
        calls: [
          {
            tool: "slack_post",
            input: { channel: "#releases", text: "Release 4.2: faster checkout" },
            result: "ok",
            secs: 1,
          },
        ],
      })),
      done("The release notes are posted; a further repeat was refused."),
    ],
    afterLast: done("The release notes are posted; a further repeat was refused."),
  },
  {
    name: "3d55b0c9",
    startAt: at("16:40", 0),
    project: "research",
    model: "gpt-5-codex",
    provider: "openai",
    limitUsd: 2,
    prompt: "Read the 140 vendor pages in vendors.csv and collect their prices.",
    script: [],
    afterLast: ({ index }) => ({
      secs: 11,
      text: `Vendor ${index + 1} of 140.`,
      calls: [
        {
          tool: "web_fetch",
          input: { url: `https://vendors.example/${index + 1}` },
          result: `Plan ${index * 7 + 3} costs ${index * 3 + 9} euros a month; contract ${index * 13 + 101}.`,
          secs: 2,
        },
      ],
      usage: { input: 9_000 + index * 330, output: 120 },
    }),
  },
  migration,
  {
    name: "51c0de77",
    startAt: at("01:20"),
    project: "support",
    model: "gemini-2.5-pro",
    provider: "google",
    limitUsd: 2,
    prompt: "Summarise this week's support tickets.",
    script: [
      ...Array.from({ length: 14 }, (_, n) => ({
        secs: 24,
        calls: [
          read(`tickets/part-${n + 1}.json`, `Ticket ${n * 9 + 1} to ${n * 9 + 9}: delivery, invoice, login ${n}.`),
        ],
        usage: { input: 16_000 + n * 2_400, output: 300 },
      })),
      done("I summarised 126 support tickets into 9 themes; delivery dates are the largest, with 31 tickets."),
    ],
    afterLast: done("Done."),
  },
  {
    name: "58aa41f0",
    startAt: at("04:09"),
    project: "web-shop",
    model: "claude-haiku-4-5",
    limitUsd: 5,
    prompt: "Update the dependencies and make all tests pass.",
    goal: { text: "npm test exits 0", criteria: [{ type: "OutputContains", text: "412 tests pass" }] },
    script: plainWork({
      files: ["package.json", "src/cart/*.ts", "src/checkout/*.ts", "src/pages/*.tsx"],
      test: "npm test",
      passed: "412 passed",
      count: 26,
      answer: "I updated 14 dependencies; all 412 tests pass.",
      secs: 34,
    }),
    afterLast: done("All 412 tests pass."),
  },
  {
    name: "5e02b9c4",
    startAt: at("06:48"),
    project: "media",
    limitUsd: 5,
    prompt: "The image worker leaks memory. Find out why and fix it.",
    script: [
      ...Array.from({ length: 9 }, (_, n) => ({ secs: 30, calls: [read(`src/worker/stage-${n}.ts`, `stage ${n}`)] })),
      ...Array.from({ length: 3 }, (_, n) => ({
        secs: 40,
        text: n === 0 ? "I run the load test." : "Once more.",
        calls: [
          bash("npm run load", "rss grows: 410 MB → 1.9 GB\nError: heap limit reached", { isError: true, secs: 60 }),
        ],
      })),
      {
        secs: 50,
        text: "I open the heap snapshot instead.",
        calls: [bash("node tools/heap.js worker.heapsnapshot", "Buffer: 1.4 GB held by cache.js", { secs: 20 })],
      },
      ...["src/worker/cache.ts", "src/worker/queue.ts"].map((path) => ({
        secs: 60,
        calls: [
          {
            tool: "edit",
            input: { path, old: "cache.set(key, image);", new: "cache.set(key, image, { ttl: 60 });" },
            result: "Replaced 1 line.",
          },
        ],
      })),
      { secs: 40, calls: [bash("npm run load", "rss stays at 420 MB\nok", { secs: 60 })] },
      done("Found the memory leak in the image worker and fixed it in 2 files: the cache never expired."),
    ],
    afterLast: done("Done."),
  },
];
