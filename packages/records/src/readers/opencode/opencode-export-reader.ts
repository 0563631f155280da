import { isObject } from "../../trajectory/parse-json.ts";
import { objectField } from "../fields.ts";
import { runItem, skip } from "../read-item.ts";
import type { DocumentReader } from "../reader.ts";
import { countUnknown } from "../unknown-kinds.ts";
import { createOpencodeSession, objects, opencodeInfo } from "./opencode-session.ts";

/** Reads what `opencode export` prints: one session with its messages. */
export const opencodeExportReader: DocumentReader = {
  type: "document",
  format: "opencode",
  label: "opencode",
  recognizes(document) {
    if (!isObject(document) || !isObject(document["info"]) || !Array.isArray(document["messages"])) return false;
    const { info, messages } = document;
    const [first] = messages;
    if (first === undefined) return "projectID" in info;
    return isObject(first) && isObject(first["info"]) && "role" in first["info"] && Array.isArray(first["parts"]);
  },
  *read(document, file) {
    const { info, messages } = objectField(document);
    const session = createOpencodeSession(opencodeInfo(objectField(info), file));
    const unknown = countUnknown("entries");
    for (const { info: head, parts } of objects(messages)) {
      const message = objectField(head);
      const entry = `message ${String(message["id"])}`;
      for (const kind of session.message(message, objects(parts), { entry })) unknown.add(kind, 1);
    }
    const run = session.run();
    yield run === undefined ? skip(file, 0, "this session has no reply of a model") : runItem(run, file);
    const leftOut = unknown.item(file, "opencode");
    if (leftOut !== undefined) yield leftOut;
  },
};
