import { shortened } from "../../sentences/shortened.ts";
import type { ChannelKind, SendResult } from "../channel-kind.ts";
import type { ChannelSettings } from "../channel-settings.ts";
import { noticeText, plainMessage } from "../notice-text.ts";
import { field, safeWords } from "./http.ts";

/** E-mail over SMTP, with STARTTLS unless the configuration says otherwise. */
export const email: ChannelKind = {
  spacingMs: 1_000,
  async send(settings, { id, notice }, signal) {
    const { title, lines } = noticeText(notice);
    const message = {
      from: settings.from,
      to: settings.to,
      subject: shortened(`${title.replace(" · ", ", ")}: ${notice.sentence}`, 150),
      text: `${plainMessage({ title: "", lines }).trim()}\n`,
      messageId: `<${id}@sheepdog.invalid>`,
      // Answers of machines to this message are not wanted.
      headers: { "Auto-Submitted": "auto-generated" },
    };
    return withTransport(settings, signal, async (transport) => {
      const { response } = await transport.sendMail(message);
      return `The mail server answered: ${safeWords(String(response))}.`;
    });
  },
  check: (settings, signal) =>
    withTransport(settings, signal, async (transport) => {
      await transport.verify();
      return "The mail server accepts the connection and the password.";
    }),
};

type Transport = ReturnType<typeof import("nodemailer").createTransport>;

async function withTransport(
  settings: ChannelSettings,
  signal: AbortSignal,
  use: (transport: Transport) => Promise<string>,
): Promise<SendResult> {
  const { createTransport } = await import("nodemailer"); // loaded when a mail is sent
  const { host, tls = "starttls", user, secrets } = settings;
  const transport = createTransport({
    host,
    port: settings.port ?? { implicit: 465, starttls: 587, off: 25 }[tls],
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "off",
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 15_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(user === undefined ? {} : { auth: { user, pass: secrets.password ?? "" } }),
  });
  const close = () => transport.close();
  signal.addEventListener("abort", close, { once: true });
  try {
    return { type: "sent", answer: await use(transport) };
  } catch (error) {
    return problemOf(error, host);
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

/** A reply 5xx is final, also to the password; everything else may pass. */
function problemOf(error: unknown, host = ""): SendResult {
  const code = field(error, "responseCode");
  const response = field(error, "response");
  const words = safeWords(typeof response === "string" ? response : error instanceof Error ? error.message : "");
  const problem = `${host}: ${words === "" ? "the connection failed" : words}.`;
  return typeof code === "number" && code >= 500 ? { type: "refused", problem } : { type: "retry", problem };
}
