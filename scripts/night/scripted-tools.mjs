// Tools with scripted outcomes. They have the names of the built-in tools, so that every page shows them as such.
import { defineTool } from "../../packages/agent/dist/index.js";

const kinds = { read: "read", grep: "read", glob: "read", web_fetch: "read", write: "mutate", edit: "mutate" };

/** Creates the tools. `outcomes` has the outcomes of the calls of the current turn, by tool, in their order. */
export function createScriptedTools(clock, outcomes) {
  return ["read", "grep", "glob", "web_fetch", "write", "edit", "bash", "slack_post"].map((name) =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      jsonSchema: { type: "object" },
      ...(kinds[name] === undefined ? {} : { kind: kinds[name] }),
      ...(name === "slack_post" ? { kind: "send" } : {}),
      run(input) {
        const { secs = 0.4, result = "ok", isError = false, change } = outcomes.take(name);
        clock.pass(secs);
        const content = typeof result === "function" ? result(clock.now()) : result;
        const details = change ?? changeOf(name, input);
        return { status: isError ? "error" : "ok", content, ...(details === undefined ? {} : { details }) };
      },
    }),
  );
}

/** The change of a file that the arguments describe. */
function changeOf(name, { path, old, new: added, content }) {
  if (name === "edit") return { change: { path, line: 18, before: `${old}\n`, after: `${added}\n` } };
  if (name === "write") return { change: { path, line: 1, before: "", after: content } };
  return undefined;
}

/** The outcomes of one turn. A refused call takes none, so each turn begins with new ones. */
export function createOutcomes() {
  let waiting = [];
  return {
    set: (calls) => {
      waiting = [...calls];
    },
    take: (tool) => {
      const index = waiting.findIndex((call) => call.tool === tool);
      const [call] = index < 0 ? [{}] : waiting.splice(index, 1);
      return call;
    },
  };
}
