import { expect, test } from "vitest";
import { codeOf, linkOf, read } from "./code";

const SECRET = { table: "0123456789abcdef", invite: "a-_bC3" };
const PUBLIC = { table: "0123456789abcdef", invite: "" };

test.each([SECRET, PUBLIC])("a code and a link name the table that they were made for", (invitation) => {
  expect(read(codeOf(invitation))).toEqual(invitation);
  expect(read(linkOf(invitation, "https://example.org:8080"))).toEqual(invitation);
});

test("blanks that came along with copying don't matter", () => {
  expect(read("  0123456789abcdef .\n a-_bC3 ")).toEqual(SECRET);
});

test.each(["", "hello there!", "https://example.org/", "https://example.org/table/", "a.b.c", "table/<script>"])(
  "%j is neither a code nor a link",
  (text) => expect(read(text)).toBeNull(),
);
