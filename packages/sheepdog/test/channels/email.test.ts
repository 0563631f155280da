import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { kindOf } from "../../src/channels/kinds/index.ts";
import { createSandbox, isBuilt } from "../e2e/sandbox.ts";
import { scratchFolder } from "../scratch-folder.ts";
import { approval, channelOf, noticeOf, outgoing } from "./samples.ts";

const file = scratchFolder();
const never = new AbortController().signal;
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) console.warn("Encrypted mail is not tested without openssl. Run: apt-get install openssl");
const password = "mail-canary-password";

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly isEncrypted: boolean;
}

/** A mail server that accepts one user. */
async function startMail(options: SMTPServerOptions): Promise<{ readonly port: number; readonly mails: Mail[] }> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    ...options,
    onAuth: (auth, _session, done) =>
      auth.username === "ann" && auth.password === password
        ? done(null, { user: "ann" })
        : done(Object.assign(new Error("Authentication failed"), { responseCode: 535 })),
    onData(stream, { envelope, secure }, done) {
      let text = "";
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
      });
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text, isEncrypted: secure });
        done(null, "queued as 42");
      });
    },
  });
  server.on("error", () => {}); // clients that do not trust the certificate
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("Expected a port.");
  return { port: address.port, mails };
}

const table = { type: "email", host: "127.0.0.1", from: "agents@example.org", to: "ann@example.org, bob@example.org" };
const user = { user: "ann", password };

async function send(more: object, notice = noticeOf()) {
  return kindOf("email")?.send(channelOf({ ...table, ...more }), outgoing(notice), never);
}

describe("a mail", () => {
  test("is sent with a user and a password to everybody, as plain text", async () => {
    const { port, mails } = await startMail({
      authOptional: false,
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
    });
    expect(await send({ port, tls: "off", ...user }, approval)).toEqual({
      type: "sent",
      answer: "The mail server answered: 250 queued as 42.",
    });
    expect(mails).toMatchObject([{ from: "agents@example.org", to: ["ann@example.org", "bob@example.org"] }]);
    const [mail] = mails;
    expect(mail?.text).toMatch(/^Subject: Approval wanted, my-app: The agent/m);
    expect(mail?.text).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.text).toContain("git push --force");
    expect(mail?.text).not.toMatch(/text\/html/i);
  });

  test("that the server takes for some only names those that it refused", async () => {
    const { port } = await startMail({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onRcptTo: ({ address }, _session, done) =>
        address.startsWith("bob") ? done(Object.assign(new Error("no bob"), { responseCode: 550 })) : done(),
    });
    expect(await send({ port, tls: "off" })).toMatchObject({
      answer: "The mail server answered: 250 queued as 42. It refused bob@example.org.",
    });
  });

  test("cannot get a header from a text of the agent", async () => {
    const { port, mails } = await startMail({ authOptional: true, disabledCommands: ["STARTTLS"] });
    await send({ port, tls: "off" }, noticeOf({ sentence: "Done.\r\nBcc: eve@example.org\r\n\r\nHello" }));
    expect(mails[0]?.to).toEqual(["ann@example.org", "bob@example.org"]);
    expect(mails[0]?.text.split("\r\n\r\n")[0]).not.toMatch(/^Bcc:/m);
  });

  test("is refused with a wrong password, which is in no sentence", async () => {
    const { port } = await startMail({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
    const result = await send({ port, tls: "off", user: "ann", password: "wrong-canary" });
    expect(result).toMatchObject({ type: "refused", problem: expect.stringContaining("535") });
    expect(JSON.stringify(result)).not.toContain("wrong-canary");
  });

  test("is not sent without encryption unless the configuration says so", async () => {
    const { port, mails } = await startMail({ authOptional: true, disabledCommands: ["STARTTLS"] });
    expect((await send({ port }))?.type).not.toBe("sent");
    expect(mails).toEqual([]);
  });

  test("is tried again if the server is dead, or defers it", async () => {
    expect(await send({ port: 1, tls: "off" })).toMatchObject({ type: "retry" });
    const { port } = await startMail({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error("try later"), { responseCode: 451 })),
    });
    expect(await send({ port, tls: "off" })).toMatchObject({ type: "retry", problem: expect.stringContaining("451") });
  });

  test.runIf(isBuilt && hasOpenssl).for(["starttls", "implicit"] as const)(
    "is encrypted with %s, and only to a server that is trusted",
    async (tls, context) => {
      const { key, cert, path } = await certificate();
      const { port, mails } = await startMail({ authOptional: true, secure: tls === "implicit", key, cert });
      expect(await send({ port, tls })).toMatchObject({
        type: "retry",
        problem: expect.stringContaining("self-signed"),
      });
      const sandbox = await createSandbox(context, []);
      const lines = Object.entries({ ...table, host: "localhost", port, tls }).map(
        ([name, value]) => `${name} = ${JSON.stringify(value)}`,
      );
      await sandbox.configure(`[channels.mail]\n${lines.join("\n")}\n`);
      const sent = await sandbox.run(["notify", "test", "mail"], { env: { NODE_EXTRA_CA_CERTS: path } });
      expect(sent).toMatchObject({
        code: 0,
        out: "mail: sent. The mail server answered: 250 queued as 42.\n",
        err: "",
      });
      expect(mails).toMatchObject([{ isEncrypted: true }]);
    },
  );
});

async function certificate(): Promise<{ readonly key: Buffer; readonly cert: Buffer; readonly path: string }> {
  const path = await file("cert.pem");
  const key = join(dirname(path), "key.pem");
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const args = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    path,
    ...subject,
  ];
  execFileSync("openssl", args, { stdio: "ignore" });
  return { key: readFileSync(key), cert: readFileSync(path), path };
}
