import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { AgentEvent, EventBus, Run } from "@sheepdog/agent";
import { redactSecrets } from "@sheepdog/guardian/secrets";
import type { Home } from "../home.ts";
import type { Io } from "../io.ts";
import { plainText } from "../render/terminal/plain-text.ts";
import { firstSentenceText } from "../sentences/first-sentence.ts";
import { answerAction, claim, closeRequests, openRequest } from "./answers/requests.ts";
import { awaitDelivery } from "./await-delivery.ts";
import { type ChannelSettings, canAnswer, targetOf } from "./channel-settings.ts";
import { addNotice, type CoalesceOptions, closeQuestion, nextDueAt, noNotices, takeDue } from "./coalesce.ts";
import { createDeliveryStarter } from "./delivery/start-delivery.ts";
import { isWaiting, type Notice, type NoticeRun, questionKey } from "./notice.ts";
import { type NoticeFacts, noticedEvents, noticeOfEvent } from "./notices-of-events.ts";
import { addToOutbox, removeQuestions } from "./outbox.ts";
import { unwatchRun, watchRun } from "./watched-runs.ts";

export interface NotifyOptions {
  readonly home: Home;
  readonly env: Io["env"];
  readonly channels: readonly ChannelSettings[];
  readonly bus: Pick<EventBus, "subscribe">;
  readonly workspace: string;
  /** A user sees the run in a terminal, and can answer there. */
  readonly isWatched: boolean;
  /** How the user calls the program. */
  readonly program: string;
  /** The command that resumes the run. */
  resumeCommand(ended: Parameters<NoticeFacts["resumeCommand"]>[0]): string | undefined;
  /** Called if a question reaches nobody, with its key and a sentence. */
  onUnreachable?(question: string, reason: string): void;
  /** Rings the bell of the terminal. */
  bell(): void;
  /** Called once if people cannot be told. */
  onProblem(sentence: string): void;
}

/** In a terminal, questions wait this long for an answer there before they go to a phone. */
const awayMs = 20_000;
/** In a terminal, the end of a shorter run is no news. */
const longRunMs = 60_000;
/** From then on a run that is killed is told about. */
const watchAfterMs = 5_000;
/** How often it is checked whether answers are read. */
const answerCheckMs = 10_000;
const joining = { joinMs: 2_000, maxMessages: 10, windowMs: 600_000 } as const;

/**
 * Tells people about a run until it ends or the returned function is called. Messages are small files in the home that
 * another process delivers: the run waits for none of them, and fails for none.
 */
export function notifyAboutRun(run: Run, options: NotifyOptions): () => void {
  const { home, env, channels, bus, workspace, isWatched, program, onProblem } = options;
  const startedAt = Date.now();
  const project = plainText(basename(workspace)).slice(0, 60) || "/";
  let prompt = "";
  const startDelivery = createDeliveryStarter(home, channels, env);
  const queues = channels.map((channel) => ({ channel, state: noNotices }));
  /** The questions of requests that are open, by the id of the request. */
  const asked = new Map<string, string>();
  /** Ends following the delivery of a question. */
  const following = new Map<string, () => void>();
  let costNanoUsd: number | null | undefined;
  let timer: NodeJS.Timeout | undefined;
  let hasFailed = false;
  let hasRequests = false;
  let isClosed = false;

  /** Whatever goes wrong here is the user's to know, and not the run's. */
  const safely = (act: () => void) => {
    try {
      act();
    } catch (error) {
      if (!hasFailed) onProblem(`people cannot be told: ${error instanceof Error ? error.message : String(error)}`);
      hasFailed = true;
    }
  };
  const about = (): NoticeRun => {
    const task = redactSecrets(firstSentenceText(prompt, 100)) || "a run without a prompt";
    return { runId: run.runId, sessionId: run.sessionId, task, project };
  };
  const coalescing = ({ type }: ChannelSettings): CoalesceOptions => ({
    ...joining,
    questionMs: isWatched && type !== "bell" && type !== "desktop" ? awayMs : 0,
  });
  const send = (channel: ChannelSettings, notice: Notice) => {
    if (channel.type === "bell") return options.bell();
    const { topic, answerBy } = notice;
    const target = targetOf(channel);
    const request = { channel: target, run: about(), ...(answerBy === undefined ? {} : { answerBy }) };
    const canBeAnswered = canAnswer(channel) && topic !== undefined && notice.kind !== "end";
    const requestId = canBeAnswered ? openRequest(home, { ...request, topic }) : undefined;
    const question = questionKey(topic);
    if (requestId !== undefined) hasRequests = true;
    if (requestId !== undefined && question !== undefined) asked.set(requestId, question);
    addToOutbox(home, { channel: target, notice, ...(requestId === undefined ? {} : { requestId }) });
    startDelivery();
  };
  /** Follows the messages of a question: without a terminal, nobody else would notice that none arrives. */
  const followQuestion = (question: string) => {
    const ids = () => [...asked].flatMap(([id, each]) => (each === question ? [id] : []));
    const onUnreachable = (reason: string) => options.onUnreachable?.(question, reason);
    following.set(question, awaitDelivery(home, ids, onUnreachable));
  };
  const flush = (now: number) => {
    clearTimeout(timer);
    for (const queue of queues) {
      const taken = takeDue(queue.state, now, coalescing(queue.channel));
      queue.state = taken.state;
      for (const notice of taken.messages) safely(() => send(queue.channel, notice));
    }
    const next = queues.flatMap(({ channel, state }) => nextDueAt(state, coalescing(channel)) ?? []);
    if (next.length > 0 && !isClosed)
      timer = setTimeout(() => flush(Date.now()), Math.max(10, Math.min(...next) - Date.now())).unref();
  };
  const tell = (notice: Notice) => {
    for (const queue of queues)
      if (queue.channel.events.includes(notice.kind))
        queue.state = addNotice(queue.state, notice, coalescing(queue.channel));
    flush(Date.now());
    const question = questionKey(notice.topic);
    if (question !== undefined && options.onUnreachable !== undefined) followQuestion(question);
  };
  const facts = (): NoticeFacts => ({
    run: about(),
    prompt,
    costNanoUsd,
    limits: run.limits(),
    showCommand: `${program} show ${run.runId}`,
    resumeCommand: (ended) => options.resumeCommand(ended),
  });
  const isNews = ({ kind }: Notice, event: AgentEvent) => {
    if (kind !== "end" || !isWatched) return true;
    const isCancelled = event.type === "RunError" && event.result.reason === "cancelled";
    return !isCancelled && event.at - startedAt >= longRunMs;
  };
  /** Questions that are not delivered yet need no answer any more: one, or all at the end of the run. */
  const removeWaiting = (key?: string) => {
    const closed = { runId: run.runId, ...(key === undefined ? {} : { key }) };
    for (const account of new Set(channels.map((channel) => channel.account))) removeQuestions(home, account, closed);
  };
  /** Withdraws a question that was answered, from wherever. */
  const close = (answered: string) => {
    following.get(answered)?.();
    following.delete(answered);
    for (const queue of queues) queue.state = closeQuestion(queue.state, answered);
    removeWaiting(answered);
    for (const [id, question] of asked) {
      if (question !== answered) continue;
      asked.delete(id);
      claim(home, id, answerAction);
    }
  };
  const onStart = (event: Extract<AgentEvent, { readonly type: "RunStarted" }>) => {
    prompt = event.prompt;
    const resume = options.resumeCommand({ sessionId: run.sessionId, reason: "broken_off" });
    const command = resume === undefined ? {} : { command: redactSecrets(resume) };
    const delivered = channels.filter(({ type }) => type !== "bell");
    if (delivered.length > 0) watchRun(home, { run: about(), channels: delivered.map(targetOf), ...command });
    tell(startNotice(about(), event.at));
  };
  const onEvent = (event: AgentEvent) => {
    if (event.type === "CostEvent") {
      if (event.runId === run.runId) costNanoUsd = event.totalNanoUsd;
      return;
    }
    if (event.type === "RunStarted") {
      if (event.runId === run.runId) onStart(event);
      return;
    }
    const answered = answeredQuestion(event);
    if (answered !== undefined) close(answered);
    const notice = noticeOfEvent(event, facts(), `ntc_${randomUUID()}`);
    if (notice !== undefined && isNews(notice, event)) tell(masked(notice));
  };

  const unsubscribe = bus.subscribe({
    types: [...noticedEvents, "RunStarted", "CostEvent", "ApprovalResolved", "QuestionAnswered", "ToolEnd"],
    listener: (event) => safely(() => onEvent(event)),
  });
  const watching = isWatched ? undefined : setTimeout(() => safely(startDelivery), watchAfterMs).unref();
  // Answers are read by the process that delivers: if it dies while people may answer, another one is started.
  const answering = setInterval(() => {
    if (hasRequests) safely(startDelivery);
  }, answerCheckMs).unref();
  return () => {
    if (isClosed) return;
    isClosed = true;
    unsubscribe();
    for (const stop of following.values()) stop();
    clearTimeout(watching);
    clearInterval(answering);
    for (const queue of queues)
      queue.state = { ...queue.state, pending: queue.state.pending.filter(({ notice }) => !isWaiting(notice)) };
    flush(Infinity);
    clearTimeout(timer);
    safely(() => removeWaiting());
    safely(() => unwatchRun(home, run.runId));
    safely(() => closeRequests(home, run.runId));
  };
}

function startNotice(run: NoticeRun, at: number): Notice {
  return {
    id: `ntc_${randomUUID()}`,
    kind: "start",
    at,
    run,
    sentence: `Started: ${run.task}`,
    details: [],
    topic: { type: "run" },
  };
}

/** The question that an event closes, as `questionKey` names it. */
function answeredQuestion(event: AgentEvent): string | undefined {
  switch (event.type) {
    case "ApprovalResolved":
      return `call ${event.callId}`;
    case "ToolEnd":
      return event.tool === "ask_user" ? `call ${event.callId}` : undefined;
    case "QuestionAnswered":
      return `question ${event.questionId}`;
    default:
      return undefined;
  }
}

/** Events have no secrets; commands and the names of folders might. */
function masked(notice: Notice): Notice {
  const { sentence, code, details, command } = notice;
  return {
    ...notice,
    sentence: redactSecrets(sentence),
    details: details.map((detail) => redactSecrets(detail)),
    ...(code === undefined ? {} : { code: redactSecrets(code) }),
    ...(command === undefined ? {} : { command: redactSecrets(command) }),
  };
}
