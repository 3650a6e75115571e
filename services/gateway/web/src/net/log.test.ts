import { expect, test } from "vitest";
import { eventTexts } from "./log";

test("each event comes back to the byte, whatever its strings hold", () => {
  const events = ['{"seq":1,"name":"a\\"]}{","x":[{"y":[]}]}', '{"seq":2,"name":"\\u00e9\\\\"}', "{}"];
  expect(eventTexts(`{"events":[${events.join(",")}]}`)).toEqual(events);
  expect(eventTexts('{"events":[]}')).toEqual([]);
});

test("what is no JSON is refused", () => {
  expect(() => eventTexts('{"events":[{]}')).toThrow(SyntaxError);
});
