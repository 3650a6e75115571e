import { expect, test } from "vitest";
import { grouped, linkOf, read } from "./code";

const SECRET = { table: "0123456789abcdef", invite: "a-_bC3" };
const PUBLIC = { table: "0123456789abcdef", invite: "" };

test.each([SECRET, PUBLIC])("a link names the table that it was made for", (invitation) => {
  expect(read(linkOf(invitation, "https://example.org:8080"))).toEqual(invitation);
  expect(read(`  ${linkOf(invitation, "https://example.org")}\n`)).toEqual(invitation);
});

test.each([grouped("7KM4Q0"), "7km4q0", " 7km-4q0\n", "7-K-M-4-Q-0"])("%j is a code", (text) => {
  const given = read(text);
  expect(given && "code" in given ? given.code.toUpperCase() : null).toBe("7KM4Q0");
});

test("what only looks like a digit is left to the server", () => {
  expect(read("oIlOil")).toEqual({ code: "oIlOil" });
});

test.each(["", "7KM4Q", "7KM4Q00", "7KM4QU", "hello there!", "https://example.org/", "https://example.org/table/"])(
  "%j is neither a code nor a link",
  (text) => expect(read(text)).toBeNull(),
);
