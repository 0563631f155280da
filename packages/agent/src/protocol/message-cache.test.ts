import { expect, test } from "vitest";
import { createMessageCache, type MessageReducer } from "./message-cache.ts";
import type { Message } from "./messages.ts";

const user = (text: string): Message => ({ role: "user", id: text, at: 0, origin: "person", text });

function recordingReducer() {
  const added: string[] = [];
  const reducer: MessageReducer<string> = {
    start: () => "",
    add(result, { id }) {
      added.push(id);
      return result + id;
    },
  };
  return { reducer, added };
}

test("a value is computed once per message object and per function", () => {
  const cache = createMessageCache();
  const computed: string[] = [];
  const length = ({ id }: Message) => computed.push(id);
  const message = user("a");
  expect([cache.get(message, length), cache.get(message, length), cache.get({ ...message }, length)]).toEqual([
    1, 1, 2,
  ]);
  expect(cache.get(message, ({ id }) => id)).toBe("a");
  expect(computed).toEqual(["a", "a"]);
});

test("undefined is a value like any other", () => {
  const cache = createMessageCache();
  let calls = 0;
  const nothing = () => void calls++;
  const message = user("a");
  expect([cache.get(message, nothing), cache.get(message, nothing), calls]).toEqual([undefined, undefined, 1]);
});

test("only the new messages of a list that grew are added, in the same list and in a copy", () => {
  const { reducer, added } = recordingReducer();
  const cache = createMessageCache();
  const messages = [user("a"), user("b")];
  expect(cache.reduce(messages, reducer)).toBe("ab");
  messages.push(user("c"));
  expect(cache.reduce(messages, reducer)).toBe("abc");
  expect(cache.reduce([...messages, user("d")], reducer)).toBe("abcd");
  expect(added).toEqual(["a", "b", "c", "d"]);
});

test("a list that shrank or changed is reduced from its start", () => {
  const { reducer, added } = recordingReducer();
  const cache = createMessageCache();
  const messages = [user("a"), user("b"), user("c")];
  cache.reduce(messages, reducer);
  expect(cache.reduce(messages.slice(0, 2), reducer)).toBe("ab");
  expect(cache.reduce([user("x"), ...messages.slice(1)], reducer)).toBe("xbc");
  messages.splice(1, 1);
  expect(cache.reduce(messages, reducer)).toBe("ac");
  expect(added.join("")).toBe("abcabxbcac");
});

test("a reducer that throws is not continued in the middle", () => {
  let isBroken = true;
  const reducer: MessageReducer<string[]> = {
    start: () => [],
    add(result, { id }) {
      result.push(id);
      if (isBroken && id === "b") throw new Error("broken");
      return result;
    },
  };
  const cache = createMessageCache();
  const messages = [user("a"), user("b")];
  expect(() => cache.reduce(messages, reducer)).toThrow("broken");
  isBroken = false;
  expect(cache.reduce(messages, reducer)).toEqual(["a", "b"]);
});
