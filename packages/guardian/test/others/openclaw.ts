import { asTurns, call, fails, message, type ScriptedCall, signal, times, turn } from "@sheepdog/guardian/testing";
import type { OtherProject } from "./other-project.ts";

const readSame = () => call("read", { path: "/farm/barn.txt" }, "twelve sheep");
const poll = (result: unknown) => call("process", { action: "poll", sessionId: "shearing" }, result);
const idlePoll = () => poll("(nothing new)\n\nThe process is still running.");
const write = (path: string, result = `wrote ${path}`) => call("write", { path, content: "twelve sheep" }, result);
const exec = (command: string, result: unknown) => call("exec", { command }, result);
const readOrList = (i: number, readResult: string, listResult: string): ScriptedCall =>
  i % 2 === 0 ? call("read", { path: "/farm/a.txt" }, readResult) : call("list", { dir: "/farm" }, listResult);
const pingPong = (count: number) => times(count, (i) => readOrList(i, "twelve sheep", "a.txt b.txt"));

const sent = (i: number) => ({
  ok: true,
  channel: "feishu",
  chatId: "shepherds",
  runId: `run_${i}`,
  messageId: `om_${i}`,
  receipt: { platformMessageId: `p_${i}` },
});
const send = (i: number, args: object = {}) =>
  call("message", { action: "send", target: "feishu:shepherds", text: "wolf!", ...args }, sent(i));
const sendTwenty = () => times(20, (i) => send(i));

const attempts = ["ls", "pwd", "whoami", "env", "id", "date", "ps", "df -h", "free -m", "uname -a"].flatMap(
  (command) => [{ command }, { shell: `bash -lc '${command}'` }],
);
const unknownTool = (args: unknown) => fails("exec", args, "Tool exec not found", "unknown-tool");

export const openclaw: OtherProject = {
  name: "openclaw",
  repository: "openclaw/openclaw",
  version: "0410b69 and 8f33638, one for each file, dates unknown",
  files: ["src/agents/tool-loop-detection.test.ts", "src/agents/tool-loop-detection-config.test.ts"],
  notTranslated: {
    count: 26,
    about: "configuration (9), hashes and records of calls, runs with an id, detection that is off by default",
  },
  tests: [
    {
      name: "the same call ten times, its keys in two orders",
      source: "produces deterministic hashes regardless of key order",
      script: times(10, (i) => call("look", i % 2 === 0 ? { from: 1, to: 2 } : { to: 2, from: 1 }, "twelve sheep")),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "16 different files are read",
      source: "does not flag unique tool calls",
      script: times(16, (i) => call("read", { path: `/farm/sheep${i}.txt` }, `ear tag ${i * 37}, ${i * 3 + 40} kg`)),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a file that another scheduled run has read ten times",
      source: "ignores repeated history from other runs",
      before: times(10, readSame),
      script: [
        signal({ type: "run-start", run: "heartbeat-2", attended: false, tools: [] }),
        message("scheduled"),
        turn(readSame()),
      ],
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same file ten times within a run",
      source: "detects repeated history within the same run",
      script: times(10, readSame),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same file an eleventh time",
      source: "warns on generic repeated tool+args calls",
      script: times(11, readSame),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "the same file 20 times",
      source: "blocks generic no-progress loops at critical threshold",
      script: times(20, readSame),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "a process polled ten times without news",
      source: "warns for known polling no-progress loops",
      script: times(10, idlePoll),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a process polled 20 times without news",
      source: "blocks known polling no-progress loops at critical threshold",
      script: times(20, idlePoll),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "a process polled 25 times, with a new line each time",
      source: "does not block known polling when output progresses",
      script: times(25, (i) => poll(`line ${i}`)),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same file 30 times",
      source: "blocks any tool with global no-progress breaker at 30",
      script: times(30, readSame),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "two files written 30 times with the same content",
      source: "blocks repeated stable argument churn with the global circuit breaker",
      script: times(30, (i) => write(["/tmp/a.md", "/tmp/b.md", "/tmp/a.md", "/tmp/a.md", "/tmp/b.md"][i % 5] ?? "")),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "two files written 28 times with the same content, and two others once",
      source: "blocks stable argument churn despite bounded singleton probes",
      script: times(30, (i) => write(i === 8 || i === 19 ? `/tmp/once-${i}.md` : `/tmp/${i % 2}.md`)),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "31 files written once with the same content and the same acknowledgement",
      source: "does not block a one-shot batch of distinct arguments",
      script: times(31, (i) => write(`/tmp/sheep-${i}.md`, "write complete")),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "15 files written twice, and another one",
      source: "does not block a legitimate two-pass batch",
      script: times(31, (i) => write(i === 30 ? "/tmp/next.md" : `/tmp/sheep-${i % 15}.md`)),
      theirs: "silent",
      ours: {
        answer: "noticed",
        byDesign: "Writing the same content once more changes nothing, which is worth a message. Nothing is refused.",
      },
    },
    {
      name: "two files written 30 times, with a revision that rises",
      source: "does not block argument churn when a repeated variant makes progress",
      script: times(30, (i) => {
        const path = i % 2 === 0 ? "/tmp/a.md" : "/tmp/b.md";
        return write(path, `wrote ${path}, revision ${i}`);
      }),
      theirs: "silent",
      ours: {
        answer: "stopped",
        byDesign: "The same content in the same file is the same action, whatever number the answer has.",
      },
    },
    {
      name: "the same command 20 times, with another duration and folder each time",
      source: "blocks repeated completed exec calls despite volatile runtime details",
      script: times(20, (i) =>
        exec("farm-api.sh fields", {
          content: "north\nsouth",
          details: { status: "completed", exitCode: 0, durationMs: 100 + i, cwd: `/tmp/run-${i}` },
        }),
      ),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same command 20 times, still running, with another process id each time",
      source: "blocks repeated running exec calls despite volatile session details and text",
      script: times(20, (i) =>
        exec("tail -f /var/log/farm.log", {
          content: `The command is still running (session sess-${i}, pid ${1_000 + i})`,
          details: { status: "running", sessionId: `sess-${i}`, pid: 1_000 + i, startedAt: 1_800_000_000_000 + i },
        }),
      ),
      theirs: "stopped",
      ours: {
        answer: "noticed",
        wrong: "Too late: the new session in each answer counts as news, so there is only a hint at the 20th call.",
      },
    },
    {
      name: "the same command 30 times, with a number that rises",
      source: "keeps changing exec output below the global no-progress breaker",
      script: times(30, (i) => exec("date", { text: `tick ${i}`, status: "completed", durationMs: 100 + i })),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a command that fails 30 times, with the number of the attempt",
      source: "keeps changing empty-output exec failures below the global no-progress breaker",
      script: times(30, (i) =>
        exec("farm helper", { text: `Failed before the start: attempt ${i}`, status: "failed" }),
      ),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "a tool that does not exist, called nine times with other arguments",
      source: "does not block repeated unknown-tool failures before the unknown-tool threshold",
      script: times(9, (i) => unknownTool({ command: `echo ${i}` })),
      theirs: "silent",
      ours: {
        answer: "noticed",
        byDesign: "A tool that does not exist will not exist at the next call. The messages refuse nothing.",
      },
    },
    {
      name: "a tool that does not exist, called 21 times with other arguments",
      source: "blocks repeated unknown-tool failures even when the args keep changing",
      script: [...attempts, { command: "echo again" }].map((args) => turn(unknownTool(args))),
      theirs: "stopped",
      ours: { answer: "noticed", byDesign: "Calls that are not equal are refused only if a second opinion agrees." },
    },
    {
      name: "two calls in turn, ten in all",
      source: "warns on ping-pong alternating patterns",
      script: pingPong(10),
      theirs: "noticed",
      ours: "agree",
    },
    {
      name: "two calls in turn, 20 in all",
      source: "blocks ping-pong alternating patterns at critical threshold",
      script: pingPong(20),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "two calls in turn, 20 in all, with other answers each time",
      source: "does not block ping-pong at critical threshold when outcomes are progressing",
      script: times(20, (i) => readOrList(i, `read ${i}`, `list ${i}`)),
      theirs: "noticed",
      ours: { answer: "silent", byDesign: "Each answer is new, so the calls may be useful." },
    },
    {
      name: "two calls in turn, and a write in between",
      source: "does not flag ping-pong when alternation is broken",
      script: asTurns([
        readOrList(0, "twelve sheep", ""),
        readOrList(1, "", "a.txt b.txt"),
        readOrList(2, "twelve sheep", ""),
        write("/tmp/out.txt"),
        readOrList(1, "", "a.txt b.txt"),
      ]),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "one call",
      source: "handles empty history",
      script: times(1, readSame),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same message twice",
      source: "gives duplicate sends a stable result hash despite per-call ids in details and text",
      script: times(2, (i) => send(i)),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same message 20 times, with new ids each time",
      source: "escalates identical-arg send loops to critical even though every id differs",
      script: sendTwenty(),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same message to another session 20 times",
      source: "also blocks sessions_send loops whose result carries a fresh runId",
      script: times(20, (i) =>
        call("sessions_send", { sessionKey: "agent:main:dog", text: "wolf!" }, { ok: true, runId: `run_${i}` }),
      ),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same message 20 times, with a tool named after its service",
      source: "escalates provider-docked send-tool loops (e.g. telegram) whose result carries fresh ids",
      script: times(20, (i) => call("telegram", { to: "telegram:123", text: "wolf!" }, sent(i))),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same reply 20 times",
      source: "escalates sibling delivery actions (reply) the same as send",
      script: times(20, (i) => send(i, { action: "reply" })),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same file uploaded 20 times, with a new id each time",
      source: "blocks upload-file loops whose result carries a fresh file id",
      script: times(20, (i) =>
        call(
          "message",
          { action: "upload-file", target: "feishu:shepherds", media: "wolf.png" },
          { ok: true, channel: "feishu", fileId: `f_${i}`, messageId: `om_${i}` },
        ),
      ),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same poll for the members of a chat 20 times, with a new id each time",
      source: "blocks poll loops whose result carries a fresh poll id",
      script: times(20, (i) =>
        call(
          "message",
          { action: "poll", target: "tg:shepherds", question: "Did you see the wolf?" },
          { ok: true, channel: "telegram", messageId: `om_${i}`, chatId: "c1", pollId: `pl_${i}` },
        ),
      ),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "20 messages that differ in a number",
      source: "does not flag distinct messages (different args) as a no-progress loop",
      script: times(20, (i) => send(i, { text: `line ${i}` })),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a channel read twice, with another message each time",
      source: "keeps full result hashing for non-send message actions so id/timestamp progress is not masked",
      script: times(2, (i) =>
        call(
          "message",
          { action: "read", target: "feishu:shepherds" },
          { ok: true, messageId: `m_${i}`, ts: i * 1_000 },
        ),
      ),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "a channel created twice",
      source: "keeps full result hashing for administrative message mutations",
      script: times(2, (i) =>
        call("message", { action: "channel-create", name: "wolves" }, { ok: true, messageId: `m_${i}`, timestamp: i }),
      ),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same message twice, over two routes",
      source: "preserves stable nested route ids so distinct routes stay distinguishable",
      script: times(2, (i) => ({ ...send(i), result: { ok: true, messageId: `om_${i}`, route: { id: `hill-${i}` } } })),
      theirs: "silent",
      ours: "agree",
    },
    {
      name: "the same message once more after it was refused",
      source: "keeps a critical send block sticky after the veto result is recorded",
      before: sendTwenty(),
      script: times(1, () => send(20)),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same call 20 times, refused by a rule each time",
      source: "still escalates repeated plugin/approval vetoes to a critical loop",
      script: times(20, () => fails("message", { action: "read", target: "feishu:shepherds" }, "blocked", "denied")),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same message 20 times, with its id inside the answer",
      source: "blocks plugin-shaped send results whose message object carries a bare per-send id",
      script: times(20, (i) => ({
        ...send(i),
        result: {
          message: { id: `qa_${i}`, conversation: { id: "hill" }, text: "wolf!", timestamp: 1_800_000_000_000 + i },
        },
      })),
      theirs: "stopped",
      ours: "agree",
    },
    {
      name: "the same message 20 times, each time into another conversation",
      source: "does not escalate when a stable conversation id changes between sends",
      script: times(20, (i) => ({
        ...send(i),
        result: { message: { id: `qa_${i}`, conversation: { id: `hill-${i}` }, text: "wolf!" } },
      })),
      theirs: "noticed",
      ours: "agree",
    },
  ],
};
