// `sheepdog hook <agent>`, which a coding agent starts for each event: the event comes on stdin, and the answer goes to
// stdout. The agent waits for it at every call, so nothing is loaded that is not needed. While `sheepdog serve` runs, it
// answers; else dist/hook.cjs does, one file with everything. Without an answer the agent continues.
"use strict";
const { existsSync, readFileSync, readSync, renameSync, statSync, writeFileSync, writeSync } = require("node:fs");
const { isAbsolute, join } = require("node:path");

const CHUNK_BYTES = 65_536;
/** An answer of the server that takes longer is not waited for. */
const SERVER_MS = 300;

module.exports = { homeFolder, runHook };

/** Answers one event. `file` is dist/hook.cjs. */
function runHook(args, file) {
  const [agent, ...flags] = args;
  const { env } = process;
  const request = {
    agent,
    build: buildMark(file),
    text: readStdin(),
    isObserving: flags.includes("--observe"),
    env,
    cwd: currentFolder(),
  };
  const socket = join(homeFolder(), "attach", "hooks.sock");
  if (!existsSync(socket)) answerHere(request, file);
  else
    askServer(socket, request, (answer) =>
      answer === undefined ? answerHere(request, file) : finish(answer, request, file),
    );
}

/** The same folder as `resolveHome` in src/home.ts finds. A relative HOME would let a project bring compiled code. */
function homeFolder({ SHEEPDOG_HOME, HOME } = process.env) {
  const home = HOME?.trim() ?? "";
  return SHEEPDOG_HOME?.trim() || join(isAbsolute(home) ? home : systemHome(), ".sheepdog");
}

/** Loads a module that is seldom needed. Nothing is found below the folder that is returned for a user without one. */
function systemHome() {
  try {
    return require("node:os").userInfo().homedir;
  } catch {
    return "/dev/null";
  }
}

/** Tells builds apart, as `buildMark` in src/hook/build-mark.ts does. */
function buildMark(file) {
  const { mtimeMs, size } = statSync(file);
  return `${Math.round(mtimeMs)}-${size}`;
}

function currentFolder() {
  try {
    return process.cwd();
  } catch {
    return "/"; // the folder was removed
  }
}

/** Everything that the agent wrote. `process.stdin` would take longer to set up than all else that is done here. */
function readStdin() {
  const chunks = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const size = readChunk(chunk);
    if (size === 0) return Buffer.concat(chunks).toString("utf8");
    chunks.push(chunk.subarray(0, size));
  }
}

/** 0 at the end. A pipe that another process has set to not block is read again after a moment. */
function readChunk(chunk) {
  for (;;) {
    try {
      return readSync(0, chunk);
    } catch (error) {
      if (error.code !== "EAGAIN") return 0;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** Asks `sheepdog serve`. Calls back with undefined if it does not answer in time, or says that it cannot. */
function askServer(path, { env, ...request }, done) {
  const { connect } = require("node:net");
  const variables = Object.entries(env).filter(([name]) => /^SHEEPDOG_|_ENTRYPOINT$|_ATTENDED$/.test(name));
  const socket = connect(path);
  let received = "";
  let isOver = false;
  const finish = (answer) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    socket.destroy();
    done(answer);
  };
  const timer = setTimeout(finish, SERVER_MS, undefined);
  socket.setEncoding("utf8");
  socket.on("error", () => finish(undefined));
  socket.on("data", (text) => {
    received += text;
  });
  socket.on("end", () => finish(parseAnswer(received)));
  socket.end(JSON.stringify({ ...request, env: Object.fromEntries(variables), until: Date.now() + SERVER_MS }));
}

function parseAnswer(text) {
  try {
    const answer = JSON.parse(text);
    return typeof answer.stdout === "string" ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Answers in this process. What needs the complete program, such as a changed configuration, starts it. */
function answerHere(request, file) {
  const { hook, store } = loadHook(file, request.build);
  const answer = hook.answerHere(request);
  if (answer === undefined) {
    import("../dist/cli.js").then(({ start }) => start(asStream(request.text)));
    return;
  }
  finish(answer, request, file);
  store(request.agent);
}

/** Prints the answer, and interrupts an agent that no answer ends. */
function finish(answer, { build }, file) {
  print(answer);
  if (answer.interrupt !== undefined) loadHook(file, build).hook.interruptAgent(answer.interrupt, process.ppid);
}

/** What was read of stdin, for a command that reads it. */
async function* asStream(text) {
  yield Buffer.from(text);
}

/** An agent that no longer reads needs no answer. */
function print({ stdout, stderr = "", exitCode }) {
  for (const [descriptor, text] of [
    [1, stdout],
    [2, stderr],
  ]) {
    if (text === "") continue;
    try {
      writeSync(descriptor, text);
    } catch {
      // as above
    }
  }
  process.exitCode = exitCode;
}

/**
 * Loads dist/hook.cjs with the code that V8 compiled for an earlier hook: compiling takes longer than all else that a
 * hook does. The compiled code is stored in Sheepdog's home, under a name for this build and this version of Node.
 */
function loadHook(file, build) {
  const { Script } = require("node:vm");
  const cacheFile = join(homeFolder(), "cache", `hook-${build}-${process.version}.bin`);
  const cachedData = readIfThere(cacheFile);
  const script = new Script(readFileSync(file, "latin1"), { filename: file, ...(cachedData && { cachedData }) });
  const hook = {};
  script.runInThisContext()(hook, require);
  const isStored = cachedData !== undefined && !script.cachedDataRejected;
  return { hook, store: isStored ? () => {} : storeCompiled };

  /** Stores compiled code in the home, for the hooks that follow. Without it they are slower, and that is all. */
  function storeCompiled(agent) {
    try {
      hook.compileMost(agent);
      const temporary = `${cacheFile}.${process.pid}.tmp`;
      writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
      renameSync(temporary, cacheFile);
    } catch {
      // as above
    }
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
