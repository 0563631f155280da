import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Script } from "../script.ts";
import { createScriptPlayer } from "../script-player.ts";
import { type QuestionType, questionOf, usualAnswers } from "../side-question.ts";
import { realSleep } from "../wait.ts";
import { answerRequest } from "./answer-request.ts";
import { readRequest } from "./read-request.ts";
import type { WireOutcome, WireRequest, WireServer, WireServerOptions } from "./wire-server.ts";

/**
 * Starts a local HTTP server with the streamed wire formats of OpenAI (chat and responses), Anthropic and Gemini. It
 * answers with the turns of a script.
 */
export async function startWireServer(
  script: Script<WireRequest>,
  options: WireServerOptions = {},
): Promise<WireServer> {
  const turnFor = createScriptPlayer(script, options.afterLast ?? "error");
  const answers = {
    opinion: createScriptPlayer([], options.opinion ?? usualAnswers.opinion),
    judge: createScriptPlayer([], options.judge ?? usualAnswers.judge),
  };
  const sleep = options.sleep ?? realSleep;
  const requests: WireRequest[] = [];
  const questions: Readonly<Record<QuestionType, WireRequest[]>> = { opinion: [], judge: [] };
  const closing = new AbortController();

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const disconnected = new AbortController();
    const signal = AbortSignal.any([closing.signal, disconnected.signal]);
    response.on("close", () => disconnected.abort("left"));
    const read = await readRequest(message);
    if (!read.ok) {
      response
        .writeHead(read.status, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message: read.problem } }));
      return;
    }
    let settle: (outcome: WireOutcome) => void = () => {};
    const outcome = new Promise<WireOutcome>((resolve) => {
      settle = resolve;
    });
    const question = questionOf(read.request.text, { requests, scripted: options });
    const received = question === undefined ? requests : questions[question];
    const request: WireRequest = { ...read.request, index: received.length, outcome };
    received.push(request);
    settle(
      await answerRequest({
        request,
        format: read.format,
        response,
        turnFor: question === undefined ? turnFor : answers[question],
        options,
        sleep,
        signal,
      }),
    );
  };

  // A client may disconnect while it sends its request.
  const server = createServer((message, response) => void handle(message, response).catch(() => response.destroy()));
  return {
    url: await listen(server),
    requests,
    opinionRequests: questions.opinion,
    judgeRequests: questions.judge,
    close: () => close(server, closing),
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string")
        reject(new Error(`Expected the server to listen at a port, got ${address}.`));
      else resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

function close(server: Server, closing: AbortController): Promise<void> {
  closing.abort("closed");
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
