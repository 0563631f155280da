import type { Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type Sandbox } from "../e2e/sandbox.ts";
import { violations } from "./accessibility.ts";
import { canBrowse, useBrowser } from "./browser.ts";
import { type Served, serve } from "./serve.ts";

/** A call that fails in the same way each time. */
const failing = (index: number) => ({
  text: `Attempt ${index + 1}.`,
  calls: [{ tool: "bash", input: { command: "cat missing.txt" } }],
  delayMs: 250,
});
/** A call that needs approval. */
const applying = {
  text: "I apply it.",
  calls: [{ tool: "bash", input: { command: "terraform apply -auto-approve" } }],
};
/** A call that runs until the file `go` exists. */
const waiting = {
  text: "I wait.",
  calls: [{ tool: "bash", input: { command: "until [ -e go ]; do sleep 0.05; done" } }],
};
const done = { text: "All **done**." };

const remote = ["run", "--answers", "remote"];

async function started(
  script: Parameters<typeof createSandbox>[1],
): Promise<{ readonly sandbox: Sandbox; readonly served: Served }> {
  const sandbox = await createSandbox({ onTestFinished }, script, done);
  return { sandbox, served: await serve(sandbox) };
}

/** The id of the only run. */
async function runId({ run }: Sandbox): Promise<string> {
  const count = async () => JSON.parse((await run(["runs", "--json"])).out).runs.length;
  await expect.poll(count, { timeout: 15_000 }).toBe(1);
  return JSON.parse((await run(["runs", "--json"])).out).runs[0].runId;
}

describe.skipIf(!canBrowse)("a live run in the browser", () => {
  const open = useBrowser();

  test("is followed from its start to its halt, without loading the page again", async () => {
    const { sandbox, served } = await started(Array.from({ length: 14 }, (_, index) => failing(index)));
    const { page, problems } = await open(served.at("/runs"));
    await page.getByText("No runs yet.").waitFor();
    const running = sandbox.start(["run", "--unattended", "--max-turns", "0", "Read missing.txt."]);
    const row = page
      .locator(".runs a, .run-row a, main a")
      .filter({ hasText: /cat missing\.txt|Read missing/ })
      .first();
    await row.click();
    await page.locator(".lanes").waitFor();
    for (const level of ["hint", "warn", "block", "halt"])
      await page.locator(`.lanes .pin.${level}`).first().waitFor({ state: "attached" });
    await page.locator("h1").filter({ hasText: "the guardian ended the run" }).waitFor();
    expect((await running.ended).code).toBe(5);
    expect(problems).toEqual([]);
  });

  test("asks for an approval, which a key gives", async () => {
    const { sandbox, served } = await started([applying, done]);
    const { page, problems } = await open(served.at("/feed"));
    const running = sandbox.start([...remote, "Apply it."]);
    await page.locator("article.ask").filter({ hasText: "terraform apply" }).waitFor();
    await page.locator(".nav .count").waitFor();
    await page.locator("article.ask:not(.unarmed)").waitFor(); // a card that has just appeared takes no keys
    await page.keyboard.press("d");
    await running.ended;
    await page.getByText("Nothing waits for you.").first().waitFor();
    const { out } = await sandbox.run(["show", "last", "--json"]);
    expect(JSON.parse(out).items.find(({ type }: { readonly type: string }) => type === "call")).toMatchObject({
      status: "blocked",
      blockedBy: "gate",
    });
    expect(problems).toEqual([]);
  });

  test("asks again for another call, and not for exactly the one that the page always allows", async () => {
    const again = { ...applying, text: "I apply it again." };
    const { sandbox, served } = await started([applying, again, done]);
    const { page, problems } = await open(served.at("/feed"));
    const running = sandbox.start([...remote, "Apply it."]);
    await page.locator("article.ask:not(.unarmed)").waitFor();
    await page.keyboard.press("Shift+A");
    expect((await running.ended).code).toBe(0);
    await page.getByText("exactly this call, until the program of the run ends").waitFor();
    const { out } = await sandbox.run(["show", "last", "--json"]);
    const calls = JSON.parse(out).items.filter(({ type }: { readonly type: string }) => type === "call");
    expect(calls.map(({ status }: { readonly status: string }) => status)).toEqual(["error", "error"]); // no terraform
    expect(problems).toEqual([]);
  });

  test("is answered by no key that was meant for the card of another run", async () => {
    const { sandbox, served } = await started([applying, applying, applying]);
    const { page, problems } = await open(served.at("/feed"), { hasClock: true });
    const running = ["One.", "Two.", "Three."].map((prompt) => sandbox.start([...remote, prompt]));
    const answers: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/command")) answers.push(request.url());
    });
    const cards = page.locator("article.ask");
    await expect.poll(() => cards.count(), { timeout: 15_000 }).toBe(3);
    await page.clock.pauseAt(Date.now() + 600_000);
    const armed = page.locator("article.ask:not(.unarmed):not(.done)");
    const arm = async () => {
      await page.clock.runFor(1_000); // shorter than a card needs to be in view
      await page.clock.runFor(1_000);
      return armed.count();
    };
    await expect.poll(arm).toBe(3);
    const denied = (count: number) => expect.poll(() => page.getByText("Denied.").count()).toBe(count);

    await page.keyboard.press("d");
    await denied(1);
    for (const _ of [2, 3, 4]) await page.keyboard.press("d");
    expect([answers.length, await armed.count()]).toEqual([1, 0]);
    const deny = page.locator("article.ask[aria-current]").getByRole("button", { name: /^Deny(?! and)/ });
    expect([await deny.getAttribute("aria-disabled"), await deny.getAttribute("disabled")]).toEqual(["true", null]);
    let isSearched = false;
    const found = violations(page).finally(() => {
      isSearched = true;
    });
    while (!isSearched) await page.clock.runFor(1); // the search waits for the time of the page
    expect(await found).toEqual([]);

    await page.keyboard.press("j"); // chooses the third
    await page.keyboard.press("d");
    await denied(2);
    await page.keyboard.press("d");
    await page.locator(".nav .count").filter({ hasText: "1" }).waitFor();
    await page.clock.runFor(100); // draws the cards that are done
    await deny.click({ force: true }); // chooses the second
    expect(answers.length).toBe(2);
    await deny.click();
    await denied(3);
    expect(new Set(answers).size).toBe(3);
    for (const run of running) expect((await run.ended).code).toBe(0);
    expect(problems).toEqual([]);
  }, 60_000);

  test("is named by what it does now, and its card on its own page takes keys", async () => {
    const until = (file: string) => ({
      text: `I wait for ${file}.`,
      calls: [{ tool: "bash", input: { command: `until [ -e ${file} ]; do sleep 0.05; done` } }],
    });
    const { sandbox, served } = await started([until("one"), until("two"), applying, done]);
    const running = sandbox.start([...remote, "Wait, then apply it."]);
    const { page, problems } = await open(served.at(`/runs/${await runId(sandbox)}`));
    await page.locator("h1").filter({ hasText: "-e one" }).waitFor();
    await sandbox.file("one", "");
    await page.locator("h1").filter({ hasText: "-e two" }).waitFor();
    await sandbox.file("two", "");
    await page.locator("article.ask[aria-current]").filter({ hasText: "terraform apply" }).waitFor();
    await page.locator("article.ask:not(.unarmed)").waitFor(); // a card that has just appeared takes no keys
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Deny and say why").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("d");
    expect((await running.ended).code).toBe(0);
    expect(problems).toEqual([]);
  });

  test("asks at the block rung; the agent reads the answer, and every page shows it", async () => {
    const { sandbox, served } = await started([...Array.from({ length: 5 }, (_, index) => failing(index)), done]);
    const first = await open(served.at("/feed"));
    const second = await open(served.at("/feed"));
    const running = sandbox.start([...remote, "Read missing.txt."]);
    const card = first.page.locator("article.ask").filter({ hasText: "cat missing.txt" });
    await card.waitFor();
    await second.page.locator("article.ask").filter({ hasText: "cat missing.txt" }).waitFor();
    await card.getByRole("textbox").fill("The file is called found.txt.");
    await card.getByRole("textbox").press("Enter");
    expect((await running.ended).code).toBe(0);
    expect(sandbox.server.requests.at(-1)?.text).toContain("The file is called found.txt.");
    for (const { page } of [first, second]) await page.getByText("Nothing waits for you.").first().waitFor();
    expect([...first.problems, ...second.problems]).toEqual([]);
  });

  test("gets a message from the page, and its timeline shows it", async () => {
    const { sandbox, served } = await started([waiting, { ...waiting, text: "I read your message." }, done]);
    const running = sandbox.start([...remote, "Wait."]);
    const id = await runId(sandbox);
    const { page, problems } = await open(served.at("/feed"));
    const field = page.getByPlaceholder(/^Tell /);
    await field.fill("Look at the tests first.");
    await field.press("Enter");
    await page
      .getByText(/reads your message/)
      .first()
      .waitFor();
    await sandbox.file("go", "");
    await expect
      .poll(() => sandbox.server.requests.some(({ text }) => text.includes("Look at the tests first.")))
      .toBe(true);
    await page.goto(`${served.origin}/runs/${id}`);
    await page.getByText("Look at the tests first.").first().waitFor();
    await running.ended;
    expect(problems).toEqual([]);
  });

  test("can be muted and unmuted, which the page remembers; when it has completed, its session continues", async () => {
    const attempts = Array.from({ length: 4 }, (_, index) => failing(index));
    const { sandbox, served } = await started([...attempts, waiting, done, done, done]);
    const running = sandbox.start([...remote, "Read missing.txt."]);
    const id = await runId(sandbox);
    const { page, problems } = await open(served.at(`/runs/${id}`));
    await page.getByRole("button", { name: "this loop" }).click();
    await page.getByText("Muted for this loop.").waitFor();
    await page.reload();
    await page.getByText("Muted for this loop.").waitFor();
    await page.getByRole("button", { name: "Unmute" }).click();
    await page.getByText("Muted for this loop.").waitFor({ state: "hidden" });
    await sandbox.file("go", "");
    expect((await running.ended).code).toBe(0);
    await page.getByPlaceholder(/^Continue this session/).fill("Now sum it up.");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: /^the run of/ }).click();
    await page.getByText("Continued as").waitFor();
    await page.keyboard.press("f");
    await page.getByLabel("What should the copy do?").fill("Try it another way.");
    await page.getByRole("button", { name: "Start" }).click();
    await page
      .locator("h1")
      .filter({ hasText: "another way" })
      .or(page.getByText("Try it another way."))
      .first()
      .waitFor();
    expect(page.url()).not.toContain(id);
    expect(problems).toEqual([]);
  });

  test("is started from the page, and survives the server", async () => {
    const { sandbox, served } = await started([waiting, done]);
    const { page } = await open(served.at("/runs"));
    await page.getByText("No runs yet.").waitFor();
    await page.keyboard.press("n");
    await page.getByRole("dialog").getByRole("textbox").first().fill("Wait for it.");
    await page.getByRole("dialog").getByRole("button", { name: /Start/ }).click();
    await runId(sandbox);
    await served.kill();
    await sandbox.file("go", "");
    await expect
      .poll(async () => JSON.parse((await sandbox.run(["runs", "--json"])).out).runs[0].state, { timeout: 45_000 })
      .toBe("completed");
  }, 90_000);
});

describe.skipIf(!canBrowse)("a server that was killed and started again", () => {
  const open = useBrowser();

  test("leaves no event out and shows none twice", async () => {
    const { sandbox, served } = await started(Array.from({ length: 30 }, (_, index) => slowRead(index)));
    const running = sandbox.start(["run", "--unattended", "--max-turns", "0", "Read the parts."]);
    const id = await runId(sandbox);
    const { page } = await open(served.at(`/runs/${id}`));
    await page.getByText("Part 3.").first().waitFor();
    await served.kill();
    await page.getByText(/Not connected since/).waitFor();
    const again = await serve(sandbox, { port: served.port });
    await page.getByText(/Not connected since/).waitFor({ state: "hidden" });
    expect((await running.ended).code).toBe(0);
    await page.locator("h1").filter({ hasText: "Done: Read the parts" }).waitFor();
    const saved = await savedSeqs(page, id);
    expect(await shownSeqs(page)).toEqual(saved);
    await again.kill("SIGTERM");
  });
});

function slowRead(index: number) {
  return {
    text: `Part ${index}.`,
    calls: [{ tool: "bash", input: { command: `echo part ${index}` } }],
    delayMs: 300,
  };
}

/** The numbers of all saved events of a run. */
async function savedSeqs(page: Page, id: string): Promise<readonly number[]> {
  return page.evaluate(async (run) => {
    const document = await (await fetch(`/api/runs/${run}/events?limit=5000`)).json();
    return document.events.map(({ seq }: { readonly seq: number }) => seq);
  }, id);
}

/** The numbers of the events that the page lists, in their order. */
async function shownSeqs(page: Page): Promise<readonly number[]> {
  await page
    .getByRole("link", { name: "Raw events" })
    .or(page.getByRole("button", { name: "Raw events" }))
    .first()
    .click();
  const seqs = new Set<number>();
  const list = page.locator(".lines.raw");
  await list.waitFor();
  for (let step = 0; step < 200; step++) {
    for (const text of await list.locator(".number").allTextContents()) seqs.add(Number(text));
    const isEnd = await page.evaluate(() => {
      window.scrollBy(0, 500);
      return window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
    });
    if (isEnd) break;
    await page.waitForTimeout(30);
  }
  for (const text of await list.locator(".number").allTextContents()) seqs.add(Number(text));
  return [...seqs].sort((one, other) => one - other);
}
