import {
  asTurns,
  call,
  compacted,
  fails,
  message,
  mute,
  pause,
  play,
  type ScriptStep,
  says,
  times,
  turn,
} from "@sheepdog/guardian/testing";
import { describe, expect, test } from "vitest";

// What a careful reader of each run would say, and by when; decided before the detectors were asked. `test.fails`
// marks what they still miss.

/**
 * Something is said, not before the second occurrence (`from`), and by the time a careful observer would have spoken
 * (`by`): both 0-based calls.
 */
function told(script: readonly ScriptStep[], { from, by }: { readonly from: number; readonly by: number }): void {
  const first = play(script).interventions[0];
  expect(first, "nothing was said").toBeDefined();
  const what = `${first?.detector} ${first?.level}`;
  expect(first?.call ?? -1, `${what}: too early`).toBeGreaterThanOrEqual(from);
  expect(first?.call ?? -1, `${what}: too late`).toBeLessThanOrEqual(by);
}

/** Nothing is said at all. */
function undisturbed(script: readonly ScriptStep[]): void {
  expect(play(script).interventions.map((each) => `${each.detector} ${each.level} at call ${each.call}`)).toEqual([]);
}

/** Eight hexadecimal digits that look drawn by lot and are the same in every run. */
function hex(i: number): string {
  return (((i + 1) * 2654435761) % 4294967296).toString(16).padStart(8, "0");
}

function two(i: number): string {
  return String(i).padStart(2, "0");
}

describe("loops that must be found", () => {
  test("an order that does not exist, looked up in every spelling of its number", () => {
    const spellings = ["W58210", "#W58210", "w58210", "W-58210", "58210", "ORD-W58210", "#58210", "W 58210"];
    told(asTurns(spellings.map((order_id) => call("orders.lookup", { order_id }, { error: "order not found" }))), {
      from: 1,
      by: 4,
    });
  });

  test("the same goodwill refund paid out again and again", () => {
    told(
      times(8, (i) =>
        call(
          "payments.issue_refund",
          { order_id: "A-20931", amount: 42.5, reason: "goodwill" },
          { refund_id: `re_${hex(i)}`, status: "succeeded", amount: 42.5 },
        ),
      ),
      { from: 1, by: 4 },
    );
  });

  test("a form sent again though it says it was already submitted", () => {
    const fill = call(
      "browser_fill_form",
      { form: "#grant-application", values: { name: "Ada Brandt", year: "2024" } },
      "4 fields filled",
    );
    const send = (answer: string) => call("browser_click", { selector: "button[type=submit]" }, answer);
    told(
      [
        ...asTurns([fill, send('<div class="alert ok">Thank you, your application was received.</div>')]),
        ...times(7, () => [fill, send('<div class="alert warn">You have already submitted this application.</div>')]),
      ],
      { from: 2, by: 9 },
    );
  });

  test("a crashing pod looked at from two sides, with only its age moving", () => {
    told(
      times(8, (i) => [
        call(
          "kubectl",
          { args: "get pods -n shop" },
          "NAME             READY   STATUS             RESTARTS   AGE\ncheckout-7d9f    0/1     " +
            `CrashLoopBackOff   6          14m${10 + i}s`,
        ),
        call(
          "kubectl",
          { args: "logs checkout-7d9f -n shop --tail=3" },
          "starting checkout\nreading /etc/checkout/config.yaml\nfatal: config.yaml: no such file or directory",
        ),
      ]),
      { from: 2, by: 9 },
    );
  });

  test("terraform apply against a lock that nobody releases", () => {
    told(
      times(7, (i) =>
        fails(
          "terraform",
          { command: "apply", dir: "infra/prod", auto_approve: true },
          "Error: Error acquiring the state lock\n\nConditionalCheckFailedException: The conditional " +
            `request failed, RequestID: ${hex(i).toUpperCase()}\nLock Info:\n  ID: 5f0c1d7e\n  Who: ` +
            "ci@runner-3",
        ),
      ),
      { from: 1, by: 4 },
    );
  });

  test("a pipeline job retried without a change, and its log read each time", () => {
    told(
      times(8, (i) => [
        call("gitlab_retry_job", { project: "shop/api", job: "integration" }, { id: 88120 + i, status: "pending" }),
        call(
          "gitlab_get_job",
          { project: "shop/api", job: "integration" },
          { id: 88120 + i, status: "failed", failure_reason: "script_failure" },
        ),
        call(
          "gitlab_job_trace",
          { project: "shop/api", job: "integration" },
          "$ make integration\nmissing credentials for registry.internal\nmake: *** [integration] Error 1",
        ),
      ]),
      { from: 3, by: 14 },
    );
  });

  test("a red property test run over and over in the hope that it turns green", () => {
    told(
      times(9, (i) =>
        call(
          "cargo_test",
          { package: "ledger" },
          "running 212 tests\ntest rounding::halves ... FAILED\nthread 'rounding::halves' panicked at " +
            "src/rounding.rs:88:9: left: 3, right: 2\ntest result: FAILED. 211 passed; 1 failed; finished in " +
            `3.${two(i * 7)}s`,
        ),
      ),
      { from: 1, by: 4 },
    );
  });

  test("one query in seven notations, always the same three rows", () => {
    const queries = [
      "SELECT region, SUM(total) FROM sales GROUP BY region",
      "select region, sum(total) from sales group by region",
      "SELECT s.region, SUM(s.total) FROM sales s GROUP BY s.region",
      "SELECT region, SUM(total) AS total FROM sales GROUP BY region;",
      "SELECT sales.region, SUM(sales.total) FROM sales GROUP BY 1",
      "SELECT region, SUM(total)\nFROM sales\nGROUP BY region",
      "SELECT t.region, SUM(t.total) FROM sales AS t GROUP BY t.region",
    ];
    told(
      asTurns(
        queries.map((query) => call("execute_sql", { query }, "north | 1820\nsouth | 944\nwest  | 1207\n(3 rows)")),
      ),
      { from: 1, by: 5 },
    );
  });

  test("a column that is not there, asked for in one notebook cell after the other", () => {
    const cells = [
      'df["revenue"].sum()',
      "df['revenue'].sum()",
      'df.loc[:, "revenue"].sum()',
      'df[["revenue"]].sum()',
      'df.groupby("region")["revenue"].sum()',
      'df["revenue"].astype(float).sum()',
      'sum(df["revenue"])',
      'df["revenue"].agg("sum")',
    ];
    told(
      asTurns(
        cells.map((source, i) =>
          fails(
            "run_notebook_cell",
            { source },
            `KeyError                 Traceback (most recent call last)\nCell In[${12 + i}], line 1\n` +
              "KeyError: 'revenue'",
          ),
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("hyperparameters turned while the score does not move by a digit", () => {
    const rates = [0.1, 0.05, 0.03, 0.01, 0.005, 0.003, 0.001, 0.0005, 0.0001, 0.2];
    told(
      asTurns(
        rates.map((learning_rate) =>
          call("train_model", { dataset: "churn", learning_rate }, { val_auc: 0.5, loss: 1.0986 }),
        ),
      ),
      { from: 1, by: 6 },
    );
  });

  test("a page opened again after being sent back to the sign-in", () => {
    told(
      times(7, () => [
        call(
          "browser_navigate",
          { url: "https://portal.example.com/account/invoices" },
          '<h1>Sign in</h1><p>Please sign in to continue.</p><a href="/">Back to overview</a>',
        ),
        call(
          "browser_click",
          { selector: "text=Back to overview" },
          "<h1>Welcome to the portal</h1><nav>Products Support Account</nav>",
        ),
      ]),
      { from: 2, by: 8 },
    );
  });

  test.fails("a paper that was never written, sought in three catalogues with ever new words", () => {
    const titles = [
      "attention horizons in sparse reefs",
      "sparse reef attention horizon",
      "attention horizons Okafor 2021",
      "reef sparse attention Okafor",
      "horizons of attention, reefs",
    ];
    told(
      asTurns(
        titles.flatMap((title) => [
          call("semantic_scholar.search", { query: title }, { total: 0, data: [] }),
          call("arxiv_search", { q: title, max_results: 10 }, "0 results"),
          call("crossref.works", { "query.title": title }, { items: [] }),
        ]),
      ),
      { from: 3, by: 10 },
    );
  });

  test("the right hit on top of every search, and never opened", () => {
    const queries = [
      "visa requirements Vietnam German citizens",
      "Vietnam visa Germans",
      "do German citizens need a visa for Vietnam",
      "Vietnam entry rules Germany passport",
      "visa exemption Vietnam Germany",
      "Germans travelling to Vietnam visa",
      "Vietnam visa requirement for German passport holders",
      "Vietnam German visa rules 2024",
    ];
    told(
      asTurns(
        queries.map((query, i) =>
          call(
            "google_search",
            { query },
            `About 1,340 results (0.${31 + i} seconds)\n1. Vietnam: entry and visa – ` +
              "auswaertiges-amt.de/vietnam\n2. Vietnam e-Visa portal – evisa.gov.vn\n3. Visa policy of " +
              "Vietnam – wikipedia.org",
          ),
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("the same two passages retrieved for every wording of the question", () => {
    const questions = [
      "How long is the notice period for tenants?",
      "notice period tenant",
      "tenant termination notice length",
      "How many months' notice must a tenant give?",
      "What notice does the lease require?",
      "lease notice period months",
      "period of notice for the tenant",
      "termination of lease by tenant: notice",
      "tenant's notice",
      "how much notice before moving out",
    ];
    told(
      asTurns(
        questions.map((query) =>
          call(
            "retrieve_documents",
            { query, top_k: 2 },
            {
              chunks: [
                { doc: "lease.pdf#4", text: "The deposit is three months' rent and is held in escrow." },
                { doc: "lease.pdf#9", text: "Pets need the landlord's consent." },
              ],
            },
          ),
        ),
      ),
      { from: 1, by: 6 },
    );
  });

  test.fails("one meeting put into the calendar seven times", () => {
    const notes = [
      "Quarterly review",
      "Quarterly review with finance",
      "Review of the quarter",
      "Quarterly review (finance)",
      "Q3 review",
      "Quarterly review.",
      "Review Q3 with finance",
    ];
    told(
      asTurns(
        notes.map((description, i) =>
          call(
            "calendar.create_event",
            {
              title: "Q3 review",
              start: "2024-10-07T10:00",
              end: "2024-10-07T11:00",
              attendees: ["kim@example.com"],
              description,
            },
            { id: `evt_${hex(i)}`, status: "confirmed" },
          ),
        ),
      ),
      { from: 1, by: 4 },
    );
  });

  test("a phone number the CRM refuses in every notation", () => {
    const phones = [
      "+49 30 1234",
      "0049301234",
      "+49301234",
      "030/1234",
      "(030) 1234",
      "+49-30-1234",
      "49 30 1234",
      "030 12 34",
    ];
    told(
      asTurns(
        phones.map((phone, i) =>
          fails(
            "hubspot_update_contact",
            { id: 5512, properties: { phone } },
            `400 Bad Request: {"message":"Property values were not valid: phone has too few ` +
              `digits","correlationId":"${hex(i)}-${hex(i + 40)}"}`,
          ),
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("a transition Jira does not offer, tried after each look at the ones it does", () => {
    told(
      times(6, () => [
        call("jira_get_transitions", { issue: "OPS-412" }, [
          { id: "11", name: "Start progress" },
          { id: "21", name: "Close" },
        ]),
        fails(
          "jira_transition_issue",
          { issue: "OPS-412", transition: "31" },
          "Transition id '31' is not valid for this issue.",
        ),
      ]),
      { from: 2, by: 8 },
    );
  });

  test("a button blue, dark blue, blue, dark blue", () => {
    const paint = (color: string) => call("figma_set_fill", { node: "12:88", color }, { ok: true, node: "12:88" });
    told(
      times(6, () => [paint("#1A73E8"), paint("#0B57D0")]),
      { from: 2, by: 9 },
    );
  });

  test("a room that does not get warmer within a second", () => {
    told(
      times(7, () => [
        call("home.set_temperature", { room: "study", celsius: 21 }, { ok: true, target: 21 }),
        call("home.get_temperature", { room: "study" }, { celsius: 18.9, heating: true }),
      ]),
      { from: 2, by: 9 },
    );
  });

  test("one song queued again and again", () => {
    told(
      times(7, () => call("spotify_add_to_queue", { uri: "spotify:track:4uLU6hMCjMI75M1A2tKUQC" }, "Added to queue")),
      { from: 1, by: 4 },
    );
  });

  test("a picture the safety filter refuses, reworded", () => {
    const prompts = [
      "a famous politician as a clown, photo",
      "photo of a famous politician dressed as a clown",
      "a well-known politician in clown make-up, photorealistic",
      "politician, clown costume, realistic photograph",
      "realistic clown who is a famous politician",
      "photorealistic portrait, famous politician, clown nose",
      "clown politician photo",
      "a photo: politician with clown wig",
    ];
    told(
      asTurns(
        prompts.map((prompt, i) =>
          fails(
            "generate_image",
            { prompt, size: "1024x1024" },
            `Your request was rejected by the safety system (public figures). Request id req_${hex(i)}`,
          ),
        ),
      ),
      { from: 1, by: 4 },
    );
  });

  test("two sentences translated in turn, each as before", () => {
    told(
      times(6, () => [
        call(
          "deepl_translate",
          { text: "Das Angebot ist freibleibend.", target: "EN" },
          "The offer is subject to change.",
        ),
        call("deepl_translate", { text: "Es gelten unsere AGB.", target: "EN" }, "Our terms and conditions apply."),
      ]),
      { from: 2, by: 7 },
    );
  });

  test("a colleague agent asked again, who answers as before", () => {
    const questions = [
      "Is clause 7 enforceable?",
      "Could you check whether clause 7 can be enforced?",
      "Please assess the enforceability of clause 7.",
      "What is your opinion on clause 7?",
      "Legal view on clause 7, please.",
      "Clause 7: enforceable or not?",
      "I need your assessment of clause 7.",
    ];
    told(
      asTurns(
        questions.map((question) =>
          call(
            "ask_agent",
            { agent: "legal", question },
            "I do not have the contract. Please attach the document, then I can assess clause 7.",
          ),
        ),
      ),
      { from: 1, by: 4 },
    );
  });

  test("walking into the same wall, looking around, and walking into it again", () => {
    told(
      times(7, () => [
        call("nethack_move", { direction: "north" }, "You bump into the wall."),
        call("nethack_look", {}, "------\n|..@.|\n|....+\n------"),
      ]),
      { from: 2, by: 8 },
    );
  });

  test("from the hall to the kitchen and back", () => {
    const hall = "Hall. A dusty mirror. Exits: west, up.";
    const kitchen = "Kitchen. A cold stove. Exits: east.";
    told(
      times(6, () => [
        call("adventure_command", { input: "go west" }, kitchen),
        call("adventure_command", { input: "go east" }, hall),
      ]),
      { from: 2, by: 9 },
    );
  });

  test("a gripper that closes on air at the same pose each time", () => {
    told(
      times(6, () => [
        call("arm.move_to", { x: 0.412, y: -0.08, z: 0.115 }, { reached: true }),
        call("gripper.close", { force: 20 }, { grasped: false, force_n: 0 }),
        call("gripper.open", {}, { ok: true }),
      ]),
      { from: 3, by: 14 },
    );
  });

  test("a shop that turns the scraper away, whatever it calls itself", () => {
    const agents = [
      "Mozilla/5.0",
      "curl/8.4",
      "Mozilla/5.0 (Macintosh)",
      "Googlebot/2.1",
      "Mozilla/5.0 (X11; Linux)",
      "python-requests/2.31",
      "Mozilla/5.0 (iPhone)",
      "Wget/1.21",
    ];
    told(
      asTurns(
        agents.map((agent, i) =>
          fails(
            "http_get",
            { url: "https://shop.example.com/p/311", headers: { "User-Agent": agent } },
            "403 Forbidden\n<html><title>Attention Required!</title><p>Sorry, you have been " +
              `blocked</p><span>Ray ID: ${hex(i)}</span></html>`,
          ),
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("a migration with two heads, counted and tried again", () => {
    told(
      times(6, () => [
        call("run_command", { command: "alembic current" }, "9a1f (branchpoint)"),
        call("run_command", { command: "alembic heads" }, "c41e (head)\nd870 (head)"),
        fails(
          "run_command",
          { command: "alembic upgrade head" },
          "FAILED: Multiple head revisions are present for given argument 'head'",
        ),
      ]),
      { from: 3, by: 11 },
    );
  });

  test("an image scanned again, with the same findings", () => {
    told(
      times(7, (i) =>
        call(
          "trivy_scan",
          { image: "registry.internal/api:1.14" },
          `2024-06-02T11:0${i}:2${i}Z INFO Vulnerability scanning is enabled\nregistry.internal/api:1.14 ` +
            "(debian 12.5)\nTotal: 31 (HIGH: 4, CRITICAL: 1)\nCVE-2024-3094 xz-utils CRITICAL",
        ),
      ),
      { from: 1, by: 4 },
    );
  });

  test("a degraded canary that cannot be promoted", () => {
    told(
      times(7, () => [
        call(
          "argo_rollouts_get",
          { name: "checkout" },
          "Name: checkout\nStatus: Degraded\nStep: 2/8\nSetWeight: 20\nMessage: metric success-rate assessed Failed",
        ),
        fails("argo_rollouts_promote", { name: "checkout" }, "error: cannot promote: rollout is aborted"),
      ]),
      { from: 2, by: 8 },
    );
  });

  test("the same free hours asked for, with the people named in another order", () => {
    const people = ["kim", "lee", "noor", "sam"];
    told(
      times(7, (i) =>
        call(
          "calendar.freebusy",
          {
            attendees: [...people.slice(i % 4), ...people.slice(0, i % 4)],
            from: "2024-09-02",
            to: "2024-09-06",
            minutes: 60,
          },
          { common_free: [], busy: { kim: "Mon-Wed", lee: "Thu", noor: "Fri", sam: "Tue" } },
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("ten pieces reserved of a stock of three", () => {
    told(
      times(7, (i) =>
        call(
          "inventory.reserve",
          { sku: "KB-104", quantity: 10, request_ref: `rsv-${hex(i)}` },
          { error: "INSUFFICIENT_STOCK", requested: 10, available: 3 },
        ),
      ),
      { from: 1, by: 4 },
    );
  });

  test("a layer reprojected into the system it is already in", () => {
    told(
      times(6, () => [
        call("gis.reproject", { layer: "parcels", to: "EPSG:4326" }, "parcels is already in EPSG:4326; nothing to do"),
        call(
          "gis.layer_info",
          { layer: "parcels" },
          { crs: "EPSG:4326", features: 18211, bounds: [9.7, 52.3, 10.1, 52.5] },
        ),
      ]),
      { from: 2, by: 8 },
    );
  });

  test("a workflow in a locked directory, with more cores each time", () => {
    told(
      asTurns(
        [4, 8, 12, 16, 2, 1, 6, 24].map((cores) =>
          fails(
            "snakemake",
            { snakefile: "rnaseq.smk", cores },
            "LockException:\nError: Directory cannot be locked. Please make sure that no other Snakemake " +
              "process is running.\nIf you are sure, use --unlock.",
          ),
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("a dependency conflict that no spelling of install resolves", () => {
    const commands = [
      "npm install react@18.2.0",
      "npm i react@18.2.0",
      "npm install --save react@18.2.0",
      "npm add react@18.2.0",
      "npm install react@18.2.0 --save-exact",
      "npm i -S react@18.2.0",
      "npm install 'react@18.2.0'",
    ];
    told(
      asTurns(
        commands.map((command, i) =>
          fails(
            "shell",
            { command },
            "npm ERR! code ERESOLVE\nnpm ERR! ERESOLVE unable to resolve dependency tree\nnpm ERR! peer " +
              `react@"^17.0.0" from old-datepicker@3.1.4\nnpm ERR! A complete log of this run can be found ` +
              `in: /home/dev/.npm/_logs/2024-03-01T10_1${i}_22_${310 + i * 13}Z-debug-0.log`,
          ),
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("the guidelines and their three sections, read from the start again and again", () => {
    told(
      times(6, () => [
        call("get_guidelines", {}, "Handbook. See sections tone, refunds, escalation."),
        call("get_guideline_section", { section: "tone" }, "Be friendly and brief. Do not promise dates."),
        call(
          "get_guideline_section",
          { section: "refunds" },
          "Refunds up to 100 EUR without approval, within 30 days.",
        ),
        call("get_guideline_section", { section: "escalation" }, "Hand over to a person on legal threats."),
      ]),
      { from: 4, by: 15 },
    );
  });

  test("two hopeless attempts, interleaved, with honest reading in between", () => {
    told(
      times(8, (i) => [
        fails(
          "zendesk_update_ticket",
          { ticket: 7710, status: "solved" },
          "422: ticket 7710 is locked by another agent",
        ),
        call(
          "zendesk_get_ticket",
          { ticket: 7800 + i },
          { id: 7800 + i, subject: `Question about invoice ${4100 + i * 17}`, status: "open" },
        ),
        fails(
          "shipping.create_label",
          { parcel: "P-33", carrier: "dhl" },
          `carrier gateway timed out after ${30000 + i * 11} ms`,
        ),
        call(
          "zendesk_get_user",
          { user: 900 + i * 3 },
          { id: 900 + i * 3, name: `Customer ${hex(i)}`, plan: i % 2 ? "pro" : "free" },
        ),
      ]),
      { from: 4, by: 22 },
    );
  });

  test("one missing variable, complained about in three wordings", () => {
    const complaints = [
      "Deployment failed: missing environment variable DATABASE_URL",
      "Error: DATABASE_URL is not set",
      "Could not start the container: environment variable DATABASE_URL is undefined",
    ] as const;
    told(
      times(4, () =>
        complaints.map((complaint) => fails("deploy_preview", { service: "web", branch: "main" }, complaint)),
      ),
      { from: 1, by: 7 },
    );
  });

  test("a file moved into the archive and out of it", () => {
    told(
      times(6, () => [
        call("move_file", { from: "/inbox/scan_0042.pdf", to: "/archive/2023/scan_0042.pdf" }, "moved"),
        call("move_file", { from: "/archive/2023/scan_0042.pdf", to: "/inbox/scan_0042.pdf" }, "moved"),
      ]),
      { from: 2, by: 9 },
    );
  });

  test("the quote of a closed market, asked for without waiting", () => {
    told(
      times(12, (i) =>
        call(
          "get_quote",
          { symbol: "SAP.DE" },
          { symbol: "SAP.DE", last: 182.34, market: "closed", served_at: `2024-05-04T18:02:${two(10 + i)}Z` },
        ),
      ),
      { from: 1, by: 6 },
    );
  });

  test("an order there is no money for, a share smaller each time", () => {
    told(
      times(9, (i) =>
        fails(
          "broker.place_order",
          { symbol: "MSFT", side: "buy", quantity: 100 - i, type: "market" },
          "Rejected: insufficient buying power (account is restricted to closing trades)",
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("metrics whose names are guessed", () => {
    const names = [
      "checkout_errors_total",
      "checkout_error_total",
      "errors_checkout_total",
      "checkout_failures_total",
      "checkout_failed_total",
      "checkout_request_errors_total",
      "checkout_http_errors_total",
      "checkout_error_count",
      "checkout_errors",
      "checkout_5xx_total",
    ];
    told(
      asTurns(
        names.map((name) =>
          call("prometheus_query", { query: `rate(${name}[5m])` }, { resultType: "vector", result: [] }),
        ),
      ),
      { from: 1, by: 7 },
    );
  });

  test("the same transfer made again after each word of the customer", () => {
    const memos = [
      "Rent May",
      "rent for May",
      "May rent",
      "Rent (May)",
      "Rent, May",
      "Rent May 2024",
      "monthly rent May",
      "Rent 05/2024",
    ];
    told(
      asTurns(
        memos.flatMap((memo, i) => [
          message(),
          call(
            "bank.transfer",
            { to: "DE02120300000000202051", amount: 850, memo },
            { status: "executed", reference: `TX${hex(i)}` },
          ),
        ]),
      ),
      { from: 1, by: 6 },
    );
  });

  test("an issue that stays in review however often it is set to done", () => {
    told(
      times(7, (i) => [
        call(
          "mcp__linear__update_issue",
          { id: "ENG-77", state: "Done" },
          {
            success: true,
            issue: { id: "ENG-77", state: "In Review", updatedAt: `2024-02-11T09:1${i}:03.${100 + i * 37}Z` },
          },
        ),
        call("mcp__linear__get_issue", { id: "ENG-77" }, { id: "ENG-77", title: "Flaky login", state: "In Review" }),
      ]),
      { from: 2, by: 8 },
    );
  });

  test("a formula quoted in nine ways over a sheet that is not there", () => {
    const formulas = [
      "=SUM(Q1!B2:B)",
      "=SUM('Q1'!B2:B)",
      "=SUM(Q1!$B$2:$B)",
      "=SUM(Q1!B2:B1000)",
      "=SUM( Q1!B2:B )",
      "=sum(Q1!B2:B)",
      "=SUM('Q1'!$B$2:$B)",
      "=SUM(Q1!B2:B999)",
      "=+SUM(Q1!B2:B)",
    ];
    told(
      asTurns(
        formulas.map((value) =>
          call("sheets.set_cell", { sheet: "Summary", cell: "D2", value }, { updatedCells: 1, computed: "#REF!" }),
        ),
      ),
      {
        from: 1,
        by: 6,
      },
    );
  });

  test("scrolling on at the end of the page", () => {
    const posts = [
      "Post 1: moving house\nPost 2: bread",
      "Post 3: winter tyres\nPost 4: a lost cat",
      "Post 5: choir\nPost 6: flea market",
    ];
    told(
      [
        ...asTurns(posts.map((text) => call("browser_scroll", { direction: "down" }, text))),
        ...times(8, () =>
          call("browser_scroll", { direction: "down" }, "Post 7: thanks\n— you have reached the end —"),
        ),
      ],
      { from: 4, by: 7 },
    );
  });

  test("a button under a cookie banner, clicked by every selector", () => {
    const selectors = [
      "#buy",
      "button#buy",
      "text=Buy now",
      "//button[@id='buy']",
      ".btn-primary",
      "button:has-text('Buy')",
      "main #buy",
      "form button",
    ];
    told(
      asTurns(
        selectors.map((selector, i) =>
          fails(
            "browser_click",
            { selector },
            `Element is not clickable at point (${410 + i}, ${630 - i}): <div class="cookie-banner"> would ` +
              "receive the click",
          ),
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test.fails("una reserva que no existe", () => {
    const codes = ["QX7P2L", "qx7p2l", "QX7-P2L", "QX 7P2L", "OX7P2L", "QX7P21", "QX7P2I", "QXP72L"];
    told(
      asTurns(
        codes.map((localizador) =>
          call(
            "buscar_reserva",
            { localizador, apellido: "Muñoz" },
            "No se encontró ninguna reserva con ese localizador.",
          ),
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("one product worked out in every order of its factors", () => {
    const expressions = [
      "1240*0.19",
      "0.19*1240",
      "1240 * 0.19",
      "(1240*0.19)",
      "1240*19/100",
      "19*1240/100",
      "0.19 * 1240",
      "1240*0.190",
    ];
    told(asTurns(expressions.map((expression) => call("calculator", { expression }, "235.6"))), { from: 1, by: 5 });
  });

  test("a flag that is in no file, sought with every switch of the tool", () => {
    const commands = [
      "grep -rn legacyFlag src",
      "grep -rni legacyFlag src",
      "grep -rnw legacyFlag src",
      "grep -rn 'legacyFlag' src/",
      "grep -R legacyFlag src",
      "grep -rnF legacyFlag src",
      "grep -rnE 'legacyFlag' src",
      "grep -rl legacyFlag src",
      "grep -rin 'legacyflag' ./src",
      "rg legacyFlag src",
    ];
    told(asTurns(commands.map((command) => call("terminal", { command }, ""))), { from: 1, by: 7 });
  });

  test("one article of the help centre, fetched by number, name and address", () => {
    const article =
      "Returning a parcel\n\n" +
      `${(
        "Put the goods into the original box, stick the label on it and bring it to a parcel shop within fourteen " +
          "days. "
      ).repeat(12)}`;
    const ways = [{ id: 4412 }, { slug: "returning-a-parcel" }, { url: "https://help.example.com/a/4412" }];
    told(
      times(4, () => ways.map((way) => call("kb.get_article", way, article))),
      { from: 1, by: 6 },
    );
  });

  test("a base image changed to and fro, each failing in its own way", () => {
    const set = (from: string, to: string) =>
      call("edit_file", { path: "Dockerfile", old: `FROM node:${from}`, new: `FROM node:${to}` }, "1 replacement");
    const build = (error: string) => fails("docker_build", { tag: "web:dev" }, error);
    told(
      times(5, () => [
        set("18", "20"),
        build("ERROR: node-sass@7 does not support Node.js 20"),
        set("20", "18"),
        build("ERROR: engine-strict: vite@6 requires Node.js >=20"),
      ]),
      { from: 4, by: 15 },
    );
  });

  test("an interface that ignores the requested page", () => {
    const rows = [
      { id: 1, name: "Aydin GmbH" },
      { id: 2, name: "Brandt AG" },
      { id: 3, name: "Costa Ltd" },
    ];
    told(
      times(10, (i) => call("api.list_customers", { page: i + 1, per_page: 3 }, { total: 57, customers: rows })),
      { from: 1, by: 5 },
    );
  });

  test("three stocks checked at once, time after time", () => {
    const skus = ["MUG-1", "MUG-2", "MUG-3"];
    told(
      times(6, () =>
        turn(...skus.map((sku, i) => call("warehouse.stock", { sku, site: "LEJ" }, { sku, on_hand: 14 + i * 3 }))),
      ),
      { from: 3, by: 14 },
    );
  });

  test("pushed, rejected, pulled, nothing new, pushed", () => {
    told(
      times(6, () => [
        fails(
          "git_push",
          { remote: "origin", branch: "release" },
          "! [remote rejected] release -> release (protected branch hook declined)",
        ),
        call("git_pull", { remote: "origin", branch: "release" }, "Already up to date."),
      ]),
      { from: 2, by: 7 },
    );
  });

  test("a one-time code that is guessed", () => {
    const codes = ["123456", "000000", "111111", "654321", "123123", "999999", "112233", "121212"];
    told(asTurns(codes.map((code) => fails("auth.verify_code", { phone: "+4915112345", code }, "Invalid code."))), {
      from: 1,
      by: 5,
    });
  });

  test("a patch whose context never fits", () => {
    told(
      times(8, (i) =>
        fails(
          "apply_patch",
          {
            patch:
              `--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -${40 + i},3 +${40 + i},3 @@\n fn total(&self) -> u64 ` +
              "{\n-    self.items.iter().sum()\n+    self.items.iter().copied().sum()",
          },
          `error: patch failed: src/lib.rs:${40 + i}\nerror: src/lib.rs: patch does not apply`,
        ),
      ),
      { from: 1, by: 5 },
    );
  });

  test("an empty inbox, looked into without a breath", () => {
    told(
      times(14, (i) =>
        call(
          "imap_check",
          { folder: "INBOX", from: "noreply@verify.example.com" },
          { unread: 0, messages: [], checked_at: 1714000000 + i },
        ),
      ),
      { from: 1, by: 7 },
    );
  });

  test("a citation looked up again before each sentence that is never written", () => {
    const peeks = ["methods", "results", "discussion", "limitations", "conclusion", "appendix"];
    told(
      asTurns(
        peeks.flatMap((section) => [
          call(
            "zotero_get_item",
            { key: "ABCD1234" },
            { title: "Sleep and memory", year: 2013, doi: "10.1152/physrev.00032.2012" },
          ),
          call("outline.show", { section }, `${section}: (empty)`),
        ]),
      ),
      { from: 2, by: 10 },
    );
  });

  test("a device that is offline, addressed through every service of the house", () => {
    const attempts: readonly (readonly [string, unknown])[] = [
      ["home.turn_on", { entity: "light.hall" }],
      ["home.set_brightness", { entity: "light.hall", value: 80 }],
      ["home.toggle", { entity: "light.hall" }],
      ["home.set_color", { entity: "light.hall", color: "warm" }],
      ["home.turn_on", { entity: "light.hall", transition: 1 }],
      ["home.set_brightness", { entity: "light.hall", value: 100 }],
      ["home.turn_off", { entity: "light.hall" }],
      ["home.turn_on", { entity: "light.hall" }],
    ];
    told(
      asTurns(attempts.map(([tool, args]) => fails(tool, args, "light.hall is unavailable (last seen 3 days ago)"))),
      { from: 1, by: 5 },
    );
  });

  test("the rows imported well, and imported well once more", () => {
    told(
      times(7, (i) =>
        call(
          "crm.import_csv",
          { file: "leads_may.csv", mode: "append" },
          { imported: 214, skipped: 0, batch: `b-${hex(i)}` },
        ),
      ),
      { from: 1, by: 4 },
    );
  });
});

describe("work that must not be disturbed", () => {
  test("twenty contacts created, each just acknowledged", () => {
    const names = [
      "Abel",
      "Berg",
      "Cruz",
      "Diaz",
      "Eder",
      "Fink",
      "Gora",
      "Haas",
      "Ivic",
      "Jung",
      "Kern",
      "Lang",
      "Maas",
      "Noll",
      "Opel",
      "Park",
      "Quast",
      "Roth",
      "Senn",
      "Thal",
    ];
    undisturbed(
      asTurns(names.map((name) => call("crm.create_contact", { last_name: name, company: "Fair 2024" }, "created"))),
    );
  });

  test("an invoice whose refusals each name another missing field", () => {
    const fields = ["customer_id", "currency", "due_date", "tax_rate", "line_items", "iban"];
    const invoice = (count: number) =>
      Object.fromEntries(fields.slice(0, count).map((field, i) => [field, `value ${i}`]));
    undisturbed([
      ...asTurns(
        fields.map((field, i) => fails("billing.create_invoice", invoice(i), `422: field '${field}' is required`)),
      ),
      turn(call("billing.create_invoice", invoice(fields.length), { id: "INV-2024-118", status: "draft" })),
    ]);
  });

  test("a gauge read on while its numbers move", () => {
    const loads = [71.2, 73.9, 78.4, 84.1, 88.8, 91.3, 90.2, 84.7, 77.5, 69.1, 60.4, 52.8];
    undisturbed(asTurns(loads.map((value) => call("get_metric", { name: "cpu_percent", host: "db-1" }, { value }))));
  });

  test("an export that is busy at first, asked for at growing distances", () => {
    const busy = fails("export.start", { dataset: "orders_2023" }, "503 Service Unavailable (Retry-After)");
    undisturbed(
      asTurns([
        busy,
        pause(5_000),
        busy,
        pause(20_000),
        busy,
        pause(60_000),
        call("export.start", { dataset: "orders_2023" }, { job: "exp-9", state: "done", rows: 48211 }),
        call("export.download", { job: "exp-9" }, "order_id,total\n1,20.00\n2,14.50"),
      ]),
    );
  });

  test("the same report, because the user asks for it again", () => {
    undisturbed(
      times(6, () => [
        message(),
        call("reports.generate", { kind: "weekly_sales", week: 22 }, "Week 22\nOrders 1,204\nRevenue 88,120 EUR"),
        says("Here is the report for week 22."),
      ]),
    );
  });

  test("a configuration validated after each change", () => {
    const files = ["vpc", "subnets", "gateway", "cluster", "nodes", "dns", "bucket", "alarms"];
    undisturbed(
      asTurns(
        files.flatMap((file, i) => [
          call("edit_file", { path: `infra/${file}.tf`, old: `count = ${i}`, new: `count = ${i + 2}` }, "ok"),
          call("terraform", { command: "validate", dir: "infra" }, "Success! The configuration is valid."),
        ]),
      ),
    );
  });

  test("sixteen language files that look alike", () => {
    const words = [
      "Speichern",
      "Save",
      "Enregistrer",
      "Guardar",
      "Salva",
      "Zapisz",
      "Opslaan",
      "Spara",
      "Lagre",
      "Gem",
      "Tallenna",
      "Uložit",
      "Mentés",
      "Salvare",
      "Kaydet",
      "保存",
    ];
    undisturbed(
      asTurns(
        words.map((save, i) =>
          call("read_text_file", { path: `locales/${two(i)}.json` }, `{\n  "save": "${save}",\n  "brand": "Acme"\n}`),
        ),
      ),
    );
  });

  test("a database explored, in which some tables are empty", () => {
    const tables: readonly (readonly [string, unknown])[] = [
      ["customers", [{ id: 1, name: "Aydin" }]],
      ["customers_archive", []],
      ["orders", [{ id: 9, customer_id: 1, total: 30 }]],
      ["order_items", [{ order_id: 9, sku: "MUG-1" }]],
      ["returns", []],
      ["vouchers", []],
      ["payments", [{ id: 4, order_id: 9, method: "card" }]],
      ["audit", []],
      ["sites", [{ code: "LEJ" }]],
    ];
    undisturbed(
      asTurns(tables.map(([table, rows]) => call("execute_sql", { query: `SELECT * FROM ${table} LIMIT 5` }, rows))),
    );
  });

  test("twelve pages that look the same but for their numbers", () => {
    undisturbed(
      times(12, (page) =>
        call(
          "api.list_devices",
          { cursor: page === 0 ? null : `c${page * 3}` },
          {
            items: [0, 1, 2].map((i) => ({ id: page * 3 + i, type: "sensor", status: "active" })),
            next: page === 11 ? null : `c${page * 3 + 3}`,
          },
        ),
      ),
    );
  });

  test("a search for parameters that gets a little better each time", () => {
    const scores = [0.8121, 0.8124, 0.8131, 0.8133, 0.814, 0.8141, 0.8147, 0.8149, 0.8152, 0.8153];
    undisturbed(
      asTurns(scores.map((val_auc, i) => call("train_model", { dataset: "churn", trees: 100 + i * 50 }, { val_auc }))),
    );
  });

  test("a long form filled in field by field", () => {
    const fields = [
      "first_name",
      "last_name",
      "street",
      "house_number",
      "zip",
      "city",
      "country",
      "email",
      "phone",
      "birth_date",
      "iban",
      "tax_id",
    ];
    undisturbed([
      ...asTurns(
        fields.map((field, i) => call("browser_type", { selector: `#${field}`, text: `text ${i * 31}` }, "ok")),
      ),
      turn(call("browser_click", { selector: "#send" }, "<h1>Thank you</h1>")),
    ]);
  });

  test("the lights of ten rooms put out", () => {
    const rooms = ["hall", "study", "kitchen", "bath", "attic", "cellar", "garage", "porch", "nursery", "den"];
    undisturbed(asTurns(rooms.map((room) => call("home.turn_off", { entity: `light.${room}` }, { success: true }))));
  });

  test("a price that moves while it is watched", () => {
    const prices = [64120.5, 64118, 64131.5, 64140, 64139.5, 64152, 64160.5, 64155, 64171, 64180.5];
    undisturbed(
      times(10, (i) => [
        call("get_quote", { symbol: "BTC-EUR" }, { symbol: "BTC-EUR", last: prices[i] }),
        pause(10_000),
      ]),
    );
  });

  test("a canary given more weight step by step, and healthy at each", () => {
    undisturbed(
      asTurns(
        [1, 5, 10, 25, 50, 75, 100].flatMap((weight) => [
          call("rollout.set_weight", { service: "checkout", weight }, { ok: true }),
          call("rollout.analysis", { service: "checkout" }, { error_rate: 0, verdict: "healthy" }),
        ]),
      ),
    );
  });

  test("sixteen samples through the same step of a pipeline", () => {
    undisturbed(
      times(16, (i) =>
        call(
          "run_fastqc",
          { reads: `samples/S${two(i + 1)}_R1.fastq.gz`, threads: 4 },
          "Analysis complete\nPASS: 10  WARN: 1  FAIL: 0",
        ),
      ),
    );
  });

  test("a subnet scanned host by host, most of them silent", () => {
    undisturbed([
      turn(
        call(
          "asset_inventory.list",
          { subnet: "10.0.4.0/28" },
          Array.from({ length: 14 }, (_, i) => `10.0.4.${i + 1}`),
        ),
      ),
      ...times(14, (i) =>
        call(
          "nmap_scan",
          { host: `10.0.4.${i + 1}` },
          i % 4 === 2 ? `Host is up.\nPORT ${22 + i}/tcp open` : "Host seems down.",
        ),
      ),
    ]);
  });

  test("a game of chess, move by move", () => {
    const moves = [
      "e4 e5",
      "Nf3 Nc6",
      "Bb5 a6",
      "Ba4 Nf6",
      "O-O Be7",
      "Re1 b5",
      "Bb3 d6",
      "c3 O-O",
      "h3 Nb8",
      "d4 Nbd7",
    ];
    undisturbed(
      asTurns(
        moves.map((pair, i) => {
          const [mine, theirs] = pair.split(" ");
          return call("chess_move", { move: mine }, `${i + 1}. ${mine} ${theirs}\nYour move.`);
        }),
      ),
    );
  });

  test("a robot going forward half a metre at a time", () => {
    undisturbed(
      times(14, (i) =>
        call("robot.drive", { forward_m: 0.5 }, { pose: { x: 0.5 * (i + 1), y: 0.02, heading: 0 }, obstacle: false }),
      ),
    );
  });

  test("a feed scrolled through, with new posts each time", () => {
    undisturbed(
      times(12, (i) =>
        call(
          "browser_scroll",
          { direction: "down", pixels: 900 },
          `<article>Offer ${i * 2 + 1}: flat, ${540 + i * 35} EUR</article><article>Offer ${i * 2 + 2}: ` +
            `room, ${300 + i * 20} EUR</article>`,
        ),
      ),
    );
  });

  test("a contract written paragraph by paragraph", () => {
    const topics = [
      "parties",
      "purpose",
      "delivery",
      "price",
      "payment",
      "warranty",
      "liability",
      "secrecy",
      "term",
      "notice",
      "law",
      "signatures",
    ];
    undisturbed(
      asTurns(
        topics.map((topic) =>
          call(
            "docs.append_paragraph",
            { document: "contract-81", text: `On ${topic} the parties agree as follows.` },
            { ok: true },
          ),
        ),
      ),
    );
  });

  test("ten lessons put into the calendar, one a week", () => {
    undisturbed(
      times(10, (i) =>
        call(
          "calendar.create_event",
          { title: "Piano lesson", start: `2024-W${two(36 + i)}-2T16:00`, minutes: 45 },
          { status: "confirmed" },
        ),
      ),
    );
  });

  test("the free hours of eight colleagues, some with none taken", () => {
    const people = ["kim", "lee", "noor", "sam", "ana", "bo", "cem", "dot"];
    undisturbed(
      asTurns(
        people.map((person, i) =>
          call(
            "calendar.freebusy",
            { person, day: "2024-09-03" },
            { busy: i % 3 === 0 ? [`${9 + i}:00-${10 + i}:00`] : [] },
          ),
        ),
      ),
    );
  });

  test("fifteen guests invited by mail", () => {
    undisturbed(
      times(15, (i) =>
        call(
          "gmail_send_message",
          {
            to: `guest${i}@example.com`,
            subject: "Summer party",
            body: `Dear guest no. ${i + 1}, we should like to invite you to our summer party.`,
          },
          "Message sent.",
        ),
      ),
    );
  });

  test("an inbox sorted message by message", () => {
    const subjects = [
      "Invoice 311",
      "Lunch?",
      "Your parcel",
      "Contract draft",
      "Newsletter May",
      "Sick note",
      "Server alert",
      "Re: offer",
      "Travel plan",
      "Minutes",
    ];
    undisturbed(
      asTurns(
        subjects.flatMap((subject, i) => [
          call("gmail_get_message", { id: `m${i}` }, { id: `m${i}`, subject, from: `sender${i}@example.com` }),
          call(
            "gmail_modify_labels",
            { id: `m${i}`, remove: ["INBOX"], add: [i % 2 ? "Read later" : "Done"] },
            { ok: true },
          ),
        ]),
      ),
    );
  });

  test("a borrow error that outlives three different repairs", () => {
    const same =
      "error[E0502]: cannot borrow `self.cache` as mutable because it is also borrowed as immutable\n --> src/cache.rs";
    const edit = (from: string, to: string) =>
      call("edit_file", { path: "src/cache.rs", old: from, new: to }, "1 replacement");
    const check = (output: string) => call("cargo_check", {}, output);
    undisturbed(
      asTurns([
        check(same),
        edit("self.cache.get(&key)", "self.cache.get(&key).cloned()"),
        check(same),
        edit("for k in self.cache.keys()", "for k in self.cache.keys().collect::<Vec<_>>()"),
        check(same),
        edit("let hit = &self.cache;", "let hit = std::mem::take(&mut self.cache);"),
        check("error[E0308]: mismatched types\n --> src/cache.rs"),
        edit("-> Option<&V>", "-> Option<V>"),
        check("Finished dev [unoptimized] target(s) in 2.11s"),
      ]),
    );
  });

  test("a script whose traceback moves on with each repair", () => {
    const troubles = [
      "load.py, line 12: FileNotFoundError: data/raw.csv",
      "load.py, line 19: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe4",
      "clean.py, line 7: KeyError: 'postcode'",
      "clean.py, line 31: ValueError: could not convert string to float: 'n/a'",
      "report.py, line 4: ModuleNotFoundError: No module named 'jinja2'",
      "report.py, line 52: TypeError: unsupported format string passed to NoneType",
    ];
    undisturbed([
      ...asTurns(
        troubles.flatMap((trouble, i) => [
          fails("python_run", { script: "etl.py" }, `Traceback (most recent call last):\n  ${trouble}`),
          call(
            "edit_file",
            { path: trouble.split(",")[0], old: `step_${i}()`, new: `step_${i}(safe=True)` },
            "1 replacement",
          ),
        ]),
      ),
      turn(call("python_run", { script: "etl.py" }, "wrote report.html")),
    ]);
  });

  test("a bisection, in which each step says how many are left", () => {
    undisturbed(
      asTurns(
        [512, 256, 128, 64, 32, 16, 8, 4, 2, 1].flatMap((left, i) => [
          call(
            "go_test",
            { run: "TestRoundTrip" },
            i % 3 === 0 ? "ok   codec 0.41s" : "--- FAIL: TestRoundTrip\nFAIL codec",
          ),
          call(
            "git_bisect",
            { mark: i % 3 === 0 ? "good" : "bad" },
            `Bisecting: ${left} revisions left to test after this\n[${hex(i)}] change no. ${left}`,
          ),
        ]),
      ),
    );
  });

  test("a batch job that waits for its machine, looked at every two minutes", () => {
    const look = (status: string) => [pause(120_000), call("batch.describe_job", { job: "render-771" }, { status })];
    undisturbed(
      asTurns([
        call("batch.submit", { job: "render-771" }, { accepted: true }),
        ...["RUNNABLE", "RUNNABLE", "RUNNABLE", "RUNNABLE", "STARTING", "RUNNING", "SUCCEEDED"].flatMap(look),
      ]),
    );
  });

  test("a queue emptied message by message with the same two calls", () => {
    undisturbed(
      times(10, (i) => [
        call(
          "sqs_receive_message",
          { queue: "thumbnails", max: 1 },
          { body: { picture: `img/${3300 + i * 7}.jpg` }, receipt: hex(i) },
        ),
        call("make_thumbnail", { picture: `img/${3300 + i * 7}.jpg` }, "done"),
        call("sqs_delete_message", { queue: "thumbnails", receipt: hex(i) }, {}),
      ]),
    );
  });

  test("dice thrown for each monster in the room", () => {
    const rolls = ["14", "3", "14", "20", "7", "7", "11", "2", "19", "14", "5", "8"];
    undisturbed(
      asTurns(
        rolls.map((roll, i) => call("roll_dice", { dice: "1d20", purpose: `initiative, goblin ${i + 1}` }, roll)),
      ),
    );
  });

  test("fourteen short strings translated, some of which stay as they are", () => {
    const pairs: readonly (readonly [string, string])[] = [
      ["Save", "Speichern"],
      ["OK", "OK"],
      ["Cancel", "Abbrechen"],
      ["Login", "Anmelden"],
      ["Logo", "Logo"],
      ["Name", "Name"],
      ["Street", "Straße"],
      ["Export", "Export"],
      ["Delete", "Löschen"],
      ["Next", "Weiter"],
      ["Back", "Zurück"],
      ["Filter", "Filter"],
      ["Help", "Hilfe"],
      ["Team", "Team"],
    ];
    undisturbed(asTurns(pairs.map(([text, german]) => call("deepl_translate", { text, target: "DE" }, german))));
  });

  test("eight drafts of a picture the user wants to choose from", () => {
    undisturbed([
      message(),
      ...times(8, (i) =>
        call(
          "generate_image",
          { prompt: "a lighthouse in fog, woodcut", seed: 100 + i },
          { url: `https://img.example.com/${hex(i)}.png`, seed: 100 + i },
        ),
      ),
    ]);
  });

  test("a scanned file read page by page, with blank backs", () => {
    undisturbed(
      times(18, (i) =>
        call(
          "ocr_page",
          { file: "title_1911.pdf", page: i + 1 },
          i % 3 === 1 ? "" : `Page ${i + 1}. The parcel no. ${220 + i * 9} shall pass to the heirs of ${hex(i)}.`,
        ),
      ),
    );
  });

  test("map tiles along a coast, half of them sea", () => {
    undisturbed(
      times(16, (i) =>
        call(
          "gis.fetch_tile",
          { z: 12, x: 2150 + (i % 4), y: 1320 + Math.floor(i / 4) },
          { features: i % 2 ? [] : [{ kind: "coast", length_m: 812 + i * 113 }] },
        ),
      ),
    );
  });

  test("a manual asked eight different questions", () => {
    const answers = [
      ["oil grade", "Use SAE 0W-20."],
      ["tyre pressure", "Front 2.4 bar, rear 2.2 bar."],
      ["child seat", "ISOFIX anchors are on the outer rear seats."],
      ["fuse box", "The fuse box is left of the steering wheel."],
      ["towing", "The eye is under the boot floor."],
      ["battery", "12 V, 60 Ah, in the engine bay."],
      ["wiper service position", "Hold the lever for two seconds."],
      ["coolant", "Check between MIN and MAX when cold."],
    ] as const;
    undisturbed(
      asTurns(
        answers.map(([query, text]) =>
          call("retrieve_documents", { query, top_k: 1 }, { chunks: [{ doc: "manual.pdf", text }] }),
        ),
      ),
    );
  });

  test("ten references resolved and opened", () => {
    undisturbed(
      times(10, (i) => [
        call(
          "doi.resolve",
          { doi: `10.1000/j.${1200 + i * 41}` },
          { title: `Study no. ${i + 1} on sleep`, year: 2001 + i * 2 },
        ),
        call(
          "pdf.read_abstract",
          { doi: `10.1000/j.${1200 + i * 41}` },
          `We studied ${20 + i * 13} volunteers over ${i + 2} nights and found an effect of ${0.11 + i * 0.04}.`,
        ),
      ]),
    );
  });

  test("three fruitless searches, ever broader, and then another way", () => {
    const none = { messages: [] };
    undisturbed(
      asTurns([
        call("gmail_search", { q: "from:hotel subject:confirmation after:2024/05/01" }, none),
        call("gmail_search", { q: "from:hotel subject:confirmation" }, none),
        call("gmail_search", { q: "hotel Lisbon" }, none),
        call("drive_search", { q: "Lisbon" }, { files: [{ id: "f81", name: "Lisbon trip.pdf" }] }),
        call("drive_read", { id: "f81" }, "Hotel Almada, 12–16 June, confirmation 88120"),
        call(
          "calendar.create_event",
          { title: "Hotel Almada", start: "2024-06-12", end: "2024-06-16" },
          { status: "confirmed" },
        ),
      ]),
    );
  });

  test("downloads that break off once each and then arrive", () => {
    undisturbed(
      times(6, (i) => [
        fails("download", { url: `https://data.example.org/grid_${i}.nc` }, "connection reset by peer"),
        call("download", { url: `https://data.example.org/grid_${i}.nc` }, `saved grid_${i}.nc (${811 + i * 57} kB)`),
      ]),
    );
  });

  test("a customer who mistypes the booking number twice", () => {
    undisturbed(
      asTurns([
        message(),
        call("bookings.find", { code: "KL33QP" }, { error: "no such booking" }),
        says("I cannot find KL33QP. Could you check the code?"),
        message(),
        call("bookings.find", { code: "KL38QP" }, { error: "no such booking" }),
        says("KL38QP is not known either. It is on the top right of your ticket."),
        message(),
        call("bookings.find", { code: "KL88QP" }, { code: "KL88QP", passenger: "Muñoz", flight: "LH1122" }),
        call("bookings.seat_map", { code: "KL88QP" }, "12A free, 12C free, 14F free"),
        message(),
        call("bookings.choose_seat", { code: "KL88QP", seat: "12C" }, { ok: true }),
      ]),
    );
  });

  test("the items of one order cancelled one by one", () => {
    undisturbed(
      times(8, (i) =>
        call(
          "orders.cancel_item",
          { order_id: "A-77120", item_id: `${91000 + i * 13}` },
          { order_id: "A-77120", result: "cancelled" },
        ),
      ),
    );
  });

  test("a loan in twelve planned instalments", () => {
    undisturbed(
      times(12, (i) =>
        call(
          "bank.schedule_payment",
          { to: "DE02120300000000202051", amount: 250, on: `2025-${two(i + 1)}-01` },
          { status: "scheduled" },
        ),
      ),
    );
  });

  test("a muted sensor may be read any number of times", () => {
    undisturbed([
      mute({ tool: "await_door_sensor" }),
      ...times(12, () => call("await_door_sensor", { door: "north" }, { open: false })),
    ]);
  });

  test("a price haggled over with another agent", () => {
    const offers = [980, 960, 945, 930, 922, 915, 912, 910];
    undisturbed(
      asTurns(
        offers.map((offer, i) =>
          call(
            "ask_agent",
            { agent: "supplier", question: `Would you take ${800 + i * 14} EUR per pallet?` },
            `Not quite. I can offer ${offer} EUR per pallet.`,
          ),
        ),
      ),
    );
  });

  test("work delegated to seven helpers, which all accept", () => {
    const chapters = ["history", "method", "data", "model", "results", "limits", "outlook"];
    undisturbed(
      asTurns(
        chapters.map((chapter) =>
          call(
            "delegate_task",
            { worker: `writer-${chapter}`, task: `Draft the chapter on ${chapter}` },
            { accepted: true },
          ),
        ),
      ),
    );
  });

  test("cells set and read back, each with its own sum", () => {
    undisturbed(
      times(8, (i) => [
        call("sheets.set_cell", { cell: `B${i + 2}`, value: 100 + i * 15 }, { updatedCells: 1 }),
        call("sheets.get_range", { range: "B10" }, [[100 * (i + 1) + (15 * i * (i + 1)) / 2]]),
      ]),
    );
  });

  test("notes read again after each compaction, and then new work", () => {
    const chunk = (from: number) => [
      call("notes.read", { name: "plan" }, "Review all 12 suppliers, write one line each."),
      ...[0, 1, 2, 3].map((i) =>
        call(
          "supplier.profile",
          { id: from + i },
          { id: from + i, name: `Supplier ${hex(from + i)}`, rating: 3 + ((from + i) % 3) },
        ),
      ),
    ];
    undisturbed(asTurns([...chunk(0), compacted, ...chunk(4), compacted, ...chunk(8)]));
  });

  test("a log followed by its cursor, though its lines look alike", () => {
    undisturbed(
      times(12, (i) =>
        call(
          "tail_log",
          { stream: "access", after: i * 2 },
          `10:0${Math.floor(i / 6)}:${two((i * 9) % 60)} GET /item/${7000 + i * 31} 200\n` +
            `10:0${Math.floor(i / 6)}:${two((i * 9 + 4) % 60)} GET /item/${9000 + i * 17} 200\n(cursor ` +
            `${i * 2 + 2})`,
        ),
      ),
    );
  });

  test("an evening's music queued, track after track", () => {
    undisturbed(
      times(15, (i) =>
        call("spotify_add_to_queue", { uri: `spotify:track:${hex(i)}${hex(i + 90)}` }, "Added to queue"),
      ),
    );
  });

  test("a sprint closed, issue by issue, with empty answers", () => {
    undisturbed(
      times(14, (i) => call("jira_transition_issue", { issue: `SHOP-${400 + i * 3}`, transition: "31" }, "")),
    );
  });

  test("packages brought up to date one at a time, with the tests after each", () => {
    const packages = ["zod@3.23.8", "vite@5.4.1", "eslint@9.9.0", "pino@9.3.2", "undici@6.19.8", "tsx@4.17.0"];
    undisturbed(
      asTurns(
        packages.flatMap((name) => [
          call(
            "npm_install",
            { package: name },
            "changed 1 package, and audited 812 packages in 2s\nfound 0 vulnerabilities",
          ),
          call("npm_test", {}, "Test Files  31 passed (31)\nTests  142 passed (142)"),
        ]),
      ),
    );
  });

  test("ten files formatted without a word", () => {
    const files = ["main", "server", "router", "auth", "store", "cache", "queue", "mail", "retry", "clock"];
    undisturbed(asTurns(files.map((file) => call("terminal", { command: `gofmt -w internal/${file}.go` }, ""))));
  });

  test("a lamp dimmed down for the evening in steps", () => {
    undisturbed(
      times(9, (i) => [
        call("home.set_brightness", { entity: "light.bedroom", value: 90 - i * 10 }, { ok: true }),
        pause(30_000),
      ]),
    );
  });

  test("fourteen migrations applied in order", () => {
    undisturbed(times(14, (i) => call("db_migrate", { file: `migrations/00${two(i + 1)}_step.sql` }, "OK")));
  });

  test("hotel nights tried day by day until one is free", () => {
    const rooms = ["sold out", "sold out", "1 single, 210 EUR", "sold out", "sold out", "2 doubles, 164 EUR"];
    undisturbed([
      message(),
      ...asTurns(
        rooms.map((answer, i) =>
          call("hotel.availability", { hotel: "Almada", checkin: `2024-06-${10 + i}`, nights: 2 }, answer),
        ),
      ),
      turn(
        call(
          "hotel.book",
          { hotel: "Almada", checkin: "2024-06-15", nights: 2, room: "double" },
          { confirmation: "HA-5512" },
        ),
      ),
    ]);
  });

  test("a program built for each of its targets", () => {
    const targets = [
      "x86_64-linux",
      "aarch64-linux",
      "x86_64-darwin",
      "aarch64-darwin",
      "x86_64-windows",
      "riscv64-linux",
      "wasm32-wasi",
    ];
    undisturbed(
      asTurns(
        targets.map((target) =>
          call("zig_build", { target, optimize: "ReleaseSafe" }, "Build Summary: 5/5 steps succeeded"),
        ),
      ),
    );
  });

  test("notebook cells that assign and print nothing", () => {
    const cells = [
      "import pandas as pd",
      'df = pd.read_csv("trips.csv")',
      "df = df.dropna()",
      'df["start"] = pd.to_datetime(df["start"])',
      'df["hour"] = df["start"].dt.hour',
      'late = df[df["hour"] >= 22]',
      'by_city = late.groupby("city").size()',
      "by_city = by_city.sort_values()",
      "top = by_city.tail(10)",
      'top.to_csv("top.csv")',
    ];
    undisturbed(asTurns(cells.map((source) => call("run_notebook_cell", { source }, ""))));
  });

  test("reviewers sent to nine files, who find nothing", () => {
    const files = [
      "Ledger.java",
      "Invoice.java",
      "Tax.java",
      "Money.java",
      "Rounding.java",
      "Account.java",
      "Booking.java",
      "Period.java",
      "Audit.java",
    ];
    undisturbed(
      asTurns(
        files.map((file) =>
          call("spawn_reviewer", { file: `src/main/java/library/${file}`, focus: "thread safety" }, "No issues found."),
        ),
      ),
    );
  });

  test("the claims of an article checked one after the other", () => {
    const claims = [
      "The bridge is 312 m long.",
      "It was opened in 1926.",
      "It cost four million marks.",
      "It was rebuilt after the war.",
      "It carries two tram lines.",
      "It is a listed monument.",
    ];
    undisturbed(
      asTurns(
        claims.flatMap((claim, i) => [
          call(
            "wikipedia_search",
            { query: claim.slice(0, 24) },
            `Bridge (section ${i + 1}): ${claim} [source ${i + 3}]`,
          ),
          call("fact_check.record", { claim, verdict: "supported" }, "saved"),
        ]),
      ),
    );
  });

  test("a file sent in twelve parts", () => {
    undisturbed(
      times(12, (i) =>
        call("sftp_put", { local: `backup.tar.${two(i)}`, remote: "/vault/" }, "226 Transfer complete."),
      ),
    );
  });

  test("a wrong change taken back once, and another one made", () => {
    const failing = "1 failing: totals are rounded twice";
    undisturbed(
      asTurns([
        call("rspec", {}, failing),
        call("edit_file", { path: "app/models/total.rb", old: "sum.round(2)", new: "sum.floor(2)" }, "ok"),
        call("rspec", {}, "3 failing: totals are too small"),
        call("edit_file", { path: "app/models/total.rb", old: "sum.floor(2)", new: "sum.round(2)" }, "ok"),
        call("read_text_file", { path: "app/models/line.rb" }, "def amount\n  (price * count).round(2)\nend"),
        call("edit_file", { path: "app/models/line.rb", old: "(price * count).round(2)", new: "price * count" }, "ok"),
        call("rspec", {}, "0 failing"),
      ]),
    );
  });

  test("several rooms of a building, with the same reading", () => {
    undisturbed(times(10, (i) => call("bms.read_alarm", { room: `3.${two(i + 1)}` }, { alarm: "none" })));
  });

  test("eight documents looked up at once, twice for different years", () => {
    const batch = (year: number) =>
      turn(
        ...Array.from({ length: 8 }, (_, i) =>
          call(
            "registry.fetch",
            { entity: `HRB ${1200 + i}`, year },
            { entity: `HRB ${1200 + i}`, year, equity: 25000 + i * 900 + year },
          ),
        ),
      );
    undisturbed([batch(2021), batch(2022)]);
  });

  test("a chatbot that asks its way through an intake form", () => {
    const questions = [
      "What is your name?",
      "When were you born?",
      "Do you take any medicine?",
      "Have you had an operation before?",
      "Are you allergic to anything?",
      "Which person may we call in an emergency?",
    ];
    undisturbed(
      asTurns(
        questions.flatMap((question, i) => [
          says(question),
          message(),
          call("intake.save_answer", { field: i + 1, answer: `answer ${hex(i)}` }, "saved"),
        ]),
      ),
    );
  });

  test("a deployment followed by a tool that itself waits", () => {
    const wait = (phase: string) => call("deploy.wait", { id: "d-118", timeout_s: 120 }, { phase }, { ms: 120_000 });
    undisturbed(
      asTurns([
        call("deploy.start", { service: "api", version: "2.4.0" }, { id: "d-118" }),
        ...["rolling", "rolling", "rolling", "verifying", "done"].map(wait),
      ]),
    );
  });

  test("two customers served in turn", () => {
    undisturbed(
      times(6, (i) => [
        message(),
        call("orders.lookup", { order_id: `A-${100 + i}` }, { status: "shipped", parcel: `P${hex(i)}` }),
        message(),
        call("returns.create", { order_id: `B-${500 + i}`, reason: "too small" }, { label: `R${hex(i + 50)}` }),
      ]),
    );
  });
});
