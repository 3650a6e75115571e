// A hand's log as the server sends it: each event's very text, over which the digests are taken.

/** The texts of the objects in the one array of `{"events":[…]}`. Throws SyntaxError for anything else. */
export function eventTexts(text: string): string[] {
  JSON.parse(text); // whatever is no JSON is refused here, so that below only brackets and strings matter
  const found: string[] = [];
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char === "\\") i += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") {
      depth += 1;
      if (depth === 3 && char === "{") start = i;
    } else if (char === "}" || char === "]") {
      if (depth === 3 && char === "}") found.push(text.slice(start, i + 1));
      depth -= 1;
    }
  }
  return found;
}
